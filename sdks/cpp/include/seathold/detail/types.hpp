#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>

#include "../events.hpp"

namespace seathold::detail {

/** Whether the machine is activated with the license key, because the program has no token. */
enum class Activation { kNone, kNeeded, kStored };

/** What a seat is asked for with, as far as the rules need it. Times are in seconds; 0 means none. */
struct Config {
  double wait_seconds = 0;
  double offline_seconds = 0;
  double timeout_seconds = 30;
  bool can_refresh_token = false;
  Activation activation = Activation::kNone;
};

/** A license token that was verified. */
struct VerifiedToken {
  std::string license_token;
  std::string session_id;
  std::string license_id;
  Features features;
  double expires_at_ms = 0;
};

/** A seat whose token was verified. */
struct HeldSeat {
  VerifiedToken token;
  std::string session_id;
  double heartbeat_interval = 60;
  /** 0 for a seat that is not offline. */
  double offline_until_ms = 0;
};

enum class Kind { kActivate, kAcquire, kPoll, kLeave, kHeartbeat, kRelease, kRevocations };

struct Request {
  Kind kind;
  double wait_seconds = 0;
  double offline_seconds = 0;
  /** Of the wait or the session. */
  std::string id = {};
  int timeout_seconds = 0;
};

struct Place {
  std::string wait_id;
  int position = 0;
  std::string expires_at;
  double poll_after_seconds = 1;
};

struct GrantedSeat { HeldSeat seat; };
struct Placed { Place place; };
struct WaitEnded { std::string status; std::string reason; };
/** The session continues, perhaps with a new token. */
struct Kept { std::optional<VerifiedToken> token; };
struct Listed { std::set<std::string> revoked; };
struct Done {};
/** It stands: repeating the request changes nothing. */
struct Refused { Error error; };
/** No answer, or one that asks for another attempt. */
struct Failed { Error error; };

/** What became of a request. Tokens in it are verified. */
using Outcome = std::variant<GrantedSeat, Placed, WaitEnded, Kept, Listed, Done, Refused, Failed>;

struct Send { int id; Request request; bool refresh_token; };
/** The answer to this request is of no interest any more. */
struct Abandon { int id; };
enum class Timer { kNext, kExpiry };
/** A negative delay stops the timer. */
struct SetTimer { Timer timer; double delay_ms; };
struct Tell { Event event; std::optional<HeldSeat> seat; };
/** The first acquire succeeded. */
struct Resolve {};
/** The first acquire failed. */
struct Reject { Error error; };
/** `take_offline` succeeded, or failed. */
struct AnswerOffline { std::optional<Error> error; };
/** What should survive the program has changed. */
struct Save { std::optional<HeldSeat> seat; };
/** Nothing more will happen. */
struct End {};

/** What the rules want done. */
using Effect = std::variant<Send, Abandon, SetTimer, Tell, Resolve, Reject, AnswerOffline, Save, End>;

/** The keeper's own errors. */
inline Error own_error(const std::string& code) {
  static const std::map<std::string, std::string> messages = {
      {"wait_expired", "No seat became free in time."},
      {"wait_canceled", "The wait for a seat was canceled."},
      {"revoked", "The license token was revoked."},
      {"not_held", "There is no seat to take offline."},
      {"ended", "The seat has ended."},
      {"offline_too_long", "The license token expired while the service could not be reached."},
      {"superseded", "Another call takes the seat offline."},
      {"aborted", "The program gave up waiting for the seat."},
      {"unexpected_answer", "The response lacks a required field."},
  };
  const auto found = messages.find(code);
  return Error(code, found == messages.end() ? code : found->second);
}

}  // namespace seathold::detail
