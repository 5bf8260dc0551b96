#pragma once

#include <algorithm>

#include "outcomes.hpp"
#include "runtime.hpp"
#include "verify.hpp"

namespace seathold::detail {

/** Whether a header can carry the token. After a line break, the rest would be another header. */
inline bool is_sendable(const std::string& token) {
  return std::all_of(token.begin(), token.end(), [](char each) { return each >= '!' && each <= '~'; });
}

/** What is known without a network. */
struct Memory {
  std::string activation_token;
  Json::Array keys;
  std::string revocations;
};

struct StoredSeat {
  std::string license_token;
  double heartbeat_interval;
  double offline_until_ms;
};

/** Where the service is, and what its tokens must say. */
struct ServiceOptions {
  std::string base_url;
  std::string issuer;
  std::string audience;
  Subject subject;
  /** Gets whether the service refused the last token. */
  std::function<std::string(bool)> token;
};

/**
 * The service as the keeper sees it: sends requests, reads the answers, and verifies the tokens in them. It calls back on the
 * keeper's thread.
 */
class Service {
 public:
  Service(ServiceOptions options, Runtime& runtime, ServerClock& clock, Memory known)
      : memory(std::move(known)), options_(std::move(options)), runtime_(runtime), clock_(clock) {}

  Memory memory;

  const Subject& subject() const { return options_.subject; }

  /** The seat of an earlier run, if its token is still good by what is in memory. */
  std::optional<HeldSeat> restore(const std::optional<StoredSeat>& stored) {
    if (!memory.revocations.empty()) take_list(memory.revocations);
    if (!stored) return std::nullopt;
    auto token = verify(stored->license_token, "");
    if (std::holds_alternative<Fault>(token)) return std::nullopt;
    auto& good = std::get<VerifiedToken>(token);
    return HeldSeat{good, good.session_id, stored->heartbeat_interval, stored->offline_until_ms};
  }

  /** Takes a list that is not older than the one in use. A list that is not the service's changes nothing. */
  Outcome take_list(const std::string& text) {
    auto found = verify_revocations(text, memory.keys, options_.issuer);
    if (auto* list = std::get_if<RevocationList>(&found); list != nullptr && list->issued_at >= list_.issued_at) {
      list_ = std::move(*list);
      memory.revocations = text;
    }
    return Listed{list_.revoked};
  }

  /** Sends a request, and calls back with what became of it, unless it is canceled before. */
  Cancel perform(const Request& request, bool refreshes_token, std::function<void(Outcome)> take) {
    // What has to be fetched for the answer replaces it.
    auto cancel = std::make_shared<Cancel>();
    *cancel = send(to_http(request, options_.subject), refreshes_token,
                   [this, request, take = std::move(take), cancel](const std::variant<Json, Error>& answer) {
                     if (const auto* error = std::get_if<Error>(&answer)) {
                       take(read_failure(request.kind, *error));
                     } else {
                       read(request, std::get<Json>(answer), take, *cancel);
                     }
                   });
    return [cancel] { (*cancel)(); };
  }

 private:
  using Take = std::function<void(const std::variant<Json, Error>&)>;

  std::variant<VerifiedToken, Fault> verify(const std::string& license_token, const std::string& session_id) {
    const double now_ms = clock_.now_ms(runtime_.now());
    const Expectations expected{options_.issuer, options_.audience, options_.subject.hardware_id, session_id, now_ms, &list_.revoked};
    return verify_license_token(license_token, memory.keys, expected);
  }

  void read(const Request& request, const Json& data, const std::function<void(Outcome)>& take, Cancel& cancel) {
    if (request.kind == Kind::kRevocations) {
      const std::string text = data.text_or("");
      with_keys(text, cancel, [this, text, take](const std::optional<Error>& error) {
        take(error ? read_failure(Kind::kRevocations, *error) : take_list(text));
      });
      return;
    }
    if (request.kind == Kind::kActivate) {
      take(take_activation(data));
      return;
    }
    const Reading reading = read_success(request, data);
    if (const auto* outcome = std::get_if<Outcome>(&reading)) {
      take(*outcome);
      return;
    }
    const ToVerify token = std::get<ToVerify>(reading);
    with_keys(token.license_token, cancel, [this, kind = request.kind, token, take](const std::optional<Error>& error) {
      take(take_token(kind, token, error));
    });
  }

  Outcome take_activation(const Json& data) {
    const auto* token = data["activation_token"].string();
    if (token == nullptr) return Failed{own_error("unexpected_answer")};
    memory.activation_token = *token;
    return Done{};
  }

