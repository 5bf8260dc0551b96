#pragma once

#include "acquiring.hpp"

namespace seathold::detail {

/**
 * The state machine of docs/reference/seat-keeper.md. It keeps no time and does no input or output: each method takes what
 * happened and when, and returns what to do. At most one request is in flight.
 */
class Machine {
 public:
  Machine(Config config, ServerClock& clock, std::optional<HeldSeat> stored) : state_(config, clock, std::move(stored)) {}

  const State& state() const { return state_; }

  std::vector<Effect> start(Moment now) {
    state_.wait_until_ms = now.mono_ms + state_.config.wait_seconds * 1000;
    if (state_.config.activation == Activation::kNeeded) {
      activate(state_, now);
    } else {
      state_.acquire(now);
    }
    return state_.flush();
  }

  /** A request ended. Answers to requests that were abandoned change nothing. */
  std::vector<Effect> answered(int id, const Outcome& outcome, Moment now) {
    if (state_.in_flight && state_.in_flight->id == id) {
      const InFlight asked = *state_.in_flight;
      state_.in_flight.reset();
      const auto* refusal = std::get_if<Refused>(&outcome);
      const bool is_refused = refusal != nullptr && is_token_refused(refusal->error.code());
      if (is_refused && state_.config.can_refresh_token && !asked.has_fresh_token) {
        state_.send(asked.request, now, true);
      } else {
        take(asked, outcome, now);
      }
    }
    return state_.flush();
  }

  std::vector<Effect> timer(Timer timer, Moment now) {
    if (timer == Timer::kNext || check_expiry(state_, now)) next(now);
    return state_.flush();
  }

  /** The machine may have slept, or has a network again: nothing is worth waiting for. */
  std::vector<Effect> wake(Moment now) {
    const auto& flying = state_.in_flight;
    if (flying && (flying->request.kind == Kind::kPoll || flying->request.kind == Kind::kHeartbeat)) state_.abandon();
    next(now);
    return state_.flush();
  }

  /** Gives the seat back, or the place in line, or stops asking. */
  std::vector<Effect> release(Moment now) {
    if (state_.is_releasing || state_.phase == Phase::kEnded) return {};
    state_.is_releasing = true;
    state_.stop_timers();
    // The answer to an acquire may be a seat, which has to be given back.
    if (!state_.in_flight || state_.in_flight->request.kind != Kind::kAcquire) {
      state_.abandon();
      give_back(now);
    }
    return state_.flush();
  }

  /** The program ends. An offline seat stays for its next run. */
  std::vector<Effect> exit(Moment now) {
    const double offline_until_ms = state_.seat ? state_.seat->offline_until_ms : 0;
    if (state_.is_releasing || offline_until_ms <= state_.clock.now_ms(now)) return release(now);
    state_.finish(false);
    return state_.flush();
  }

  /** Asks for the seat to need no heartbeat for this time. */
  std::vector<Effect> take_offline(double seconds, Moment now) {
    state_.wants_offline = seconds;
    if (state_.phase != Phase::kHeld || state_.is_releasing) {
      state_.answer_offline(own_error("not_held"));
    } else {
      next(now);
    }
    return state_.flush();
  }

 private:
  void next(Moment now) {
    if (state_.in_flight || state_.phase == Phase::kEnded) return;
    if (state_.is_releasing) {
      const int failures = state_.failures;
      give_back(now);
      state_.failures = failures;
    } else if (state_.phase == Phase::kHeld) {
      continue_holding(state_, now);
    } else {
      continue_acquiring(state_, now);
    }
  }

  void take(const InFlight& asked, const Outcome& outcome, Moment now) {
    const Kind kind = asked.request.kind;
    if (state_.is_releasing) {
      take_while_releasing(asked.request, outcome, now);
    } else if (kind == Kind::kActivate) {
      take_activation(state_, outcome, now);
    } else if (kind == Kind::kHeartbeat) {
      take_heartbeat(state_, outcome, now);
    } else if (kind == Kind::kRevocations) {
      take_revocations(state_, outcome, now);
    } else if (state_.phase == Phase::kHeld) {
      take_offline_answer(state_, outcome, now);
    } else {
      take_acquire(state_, asked, outcome, now);
    }
  }

  void give_back(Moment now) {
    state_.phase = Phase::kReleasing;
    state_.failures = 0;
    if (state_.seat) {
      state_.send(Request{Kind::kRelease, 0, 0, state_.seat->session_id}, now);
    } else if (state_.place) {
      state_.send(Request{Kind::kLeave, 0, 0, state_.place->wait_id}, now);
    } else {
      state_.finish(true);
    }
  }

  /** An answer that arrives when the program no longer wants a seat. */
  void take_while_releasing(const Request& request, const Outcome& outcome, Moment now) {
    // Nothing is known of a first acquire whose answer was lost. Its seat, if any, times out.
    const bool may_repeat = state_.seat.has_value() || state_.place.has_value();
    const auto* refusal = std::get_if<Refused>(&outcome);
    if (const auto* granted = std::get_if<GrantedSeat>(&outcome)) {
      state_.seat = granted->seat;
      give_back(now);
    } else if (const auto* placed = std::get_if<Placed>(&outcome)) {
      state_.place = placed->place;
      give_back(now);
    } else if (std::holds_alternative<Failed>(outcome) && state_.failures < kReleaseAttempts - 1 && may_repeat) {
      state_.pause(backoff_ms(state_.fails(), kMostAcquirePauseMs, now.random));
    } else if (refusal != nullptr && refusal->error.code() == "conflict" && request.kind == Kind::kLeave) {
      // It was this machine's turn at that moment. The answer names the session, which is released next.
      state_.send(Request{Kind::kPoll, 0, 0, request.id, 0}, now);
    } else {
      state_.finish(true);
    }
  }

  State state_;
};

}  // namespace seathold::detail
