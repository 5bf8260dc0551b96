"""Runs one script of the vectors: a program with a seat on a virtual machine."""

import json
from concurrent.futures import Future
from email.utils import formatdate

from seathold._errors import SeatError
from seathold._http import HttpResponse, Subject
from seathold._keeper import SeatKeeper
from seathold._rules import ServerClock
from seathold._service import SeatService, ServiceOptions
from seathold._store import Memory
from seathold._times import format_time, parse_time
from seathold._types import KeeperConfig

from .vectors import VECTORS, with_texts
from .virtual_machine import VirtualMachine

RESULTS = ("result", "offline_result", "ended")


class TextStore:
    def __init__(self, text):
        self.text = text

    def load(self):
        return self.text

    def save(self, text):
        self.text = text


class ScriptRunner:
    def __init__(self, test, script):
        self._test = test
        self._config = config = {**VECTORS["config"], **script.get("config", {})}
        self._machine = VirtualMachine(parse_time(VECTORS["epoch"]), config["random"], config["wall_ahead_ms"])
        self._store = TextStore(self._stored_text(script))
        self._token_index = 0
        self._keeper = self._make_keeper()
        self._keeper.start()

    def run(self, step):
        machine = self._machine
        expected = self._expected_by(step)
        machine.advance(step["at"], expected and expected[0])
        if expected is not None:
            kind, what = expected
            self._test.assertTrue(machine.outputs[kind], f"no {kind} by {step['at']} ms")
            self._test.assertEqual(machine.outputs[kind].pop(0), (step["at"], what))
        elif not any(name in step for name in ("answer", "fail", "stored")):
            self._test.assertEqual([each for outputs in machine.outputs.values() for each in outputs], [])
        self._act(step)

    def _expected_by(self, step):
        if "request" in step:
            request = step["request"]
            what = {"method": request["method"], "url": self._config["base_url"] + request["path"]}
            what["token"] = request.get("token")
            if "body" in request:
                what["body"] = with_texts(request["body"])
            return "request", what
        if "event" in step:
            return "event", step["event"]
        return next(((kind, step[kind]) for kind in RESULTS if kind in step), None)

    def _act(self, step):
        machine = self._machine
        if "answer" in step:
            machine.answer(self._respond(step["answer"]))
        elif step.get("fail") == "connection_failed":
            machine.fail()
        elif "call" in step:
            self._call(step)
        elif "stored" in step:
            self._check_stored(with_texts(step["stored"]))
        machine.sleep(step.get("sleep_seconds", 0))
        machine.wall_error_ms += step.get("wall_jump_seconds", 0) * 1000
        if "state" in step:
            self._test.assertEqual(self._keeper.state, step["state"])

    def _call(self, step):
        keeper = self._keeper
        if step["call"] == "take_offline":
            result = Future()
            result.add_done_callback(lambda future: self._machine.emit("offline_result", code_of(future, "ok")))
            keeper.take_offline(step["seconds"], result)
        else:
            calls = {"abort": keeper.abort, "wake": self._machine.wake, "exit": keeper.exit, "release": keeper.release}
            calls[step["call"]]()

    def _check_stored(self, expected):
        stored = json.loads(self._store.text or "{}")
        found = {
            "license_token": stored.get("seat", {}).get("license_token"),
            "activation_token": stored.get("activation_token"),
        }
        self._test.assertEqual({name: found[name] for name in expected}, expected)

    def _respond(self, answer):
        meta = {"request_id": "req_1"}
        if "raw" in answer:
            text = with_texts(answer["raw"])
        else:
            member = "data" if "data" in answer else "error"
            text = json.dumps({member: with_texts(answer.get(member)), "meta": meta})
        headers = {"content-type": "application/json", "date": formatdate(self._machine.real_ms // 1000, usegmt=True)}
        headers.update({name.lower(): str(value) for name, value in answer.get("headers", {}).items()})
        body = b"" if answer["status"] == 204 else text.encode("utf-8")
        return HttpResponse(answer["status"], headers, body)

    def _stored_text(self, script):
        if "stored" not in script:
            return None
        names = ("license_key", "hardware_id")
        return json.dumps({"version": 1, **{name: self._config[name] for name in names}, **with_texts(script["stored"])})

    def _make_keeper(self):
        config = self._config
        tokens = config["tokens"]
        options = ServiceOptions(
            base_url=config["base_url"],
            issuer=config["issuer"],
            audience=config["audience"],
            subject=Subject(config["license_key"], config["hardware_id"], config.get("metadata")),
            get_token=self._next_token,
        )
        keeper = SeatKeeper(
            options,
            KeeperConfig(
                config.get("wait_seconds"),
                config.get("offline_seconds"),
                config["timeout_seconds"],
                can_refresh_token=len(tokens) > 1,
            ),
            self._machine,
            has_token=len(tokens) > 0,
            store=self._store,
            on_end=lambda: self._machine.emit("ended", True),
        )
        keeper.listeners.append(lambda event: self._machine.emit("event", describe(event)))
        keeper.first.add_done_callback(lambda future: self._machine.emit("result", code_of(future, "granted")))
        return keeper

    def _next_token(self, is_refused):
        self._token_index += 1 if is_refused else 0
        tokens = self._config["tokens"]
        return tokens[self._token_index] if self._token_index < len(tokens) else None


def create_service():
    """A service that remembers nothing yet."""
    config = VECTORS["config"]
    machine = VirtualMachine(parse_time(VECTORS["epoch"]), 0.5, 0)
    subject = Subject(config["license_key"], config["hardware_id"])
    options = ServiceOptions(config["base_url"], config["issuer"], config["audience"], subject, lambda _: None)
    return SeatService(options, machine, ServerClock(machine.now()), Memory())


def code_of(future, success):
    error = future.exception()
    if error is None:
        return success
    return error.code if isinstance(error, SeatError) else repr(error)


def describe(event):
    if event.type == "granted":
        return {
            "type": "granted",
            "reason": event.reason,
            "session_id": event.session_id,
            "expires_at": to_text(event.expires_at),
            "features": dict(event.features),
        }
    if event.type == "waiting":
        return {"type": "waiting", "position": event.position, "expires_at": to_text(event.expires_at)}
    if event.type == "offline":
        return {"type": "offline", "reason": event.reason, "expires_at": to_text(event.expires_at)}
    return {"type": "lost", "reason": event.reason, "final": event.is_final}


def to_text(time):
    return format_time(round(time.timestamp() * 1000))
