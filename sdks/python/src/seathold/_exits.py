"""Gives seats back when the program ends."""

from __future__ import annotations

import atexit
import os
import signal
import threading
from typing import Callable, List

PATIENCE_SECONDS = 5.0
"""What a release may take when the program ends. A supervisor such as systemd or Kubernetes waits longer."""

_exits: List[Callable[[float], None]] = []
# A signal can arrive while the main thread holds it.
_lock = threading.RLock()
_is_listening = False


def on_exit(leave: Callable[[float], None]) -> Callable[[], None]:
    """Calls `leave` twice when the program ends, also by SIGTERM: with 0 to begin, then with the seconds to wait for it.

    Returns how to stop that.
    """
    global _is_listening
    with _lock:
        _exits.append(leave)
        if not _is_listening:
            _is_listening = True
            atexit.register(_run_exits)
        _listen_to_sigterm()

    def stop() -> None:
        with _lock:
            if leave in _exits:
                _exits.remove(leave)

    return stop


def _listen_to_sigterm() -> None:
    """Only where the program itself does not: then it is its own affair. Python lets only the main thread listen."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _end_by_signal)


def _end_by_signal(number: int, _frame: object) -> None:
    signal.signal(number, signal.SIG_DFL)
    _run_exits()
    os.kill(os.getpid(), number)


def _run_exits() -> None:
    with _lock:
        leaving, _exits[:] = list(_exits), []
    for leave in leaving:
        leave(0)
    for leave in leaving:
        leave(PATIENCE_SECONDS)
