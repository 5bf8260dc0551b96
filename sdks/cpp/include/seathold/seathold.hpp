#pragma once

// Keeps a floating license seat of Seathold: acquires it, sends heartbeats, survives outages, waits in line, goes offline, and
// gives it back. Needs C++17, libcurl, and OpenSSL 3.
//
//   auto seat = seathold::Seat::acquire({"https://seats.example.com", license_key, token});
//
// Every keeper behaves as docs/reference/seat-keeper.md says.

#include "seat.hpp"
