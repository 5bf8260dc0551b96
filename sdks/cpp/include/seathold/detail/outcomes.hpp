#pragma once

#include "http.hpp"

namespace seathold::detail {

/** A success whose license token is not verified yet. */
struct ToVerify {
  std::string license_token;
  std::string session_id;
  double heartbeat_interval = 60;
  double offline_until_ms = 0;
};

using Reading = std::variant<Outcome, ToVerify>;

/** Whether the API answered this, and neither the keeper itself nor a proxy. */
inline bool is_of_api(const Error& error) {
  const std::string& code = error.code();
  return code != "connection_failed" && code != "timed_out" && code != "redirected" && code != "unexpected_answer";
}

/** A refusal that stands, or an attempt that failed. Pages of proxies and redirects say nothing. */
inline Outcome read_failure(Kind kind, const Error& error) {
  const int status = error.status();
  const std::string& code = error.code();
  bool is_final = status >= 400 && status < 500 && status != 408 && status != 425 && status != 429;
  const bool is_known_conflict = code == "no_seats_available" || code == "session_timeout" ||
                                 code == "session_released" || code == "activation_limit_reached";
  // Conflicts that the keeper does not know may pass.
  if (status == 409 && !is_known_conflict) is_final = kind == Kind::kLeave;
  if (is_final && is_of_api(error)) return Refused{error};
  return Failed{error};
}

inline double read_interval(const Json& value) {
  const auto* interval = value.number();
  return interval != nullptr && *interval >= 1 ? *interval : 60;
}

inline Outcome read_place(const Json& data) {
  const auto* wait_id = data["wait_id"].string();
  const auto* position = data["position"].number();
  const auto* expires_at = data["expires_at"].string();
  if (wait_id == nullptr || position == nullptr || expires_at == nullptr) return Failed{own_error("unexpected_answer")};
  const auto* poll_after = data["poll_after_seconds"].number();
  return Placed{Place{*wait_id, static_cast<int>(*position), *expires_at, poll_after == nullptr ? 1 : *poll_after}};
}

inline Reading read_grant(const Json& data) {
  const auto* session_id = data["session_id"].string();
  const auto* token = data["license_token"].string();
  if (session_id != nullptr && token != nullptr) {
    const double until_ms = parse_time(data["offline_until"].text_or("")).value_or(0);
    return ToVerify{*token, *session_id, read_interval(data["heartbeat_interval"]), until_ms};
  }
  const std::string status = data["status"].text_or("");
  if (status == "expired" || status == "canceled") return Outcome(WaitEnded{status, data["reason"].text_or("")});
  return read_place(data);
}

inline Reading read_heartbeat(const std::string& expected, const Json& data) {
  if (data["session_id"].text_or("") != expected) return Outcome(Failed{own_error("unexpected_answer")});
  if (const auto* token = data["license_token"].string()) return ToVerify{*token, expected};
  return Outcome(Kept{});
}

inline Reading read_success(const Request& request, const Json& data) {
  switch (request.kind) {
    case Kind::kHeartbeat: return read_heartbeat(request.id, data);
    case Kind::kAcquire:
    case Kind::kPoll: return read_grant(data);
    default: return Outcome(Done{});
  }
}

}  // namespace seathold::detail
