"""A program of the fleet, as program.ts is."""

import json
import os
import random
import ssl
import time

from seathold import Seat, SeatError

LEAST, MOST = int(os.environ["HOLD_LEAST_MS"]), int(os.environ["HOLD_MOST_MS"])
CONTEXT = ssl.create_default_context(cafile=os.environ["SEATHOLD_CA_FILE"])


def write(**line):
    print(json.dumps({"at": time.monotonic_ns() / 1e6, **line}), flush=True)


def tell(event):
    if event.type == "waiting":
        write(event="waiting", position=event.position)
    elif event.type == "lost":
        write(event="lost", reason=event.reason, final=event.is_final)
    else:
        write(event=event.type, reason=event.reason)


while True:
    write(event="asking")
    try:
        seat = Seat.acquire(
            base_url=os.environ["SEATHOLD_URL"],
            token=os.environ.get("SEATHOLD_TOKEN"),
            license_key=os.environ["LICENSE_KEY"],
            hardware_id=os.environ["HARDWARE_ID"],
            wait_seconds=3600,
            timeout_seconds=600,
            on_event=tell,
            ssl_context=CONTEXT,
        )
        time.sleep(random.uniform(LEAST, MOST) / 1000)
        write(event="stopping")
        seat.release()
        write(event="released")
    except SeatError as error:
        write(event="refused", reason=error.code)
    time.sleep(0.2)