  /** `error` says why the keys could not be fetched, if they could not. */
  Outcome take_token(Kind kind, const ToVerify& reading, const std::optional<Error>& error) {
    const bool is_heartbeat = kind == Kind::kHeartbeat;
    if (error && !is_heartbeat) return read_failure(kind, *error);
    auto token = verify(reading.license_token, reading.session_id);
    const auto* fault = std::get_if<Fault>(&token);
    // The token that the program has stays good, and the next heartbeat brings another.
    if (is_heartbeat && fault != nullptr) return Kept{};
    if (is_heartbeat) return Kept{std::get<VerifiedToken>(token)};
    if (fault != nullptr) {
      Error invalid("invalid_license_token", "The license token of the service is not valid: " + fault->reason + ".");
      return Refused{invalid.with(Json::Object{{"reason", fault->reason}}, "", -1)};
    }
    return GrantedSeat{
        HeldSeat{std::get<VerifiedToken>(token), reading.session_id, reading.heartbeat_interval, reading.offline_until_ms}};
  }

  /** Fetches the keys first, at most once a minute, if the token was signed with another one. */
  void with_keys(const std::string& token, Cancel& cancel, std::function<void(std::optional<Error>)> then) {
    const auto parsed = parse_jwt(token);
    const double now_ms = runtime_.now().mono_ms;
    if (!parsed || find_key(memory.keys, parsed->header["kid"]) != nullptr || now_ms - keys_ms_ < kKeysEveryMs) {
      then(std::nullopt);
      return;
    }
    cancel = send(keys_request(), false, [this, then = std::move(then)](const std::variant<Json, Error>& answer) {
      if (const auto* error = std::get_if<Error>(&answer)) {
        then(*error);
        return;
      }
      Json::Array keys = parse_key_set(std::get<Json>(answer));
      if (keys.empty()) {
        then(Error("unexpected_answer", "The key set has no keys."));
        return;
      }
      keys_ms_ = runtime_.now().mono_ms;
      memory.keys = std::move(keys);
      then(std::nullopt);
    });
  }

  /** Calls back with the data of the answer, or with the error that it is. */
  Cancel send(const HttpRequest& request, bool refreshes_token, Take take) {
    std::vector<std::string> headers{"Accept: */*"};
    if (request.needs_token) {
      try {
        const std::string token = memory.activation_token.empty() ? options_.token(refreshes_token) : memory.activation_token;
        if (!is_sendable(token)) {
          const Error error("invalid_argument", "The token must be printable ASCII characters without spaces.");
          return runtime_.set_timer(0, [take = std::move(take), error] { take(error); });
        }
        if (!token.empty()) headers.push_back("Authorization: Bearer " + token);
      } catch (const std::exception& failure) {
        const Error error("connection_failed", std::string("The function that returns tokens failed: ") + failure.what());
        return runtime_.set_timer(0, [take = std::move(take), error] { take(error); });
      }
    }
    std::optional<std::string> body;
    if (!request.body.is_null()) {
      headers.push_back("Content-Type: application/json");
      body = request.body.dump();
    }
    return exchange(request, headers, body, std::move(take));
  }

  Cancel exchange(const HttpRequest& request, const std::vector<std::string>& headers, const std::optional<std::string>& body,
                  Take take) {
    auto stop_timer = std::make_shared<Cancel>();
    const Cancel stop = runtime_.send(request.method, options_.base_url + request.path, headers, body, request.timeout_ms,
                                      [this, request, take, stop_timer](const std::variant<HttpResponse, Error>& response) {
                                        (*stop_timer)();
                                        if (const auto* error = std::get_if<Error>(&response)) {
                                          take(*error);
                                        } else {
                                          take(read_timed(request, std::get<HttpResponse>(response)));
                                        }
                                      });
    *stop_timer = runtime_.set_timer(request.timeout_ms, [stop, take] {
      stop();
      take(Error("timed_out", "The request was not answered in time."));
    });
    return [stop, stop_timer] {
      (*stop_timer)();
      stop();
    };
  }

  /** Reads an answer, and the time from it if it is the API's. The page of a proxy may be old, and so may a cached file. */
  std::variant<Json, Error> read_timed(const HttpRequest& request, const HttpResponse& response) {
    auto answer = read_answer(request, response);
    const auto* error = std::get_if<Error>(&answer);
    const bool is_ours = request.expected == Expected::kData || request.expected == Expected::kNothing;
    const double date_ms = parse_http_date(response.header("date"));
    if (is_ours && date_ms >= 0 && (error == nullptr || is_of_api(*error))) clock_.observe(date_ms, runtime_.now());
    return answer;
  }

  ServiceOptions options_;
  Runtime& runtime_;
  ServerClock& clock_;
  double keys_ms_ = -std::numeric_limits<double>::infinity();
  RevocationList list_;
};

}  // namespace seathold::detail
