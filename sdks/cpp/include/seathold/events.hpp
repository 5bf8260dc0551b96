#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "detail/json.hpp"
#include "detail/times.hpp"

namespace seathold {

using Feature = std::variant<bool, double, std::string>;
using Features = std::map<std::string, Feature>;

/** The program may run. */
struct Granted {
  /** acquired, reacquired, resumed, online or renewed. */
  std::string reason;
  std::string session_id;
  Features features;
  Time expires_at;
};

/** The place in the waiting list. Told again when it changes. */
struct Waiting {
  int position = 0;
  Time expires_at;
};

/** The service does not answer. The program may run until `expires_at`. */
struct Offline {
  /** The code of the failure. */
  std::string reason;
  Time expires_at;
};

/** The program must stop. If it is not final, the keeper goes on trying, and Granted follows if it succeeds. */
struct Lost {
  std::string reason;
  bool is_final = false;
};

using Event = std::variant<Granted, Waiting, Offline, Lost>;

/** A refusal of the API, or a failure of the connection. */
class Error : public std::runtime_error {
 public:
  Error(std::string code, const std::string& message, int status = 0)
      : std::runtime_error(message + " (" + code + ")"), code_(std::move(code)), status_(status) {}

  /**
   * That of the API, for example no_seats_available, or connection_failed, timed_out, redirected, unexpected_answer,
   * invalid_license_token, wait_expired, wait_canceled, aborted, not_held, superseded, ended.
   */
  const std::string& code() const { return code_; }
  /** The HTTP status; 0 if the API did not answer. */
  int status() const { return status_; }
  /** What the API says besides, for example `max_seats`. */
  const Json& details() const { return details_; }
  const std::string& request_id() const { return request_id_; }
  /** When the service wants to be asked again; negative if it did not say. */
  double retry_after_seconds() const { return retry_after_seconds_; }

  Error& with(Json details, std::string request_id, double retry_after_seconds) {
    details_ = std::move(details);
    request_id_ = std::move(request_id);
    retry_after_seconds_ = retry_after_seconds;
    return *this;
  }

 private:
  std::string code_;
  int status_;
  Json details_;
  std::string request_id_;
  double retry_after_seconds_ = -1;
};

}  // namespace seathold
