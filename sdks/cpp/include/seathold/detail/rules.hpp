#pragma once

#include <algorithm>
#include <cmath>
#include <string>

namespace seathold::detail {

// Pauses and limits of docs/reference/seat-keeper.md.
inline constexpr double kMostAcquirePauseMs = 30'000;
inline constexpr double kMostPollPauseMs = 10'000;
inline constexpr double kMostLostPauseMs = 60'000;
inline constexpr double kLeastPollMs = 1'000;
inline constexpr int kPollTimeoutSeconds = 25;
inline constexpr double kRevocationsEveryMs = 600'000;
inline constexpr int kReleaseAttempts = 3;
inline constexpr double kLongestTimerMs = 86'400'000;
inline constexpr double kKeysEveryMs = 60'000;
/** A free seat is reserved for this time. */
inline constexpr double kReservedMs = 30'000;

/** The session is gone, but the program may have another one. */
inline bool is_session_ended(const std::string& code) {
  return code == "session_timeout" || code == "session_released" || code == "not_found";
}

inline bool is_token_refused(const std::string& code) { return code == "invalid_token" || code == "token_expired"; }

/** The two clocks of a machine, in milliseconds, and a random number from 0 up to 1. */
struct Moment {
  double mono_ms;
  double wall_ms;
  double random;
};

/** The service's time, estimated from its last answer and the machine's two clocks, whichever is faster. */
class ServerClock {
 public:
  /** Begins with the time of day, but never before the latest time of the service that was ever seen. */
  ServerClock(Moment at, double seen_ms) : server_ms_(std::max(at.wall_ms, seen_ms)), at_(at) {}

  /** Notes the Date of an answer. */
  void observe(double server_ms, Moment at) {
    server_ms_ = server_ms;
    at_ = at;
  }

  double now_ms(Moment now) const {
    return server_ms_ + std::max({now.mono_ms - at_.mono_ms, now.wall_ms - at_.wall_ms, 0.0});
  }

 private:
  double server_ms_;
  Moment at_;
};

/** The pause before the next attempt after this many failures in a row. */
inline double backoff_ms(int failures, double most_ms, double random) {
  return std::min(most_ms, 1000 * std::pow(2, std::min(failures - 1, 20))) * (0.5 + 0.5 * random);
}

/** The same for a service that may say when it wants to be asked again; otherwise the seconds are negative. */
inline double retry_ms(double retry_after_seconds, int failures, double most_ms, Moment now) {
  return retry_after_seconds < 0 ? backoff_ms(failures, most_ms, now.random)
                                 : std::min(retry_after_seconds, 300.0) * 1000 + 1000 * now.random;
}

/** About half of the interval, so that one heartbeat may fail. */
inline double heartbeat_delay_ms(double interval_seconds, double random) {
  return interval_seconds * 1000 * (0.4 + 0.2 * random);
}

inline double most_heartbeat_pause_ms(double interval_seconds) {
  return std::max(1'000.0, std::min(30'000.0, interval_seconds * 500));
}

}  // namespace seathold::detail
