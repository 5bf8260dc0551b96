#pragma once

#include "state.hpp"

// The rules while there is a seat.

namespace seathold::detail {

inline void tell_granted(State& state, const std::string& reason, const HeldSeat& seat) {
  const Granted event{reason, seat.session_id, seat.token.features, to_time(seat.token.expires_at_ms)};
  state.add(Tell{event, seat});
}

inline void tell_offline(State& state, const std::string& reason, const HeldSeat& seat) {
  state.add(Tell{Offline{reason, to_time(seat.token.expires_at_ms)}, seat});
}

/** What the timer `next` does while there is a seat. */
inline void continue_holding(State& state, Moment now) {
  if (!state.seat) return;
  if (state.wants_offline > 0) {
    Request request{Kind::kAcquire};
    request.offline_seconds = state.wants_offline;
    state.send(std::move(request), now);
  } else if (!state.cause.empty()) {
    state.acquire(now);
  } else {
    state.send(Request{Kind::kHeartbeat, 0, 0, state.seat->session_id}, now);
  }
}

/** Ends the seat when its token is no longer good. The timer may fire early: then it is set again. */
inline bool check_expiry(State& state, Moment now) {
  if (!state.seat) return false;
  const double left_ms = state.seat->token.expires_at_ms - state.clock.now_ms(now);
  if (left_ms > 0) {
    state.add(SetTimer{Timer::kExpiry, std::min(left_ms, kLongestTimerMs)});
    return false;
  }
  if (state.cause.empty()) {
    state.abandon();
    state.cause = "offline_too_long";
  }
  state.lose_for_now();
  state.answer_offline(own_error("offline_too_long"));
  return true;
}

inline void await_next_heartbeat(State& state, Moment now) {
  if (state.wants_offline > 0) {
    continue_holding(state, now);
  } else {
    state.pause(state.next_heartbeat_ms - now.mono_ms);
  }
}

/** The service has just confirmed the seat. */
inline void confirm(State& state, Moment now) {
  if (!state.seat) return;
  state.failures = 0;
  state.kept_ms = now.mono_ms;
  state.next_heartbeat_ms = now.mono_ms + heartbeat_delay_ms(state.seat->heartbeat_interval, now.random);
  if (now.mono_ms - state.listed_ms >= kRevocationsEveryMs) {
    state.send(Request{Kind::kRevocations}, now);
  } else {
    await_next_heartbeat(state, now);
  }
}

inline void pause_after_failure(State& state, const HeldSeat& seat, const Failed& failure, Moment now) {
  const double most_ms = most_heartbeat_pause_ms(seat.heartbeat_interval);
  // A busy service may name a time after which the seat would be gone.
  const double retry_after = std::min(failure.error.retry_after_seconds(), seat.heartbeat_interval);
  state.pause(retry_ms(retry_after, state.fails(), most_ms, now));
}

/** The program has a seat. */
inline void grant(State& state, const HeldSeat& seat, const std::string& reason, Moment now) {
  state.phase = Phase::kHeld;
  state.seat = seat;
  state.place.reset();
  state.stored.reset();
  state.cause.clear();
  state.is_offline = false;
  state.add(Save{seat});
  tell_granted(state, reason, seat);
  if (!state.is_settled) {
    state.is_settled = true;
    state.add(Resolve{});
  }
  check_expiry(state, now);
  confirm(state, now);
}

/** The service cannot be reached, but a token from an earlier run of the program is still good. */
inline void resume(State& state, const Failed& failure, Moment now) {
  const HeldSeat seat = *state.stored;
  state.phase = Phase::kHeld;
  state.seat = seat;
  state.stored.reset();
  state.is_offline = true;
  state.is_settled = true;
  state.kept_ms = now.mono_ms;
  tell_granted(state, "resumed", seat);
  tell_offline(state, failure.error.code(), seat);
  state.add(Resolve{});
  state.failures = 0;
  check_expiry(state, now);
  pause_after_failure(state, seat, failure, now);
}

inline void keep(State& state, const std::optional<VerifiedToken>& token, Moment now) {
  const bool was_offline = state.is_offline;
  state.is_offline = false;
  if (token) {
    state.seat->token = *token;
    state.add(Save{state.seat});
  }
  if (was_offline) tell_granted(state, "online", *state.seat);
  // Also because the clocks may have jumped since the timer was set.
  check_expiry(state, now);
  confirm(state, now);
}

inline void miss_heartbeat(State& state, const Failed& failure, Moment now) {
  const HeldSeat seat = *state.seat;
  if (!check_expiry(state, now)) {
    // One lost request is no outage: the program is told when a heartbeat is overdue.
    if (!state.is_offline && now.mono_ms - state.kept_ms >= seat.heartbeat_interval * 1000) {
      state.is_offline = true;
      tell_offline(state, failure.error.code(), seat);
    }
    state.answer_offline(failure.error);
  }
  pause_after_failure(state, seat, failure, now);
}

inline void take_heartbeat(State& state, const Outcome& outcome, Moment now) {
  if (!state.seat) return;
  if (const auto* kept = std::get_if<Kept>(&outcome)) {
    keep(state, kept->token, now);
  } else if (const auto* failure = std::get_if<Failed>(&outcome)) {
    miss_heartbeat(state, *failure, now);
  } else if (const auto* refusal = std::get_if<Refused>(&outcome)) {
    if (!is_session_ended(refusal->error.code())) {
      state.fail(refusal->error);
      return;
    }
    state.cause = refusal->error.code();
    state.failures = 0;
    // Another copy of the program on this machine may have released the session, or an admin. Only the latter is listed.
    if (state.cause == "session_released") {
      state.send(Request{Kind::kRevocations}, now);
    } else {
      state.acquire(now);
    }
  }
}

inline void take_revocations(State& state, const Outcome& outcome, Moment now) {
  if (!state.seat) return;
  if (const auto* list = std::get_if<Listed>(&outcome)) {
    state.listed_ms = now.mono_ms;
    if (list->revoked.count(state.seat->session_id) > 0 || list->revoked.count(state.seat->token.license_id) > 0) {
      state.fail(own_error("revoked"));
      return;
    }
  }
  if (state.cause.empty()) {
    await_next_heartbeat(state, now);
  } else {
    state.acquire(now);
  }
}

/** The answer to an acquire that was to take the seat offline. If it failed, the seat stays as it was. */
inline void take_offline_answer(State& state, const Outcome& outcome, Moment now) {
  if (const auto* granted = std::get_if<GrantedSeat>(&outcome)) {
    state.answer_offline(std::nullopt);
    grant(state, granted->seat, "renewed", now);
    return;
  }
  if (const auto* failure = std::get_if<Failed>(&outcome)) {
    state.answer_offline(failure->error);
  } else if (const auto* refusal = std::get_if<Refused>(&outcome)) {
    state.answer_offline(refusal->error);
  } else {
    state.answer_offline(own_error("unexpected_answer"));
  }
  await_next_heartbeat(state, now);
}

}  // namespace seathold::detail
