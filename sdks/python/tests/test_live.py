"""A keeper and a real service, where SEATHOLD_URL names one. See CONTRIBUTING.md, `npm run test:sdks`."""

import os
import signal
import ssl
import stat
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

from seathold import FileStore, Seat, SeatError, create_hardware_id

URL = os.environ.get("SEATHOLD_URL")
LIMIT_SECONDS = 60


def acquire(**options):
    given = {
        "base_url": URL,
        "token": os.environ["SEATHOLD_TOKEN"],
        "license_key": os.environ["SEATHOLD_LICENSE_KEY"],
        "hardware_id": create_hardware_id(),
        "ssl_context": ssl.create_default_context(cafile=os.environ["SEATHOLD_CA_FILE"]),
    }
    return Seat.acquire(**{**given, **options})


@unittest.skipIf(URL is None, "left out, because SEATHOLD_URL names no service")
class Live(unittest.TestCase):
    def test_a_seat_is_acquired_with_a_good_token_and_given_back(self):
        events = []
        with acquire(on_event=events.append, metadata={"hostname": "test"}) as seat:
            self.assertEqual(seat.state, "held")
            self.assertTrue(seat.session_id.startswith("sess_"))
            self.assertIn("ai_assistance", seat.features)
            self.assertIsNone(seat.offline_until)
        self.assertEqual([(event.type, event.reason) for event in events], [("granted", "acquired")])
        self.assertEqual(seat.state, "ended")

    def test_a_token_with_a_line_break_is_refused_and_never_shown(self):
        token = os.environ["SEATHOLD_TOKEN"] + "\n"
        with self.assertRaises(ValueError) as refused:
            acquire(token=token)
        self.assertNotIn(token.strip(), str(refused.exception))
        with self.assertRaises(SeatError) as failed:
            acquire(token=lambda _is_refused: token, timeout_seconds=0)
        self.assertEqual(failed.exception.code, "invalid_argument")
        self.assertNotIn(token.strip(), str(failed.exception))

    def test_a_full_license_refuses_and_a_program_that_waits_gets_the_next_seat(self):
        first, second = acquire(), acquire()
        with self.assertRaises(SeatError) as refused:
            acquire()
        self.assertEqual(refused.exception.code, "no_seats_available")
        is_waiting, results = threading.Event(), []

        def wait():
            with acquire(wait_seconds=60, on_event=lambda event: event.type == "waiting" and is_waiting.set()) as seat:
                results.append(seat.session_id)

        waiter = threading.Thread(target=wait)
        waiter.start()
        self.assertTrue(is_waiting.wait(LIMIT_SECONDS))
        first.release()
        waiter.join(LIMIT_SECONDS)
        second.release()
        self.assertEqual(len(results), 1)

    def test_a_program_that_gives_up_leaves_the_line(self):
        first, second = acquire(), acquire()
        cancel = threading.Event()
        with self.assertRaises(SeatError) as aborted:
            acquire(wait_seconds=60, cancel=cancel, on_event=lambda _: cancel.set())
        self.assertEqual(aborted.exception.code, "aborted")
        first.release()
        second.release()

    def test_a_seat_goes_offline_and_is_found_by_the_next_run(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "seat.json"
            hardware_id = create_hardware_id()
            seat = acquire(hardware_id=hardware_id, store=FileStore(path))
            seat.take_offline(600)
            self.assertIsNotNone(seat.offline_until)
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
            # Nobody answers at this port, so the next run has only what the first one stored.
            events = []
            resumed = acquire(
                base_url="https://localhost:1",
                issuer=URL,
                hardware_id=hardware_id,
                store=FileStore(path),
                release_at_exit=False,
                on_event=events.append,
            )
            self.assertEqual(resumed.session_id, seat.session_id)
            self.assertEqual([event.type for event in events], ["granted", "offline"])
            seat.release()

    def test_a_machine_is_activated_with_the_license_key(self):
        with acquire(token=None, license_key=os.environ["SEATHOLD_ACTIVATION_KEY"], name="render node") as seat:
            self.assertEqual(seat.state, "held")

    def test_a_program_that_ends_gives_its_seat_back(self):
        for end in ("return", "sigterm"):
            with self.subTest(end):
                hardware_id = create_hardware_id()
                program = subprocess.Popen(
                    [sys.executable, "-c", PROGRAM, hardware_id, end], stdout=subprocess.PIPE, text=True
                )
                session_id = program.stdout.readline().strip()
                if end == "sigterm":
                    program.terminate()
                self.assertEqual(program.wait(LIMIT_SECONDS), -signal.SIGTERM if end == "sigterm" else 0)
                program.stdout.close()
                # The same machine would get the session that it has, if it still had one.
                with acquire(hardware_id=hardware_id) as seat:
                    self.assertNotEqual(seat.session_id, session_id)


PROGRAM = """
import os, ssl, sys, time
from seathold import Seat
seat = Seat.acquire(base_url=os.environ["SEATHOLD_URL"], token=os.environ["SEATHOLD_TOKEN"],
    license_key=os.environ["SEATHOLD_LICENSE_KEY"], hardware_id=sys.argv[1],
    ssl_context=ssl.create_default_context(cafile=os.environ["SEATHOLD_CA_FILE"]))
print(seat.session_id, flush=True)
if sys.argv[2] == "sigterm":
    time.sleep(60)
"""


if __name__ == "__main__":
    unittest.main()
