"""Renders frames on one node of a farm, with one of the farm's seats.

The frames are files in a folder that all nodes share. A node claims a frame by renaming its file, so no two nodes render the
same one. It needs a seat while it renders. If all seats are in use, it waits in line.
"""

import os
import signal
import socket
import ssl
import sys
import threading
from pathlib import Path

from seathold import FileStore, Granted, Lost, Offline, Seat, SeatError, Waiting

NODE = os.environ.get("NODE_NAME") or socket.gethostname()
SECONDS_PER_FRAME = float(os.environ.get("SECONDS_PER_FRAME", "1"))


# Set when the farm's scheduler stops the node.
stopping = threading.Event()


def main(folder: Path) -> int:
    signal.signal(signal.SIGTERM, lambda *_: stopping.set())
    try:
        with acquire() as seat:
            is_finished = render_all(folder, seat)
    except SeatError as error:
        say(f"No seat: {error} ({error.code})")
        is_finished = False
    return 143 if stopping.is_set() else 0 if is_finished else 1


def acquire() -> Seat:
    ca_file = os.environ.get("SEATHOLD_CA_FILE")
    return Seat.acquire(
        base_url=os.environ["SEATHOLD_URL"],
        # Without a token: the node is activated with the farm's license key.
        license_key=os.environ["LICENSE_KEY"],
        # Nodes created from one image may have the same machine ID. In that case, give each its own hardware ID.
        hardware_id=os.environ.get("HARDWARE_ID"),
        name=NODE,
        metadata={"hostname": NODE, "client_version": "1.0.0"},
        wait_seconds=3600,
        # A key can be activated ten times per minute, so when a new farm starts, some nodes must retry for a while.
        timeout_seconds=600,
        # Stores the activation, so that each node activates itself only once.
        store=FileStore(os.environ.get("SEAT_FILE") or Path.home() / ".render-node" / "seat.json"),
        cancel=stopping,
        on_event=lambda event: say(describe(event)),
        ssl_context=ssl.create_default_context(cafile=ca_file) if ca_file else None,
    )


def render_all(folder: Path, seat: Seat) -> bool:
    """Renders until no frame is left. Pauses while there is no seat, and returns False if the seat is lost for good."""
    while seat.state != "ended" and not stopping.is_set():
        if seat.state == "lost":
            stopping.wait(1)
            continue
        frame = claim(folder)
        if frame is None:
            return True
        is_rendered = render(frame)
        # Leaves a frame that was not finished, or was rendered without a seat, for another node.
        is_done = is_rendered and seat.state in ("held", "offline")
        frame.rename(frame.with_suffix(".done" if is_done else ".todo"))
        say(f"{frame.stem} {'done' if is_done else 'put back'}")
    return False


def claim(folder: Path):
    """Returns the next frame, renamed so that only this node has it, or None."""
    for todo in sorted(folder.glob("*.todo")):
        mine = todo.with_suffix(f".{NODE}")
        try:
            todo.rename(mine)
            return mine
        except FileNotFoundError:
            continue  # Another node was faster.
    return None


def render(frame: Path) -> bool:
    """Stands in for the real work. Returns whether it was finished."""
    return not stopping.wait(SECONDS_PER_FRAME)


def describe(event) -> str:
    if isinstance(event, Granted):
        return f"Seat {event.reason}. Licensed until {event.expires_at.isoformat()}."
    if isinstance(event, Waiting):
        return f"All seats are in use. Number {event.position} in line."
    if isinstance(event, Offline):
        return f"The license service is not responding. Continuing until {event.expires_at.isoformat()}."
    if isinstance(event, Lost):
        return f"Seat lost: {event.reason}." if event.is_final else f"Seat lost: {event.reason}. Waiting for another."
    return event.type


def say(text: str) -> None:
    print(f"{NODE}: {text}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Usage: python3 render_node.py <folder with the frames>")
    sys.exit(main(Path(sys.argv[1])))
