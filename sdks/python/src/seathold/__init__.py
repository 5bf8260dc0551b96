"""Keeps a seat of Seathold: acquires it, sends heartbeats, survives outages, and gives it back.

    from seathold import Seat

    with Seat.acquire(base_url="https://seats.example.com", token=TOKEN, license_key=KEY) as seat:
        seat.on("lost", lambda event: save_and_stop(event.reason))
        run(seat.features)
"""

from ._errors import SeatError
from ._events import Granted, Lost, Offline, SeatEvent, Waiting
from ._hardware_id import create_hardware_id, derive_hardware_id
from ._seat import Seat
from ._store import FileStore, SeatStore

__all__ = [
    "FileStore",
    "Granted",
    "Lost",
    "Offline",
    "Seat",
    "SeatError",
    "SeatEvent",
    "SeatStore",
    "Waiting",
    "create_hardware_id",
    "derive_hardware_id",
]
