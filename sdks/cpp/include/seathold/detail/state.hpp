#pragma once

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rules.hpp"
#include "types.hpp"

namespace seathold::detail {

enum class Phase { kAcquiring, kActivating, kWaiting, kHeld, kLost, kReleasing, kEnded };

struct InFlight {
  int id;
  Request request;
  double sent_ms;
  bool has_fresh_token;
};

/** Everything that the state machine knows, and the few things that it does with it everywhere. */
struct State {
  State(Config given, ServerClock& shared, std::optional<HeldSeat> kept)
      : config(given), clock(shared), stored(std::move(kept)), may_activate_again(given.activation == Activation::kStored) {}

  Config config;
  ServerClock& clock;
  Phase phase = Phase::kAcquiring;
  std::optional<InFlight> in_flight;
  std::optional<HeldSeat> seat;
  /** A seat from an earlier run of the program, whose token is still good. */
  std::optional<HeldSeat> stored;
  std::optional<Place> place;
  /** Requests in a row that failed, and when the first of them was sent. */
  int failures = 0;
  double failing_since_ms = 0;
  double wait_until_ms = 0;
  /** When the service last confirmed the seat. */
  double kept_ms = 0;
  double next_heartbeat_ms = 0;
  double listed_ms = -std::numeric_limits<double>::infinity();
  bool is_offline = false;
  /** Whether the first acquire has succeeded. */
  bool is_settled = false;
  bool may_activate_again;
  /** Why the session ended, until another one is granted. */
  std::string cause;
  bool is_releasing = false;
  /** The seconds that take_offline asks for, or 0. */
  double wants_offline = 0;
  /** Whether the service had no room for another request that waits. */
  bool is_busy = false;

  std::vector<Effect> flush() { return std::exchange(effects_, {}); }
  void add(Effect effect) { effects_.push_back(std::move(effect)); }
  void tell(Event event) { add(Tell{std::move(event), std::nullopt}); }

  void send(Request request, Moment now, bool has_fresh_token = false) {
    ++last_id_;
    if (failures == 0) failing_since_ms = now.mono_ms;
    in_flight = InFlight{last_id_, request, now.mono_ms, has_fresh_token};
    add(SetTimer{Timer::kNext, -1});
    add(Send{last_id_, std::move(request), has_fresh_token});
  }

  void abandon() {
    if (in_flight) {
      add(Abandon{in_flight->id});
      in_flight.reset();
    }
  }

  /** Waits before the next request. */
  void pause(double delay_ms) { add(SetTimer{Timer::kNext, std::max(0.0, delay_ms)}); }

  void stop_timers() {
    add(SetTimer{Timer::kNext, -1});
    add(SetTimer{Timer::kExpiry, -1});
  }

  /** Counts a request that failed, and returns how many have in a row. */
  int fails() { return ++failures; }

  /** Asks for a seat. All attempts before the first seat share the time for which the program wants to wait. */
  void acquire(Moment now) {
    double wait = config.wait_seconds;
    if (wait > 0 && !is_settled) wait = std::max(1.0, std::floor((wait_until_ms - now.mono_ms) / 1000));
    phase = Phase::kAcquiring;
    place.reset();
    Request request{Kind::kAcquire};
    request.wait_seconds = wait;
    request.offline_seconds = config.offline_seconds;
    send(std::move(request), now);
  }

  /** The program can have no seat, or must stop using the one that it had. */
  void fail(Error error) {
    if (is_settled) {
      tell(Lost{error.code(), true});
    } else {
      add(Reject{std::move(error)});
    }
    finish(true);
  }

  void finish(bool forgets) {
    abandon();
    phase = Phase::kEnded;
    seat.reset();
    stop_timers();
    if (forgets) add(Save{std::nullopt});
    answer_offline(own_error("ended"));
    add(End{});
  }

  void answer_offline(std::optional<Error> error) {
    if (wants_offline > 0) {
      wants_offline = 0;
      add(AnswerOffline{std::move(error)});
    }
  }

  /** Tells the program, once, that it must stop for now. */
  void lose_for_now() {
    if (!cause.empty() && seat) {
      seat.reset();
      tell(Lost{cause, false});
      add(SetTimer{Timer::kExpiry, -1});
      add(Save{std::nullopt});
    }
    phase = Phase::kLost;
  }

 private:
  std::vector<Effect> effects_;
  int last_id_ = 0;
};

}  // namespace seathold::detail
