#pragma once

#include "holding.hpp"

// The rules while there is no seat.

namespace seathold::detail {

inline void activate(State& state, Moment now) {
  state.phase = Phase::kActivating;
  state.may_activate_again = false;
  state.send(Request{Kind::kActivate}, now);
}

/** What the timer `next` does while there is no seat. */
inline void continue_acquiring(State& state, Moment now) {
  if (state.phase == Phase::kActivating) {
    activate(state, now);
  } else if (state.phase == Phase::kWaiting && state.place) {
    state.send(Request{Kind::kPoll, 0, 0, state.place->wait_id, state.is_busy ? 0 : kPollTimeoutSeconds}, now);
  } else {
    state.acquire(now);
  }
}

/** Before there ever was a seat, the program is not kept waiting for a service that does not answer. */
inline void retry_first(State& state, const Failed& failure, Moment now) {
  const double delay_ms = retry_ms(failure.error.retry_after_seconds(), state.fails(), kMostAcquirePauseMs, now);
  if (now.mono_ms + delay_ms > state.failing_since_ms + state.config.timeout_seconds * 1000) {
    state.fail(failure.error);
  } else {
    state.pause(delay_ms);
  }
}

/** The program that had a seat stops for now, and the keeper keeps asking for another. */
inline void acquire_later(State& state, double retry_after_seconds, Moment now) {
  state.place.reset();
  if (state.is_settled) {
    state.lose_for_now();
  } else {
    state.phase = Phase::kAcquiring;
  }
  state.pause(retry_ms(retry_after_seconds, state.fails(), kMostLostPauseMs, now));
}

inline void take_activation(State& state, const Outcome& outcome, Moment now) {
  if (std::holds_alternative<Done>(outcome)) {
    state.failures = 0;
    state.acquire(now);
  } else if (const auto* failure = std::get_if<Failed>(&outcome)) {
    retry_first(state, *failure, now);
  } else if (const auto* refusal = std::get_if<Refused>(&outcome)) {
    state.fail(refusal->error);
  }
}

inline void take_refusal(State& state, const Request& request, const Refused& refusal, Moment now) {
  const std::string& code = refusal.error.code();
  const bool is_gone = request.kind == Kind::kPoll && is_session_ended(code);
  if (is_gone || (state.is_settled && code == "no_seats_available")) {
    acquire_later(state, -1, now);
  } else if (state.may_activate_again && is_token_refused(code)) {
    activate(state, now);
  } else {
    state.fail(refusal.error);
  }
}

inline void retry(State& state, const Request& request, const Failed& failure, Moment now) {
  const double retry_after = failure.error.retry_after_seconds();
  if (request.kind == Kind::kPoll && now.mono_ms <= state.wait_until_ms + kReservedMs) {
    state.is_busy = failure.error.code() == "service_unavailable";
    state.pause(std::min(kReservedMs / 2, retry_ms(retry_after, state.fails(), kMostPollPauseMs, now)));
  } else if (state.is_settled) {
    acquire_later(state, retry_after, now);
  } else if (!state.stored) {
    retry_first(state, failure, now);
  } else {
    resume(state, failure, now);
  }
}

inline void wait(State& state, const Place& place, const InFlight& asked, Moment now) {
  const bool is_new = asked.request.kind == Kind::kAcquire;
  state.failures = 0;
  if (state.is_settled) {
    state.lose_for_now();
    if (is_new) state.wait_until_ms = now.mono_ms + asked.request.wait_seconds * 1000;
  }
  state.phase = Phase::kWaiting;
  if (!state.place || state.place->wait_id != place.wait_id || state.place->position != place.position) {
    state.tell(Waiting{place.position, to_time(parse_time(place.expires_at).value_or(0))});
  }
  state.place = place;
  if (is_new) {
    state.is_busy = false;
    continue_acquiring(state, now);
  } else if (state.is_busy) {
    state.is_busy = false;
    state.pause(place.poll_after_seconds * 1000);
  } else {
    // A service that is about to stop answers at once.
    state.pause(kLeastPollMs - (now.mono_ms - asked.sent_ms));
  }
}

/** The wait ended without a seat. If the machine slept when it was its turn, it may join again. */
inline void take_end_of_wait(State& state, const WaitEnded& end, Moment now) {
  const bool is_canceled = end.status == "canceled";
  if (is_canceled && !end.reason.empty() && end.reason != "left") {
    state.fail(own_error(end.reason));
  } else if (state.is_settled) {
    acquire_later(state, -1, now);
  } else if (!is_canceled && state.wait_until_ms - now.mono_ms >= 1000) {
    state.acquire(now);
  } else {
    state.fail(own_error(is_canceled ? "wait_canceled" : "wait_expired"));
  }
}

/** The answer to an acquire or a poll. */
inline void take_acquire(State& state, const InFlight& asked, const Outcome& outcome, Moment now) {
  if (const auto* granted = std::get_if<GrantedSeat>(&outcome)) {
    grant(state, granted->seat, state.is_settled ? "reacquired" : "acquired", now);
  } else if (const auto* placed = std::get_if<Placed>(&outcome)) {
    wait(state, placed->place, asked, now);
  } else if (const auto* end = std::get_if<WaitEnded>(&outcome)) {
    take_end_of_wait(state, *end, now);
  } else if (const auto* failure = std::get_if<Failed>(&outcome)) {
    retry(state, asked.request, *failure, now);
  } else if (const auto* refusal = std::get_if<Refused>(&outcome)) {
    take_refusal(state, asked.request, *refusal, now);
  }
}

}  // namespace seathold::detail
