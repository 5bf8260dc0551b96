#pragma once

#include <curl/curl.h>

#include <cstdlib>
#include <map>
#include <string>
#include <variant>

#include "types.hpp"

namespace seathold::detail {

enum class Expected { kData, kJson, kBytes, kNothing };

/** A request of the keeper as HTTP. Without a body, `body` is null. */
struct HttpRequest {
  std::string method;
  std::string path;
  double timeout_ms;
  bool needs_token = true;
  Json body = {};
  Expected expected = Expected::kData;
};

struct HttpResponse {
  int status = 0;
  /** Names in lower case. */
  std::map<std::string, std::string> headers;
  std::string body;

  std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
  }
};

/** What the requests of one keeper have in common. */
struct Subject {
  std::string license_key;
  std::string hardware_id;
  /** An object, or null. */
  Json metadata = {};
  /** The name of the machine in the list of activations. */
  std::string name = {};
};

inline HttpRequest keys_request() { return {"GET", "/.well-known/jwks.json", 10'000, false, {}, Expected::kJson}; }

inline std::string escape_path(const std::string& text) {
  std::string out;
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if (std::isalnum(byte) != 0 || each == '-' || each == '_' || each == '.' || each == '~') {
      out += each;
    } else {
      char escaped[4];
      std::snprintf(escaped, sizeof escaped, "%%%02X", byte);
      out += escaped;
    }
  }
  return out;
}

inline HttpRequest to_http(const Request& request, const Subject& subject) {
  const auto post = [](const std::string& action, double timeout_ms, Json::Object body) {
    return HttpRequest{"POST", "/v1/licenses/" + action, timeout_ms, true, Json(std::move(body))};
  };
  Json::Object license{{"license_key", subject.license_key}, {"hardware_id", subject.hardware_id}};
  const std::string wait = "/v1/licenses/waits/" + escape_path(request.id);
  switch (request.kind) {
    case Kind::kActivate: {
      if (!subject.name.empty()) license["name"] = subject.name;
      HttpRequest activate = post("activate", 30'000, std::move(license));
      activate.needs_token = false;
      return activate;
    }
    case Kind::kAcquire:
      if (!subject.metadata.is_null()) license["metadata"] = subject.metadata;
      if (request.wait_seconds > 0) license["wait_seconds"] = std::floor(request.wait_seconds);
      if (request.offline_seconds > 0) license["offline_seconds"] = std::floor(request.offline_seconds);
      return post("acquire", 30'000, std::move(license));
    case Kind::kHeartbeat: return post("heartbeat", 15'000, {{"session_id", request.id}});
    case Kind::kRelease: return post("release", 5'000, {{"session_id", request.id}});
    case Kind::kRevocations:
      return {"GET", "/.well-known/license-revocations.jwt", 10'000, false, {}, Expected::kBytes};
    case Kind::kLeave: return {"DELETE", wait, 5'000, true, {}, Expected::kNothing};
    case Kind::kPoll: break;
  }
  const std::string path = wait + "?timeout=" + std::to_string(request.timeout_seconds);
  return {"GET", path, (request.timeout_seconds + 10) * 1000.0};
}

/** Milliseconds since 1970 of a `Date` header, or -1. */
inline double parse_http_date(const std::string& text) {
  const time_t seconds = text.empty() ? -1 : curl_getdate(text.c_str(), nullptr);
  return seconds < 0 ? -1 : static_cast<double>(seconds) * 1000;
}

/** Seconds: of a number of them, or of a time by the answer's own clock (RFC 9110 section 10.2.3). Negative without. */
inline double read_retry_after(const HttpResponse& response) {
  const std::string value = response.header("retry-after");
  if (!value.empty() && value.size() < 10 && value.find_first_not_of("0123456789") == std::string::npos) {
    return std::atof(value.c_str());
  }
  const double at_ms = parse_http_date(value), now_ms = parse_http_date(response.header("date"));
  return at_ms < 0 || now_ms < 0 ? -1 : std::max(0.0, (at_ms - now_ms) / 1000);
}

inline Error not_ours(const HttpResponse& response) {
  const std::string type = response.header("content-type").substr(0, 100);
  return Error("unexpected_answer",
               "The answer with status " + std::to_string(response.status) + " is not one of Seathold's (" + type +
                   "). Is the base URL right?",
               response.status);
}

inline Error read_refusal(const HttpResponse& response) {
  const Json body = Json::parse(response.body).value_or(Json());
  const Json& error = body["error"];
  // The Retry-After of others says nothing about the service: a hotel's page may ask for more patience than a seat has.
  if (error["code"].string() == nullptr || error["message"].string() == nullptr) return not_ours(response);
  double retry_after = read_retry_after(response);
  const Json& details = error["details"];
  if (const auto* seconds = details["retry_after"].number(); seconds != nullptr && *seconds >= 0 && retry_after < 0) {
    retry_after = *seconds;
  }
  Error refusal(*error["code"].string(), *error["message"].string(), response.status);
  return refusal.with(details, response.header("x-request-id"), retry_after);
}

/** The data of a success (the text of a file), or the error that the answer is, also where it is not one of Seathold's. */
inline std::variant<Json, Error> read_answer(const HttpRequest& request, const HttpResponse& response) {
  const int status = response.status;
  if (status >= 300 && status < 400) {
    return Error("redirected", "The answer is a redirect, which is not followed.", status);
  }
  if (status < 200 || status > 299) return read_refusal(response);
  if (status == 204) return Json();
  const bool is_page = response.header("content-type").rfind("text/html", 0) == 0;
  if (request.expected == Expected::kBytes && !is_page) return Json(response.body);
  const auto body = Json::parse(response.body);
  if (body && request.expected == Expected::kJson) return *body;
  const bool has_data = body && body->object() != nullptr && body->object()->count("data") > 0;
  if (request.expected == Expected::kNothing || !has_data) return not_ours(response);
  return (*body)["data"];
}

}  // namespace seathold::detail
