"""Every vector of sdks/keeper-vectors.json."""

import unittest

from seathold._hardware_id import find_machine_id, hash_machine_id
from seathold._verify import Expectations, Fault, verify_license_token, verify_revocations

from .script_runner import ScriptRunner, create_service
from .vectors import VECTORS, key_set, with_texts

CONFIG = VECTORS["config"]


def outcome_of(result):
    return result.reason if isinstance(result, Fault) else "valid"


def verify_list(list_, keys=None):
    return verify_revocations(with_texts(list_), keys or key_set(), CONFIG["issuer"])


class Vectors(unittest.TestCase):
    def test_a_keeper_acts_as_its_script_says(self):
        self.assertGreater(len(VECTORS["scripts"]), 100)
        for script in VECTORS["scripts"]:
            with self.subTest(script["name"]):
                runner = ScriptRunner(self, script)
                for step in script["steps"]:
                    runner.run(step)

    def test_a_license_token_is_judged_as_its_vector_says(self):
        for vector in VECTORS["tokens"]:
            with self.subTest(vector["name"]):
                revoked = verify_list(vector["list"]).revoked if "list" in vector else frozenset()
                expected = Expectations(
                    CONFIG["issuer"],
                    CONFIG["audience"],
                    CONFIG["hardware_id"],
                    vector["now"] * 1000,
                    vector.get("session_id"),
                    revoked,
                )
                keys = key_set(vector.get("keys", "@keys.first"))
                result = verify_license_token(with_texts(vector["token"]), keys, expected)
                self.assertEqual(outcome_of(result), vector["expect"])

    def test_a_revocation_list_is_judged_as_its_vector_says(self):
        for vector in VECTORS["lists"]:
            with self.subTest(vector["name"]):
                result = verify_list(vector["list"], key_set(vector.get("keys", "@keys.first")))
                self.assertEqual(outcome_of(result), vector["expect"])
                self.assertEqual(self._revoked_after(vector), set(vector["revoked"]))

    def _revoked_after(self, vector):
        service = create_service()
        if "after" in vector:
            service.memory.keys = key_set()
            service.take_list(with_texts(vector["after"]))
        service.memory.keys = key_set(vector.get("keys", "@keys.first"))
        return service.take_list(with_texts(vector["list"])).revoked

    def test_a_machine_id_becomes_a_hardware_id(self):
        for vector in VECTORS["hardware_ids"]:
            with self.subTest(vector["platform"]):
                machine_id = find_machine_id(vector["platform"], vector["output"])
                self.assertEqual(machine_id, vector["machine_id"])
                self.assertEqual(hash_machine_id(machine_id), vector["hardware_id"])


if __name__ == "__main__":
    unittest.main()
