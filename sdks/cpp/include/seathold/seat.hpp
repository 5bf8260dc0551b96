#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "detail/exits.hpp"
#include "detail/keeper.hpp"
#include "detail/system_runtime.hpp"
#include "events.hpp"
#include "hardware_id.hpp"
#include "store.hpp"

namespace seathold {

/** What a seat is asked for with. `base_url` and `license_key` are needed. */
struct Options {
  /** Where the service is; https only. */
  std::string base_url;
  std::string license_key;
  /** An access token, API token or activation token. Without any, the machine is activated with the license key. */
  std::string token;
  /**
   * Asked before each request instead of `token`. It gets whether the service refused the last token. It is called on the
   * keeper's thread, so it must not wait for the seat.
   */
  std::function<std::string(bool)> token_source;
  /** `hw_` and 32 characters of a-z and 0-9. By default it is derived from the machine's own ID. */
  std::string hardware_id;
  /** What admins see with the session, an object. `hostname` and `client_version` have columns of their own. */
  Json metadata;
  /** The name of the machine in the list of activations. */
  std::string name;
  /** How long to wait in line if all seats are in use, up to an hour. By default not at all. */
  std::chrono::seconds wait{0};
  /** Takes the seat for this time without heartbeats. */
  std::chrono::seconds offline{0};
  /** How long to keep trying while the service does not answer. */
  std::chrono::seconds timeout{30};
  /** Gets all events, also those from before there is a seat. It is called on the keeper's thread. */
  std::function<void(const Event&)> on_event;
  /** Called once, on the keeper's thread, when the seat was released, or lost for good. */
  std::function<void()> on_end;
  /** Asked now and then while `acquire` waits: whether to give up. */
  std::function<bool()> is_canceled;
  /** Keeps the seat for the next run of the program, so that it starts without a network. */
  std::shared_ptr<Store> store;
  /** The `iss` of the license tokens. By default `base_url`. */
  std::string issuer;
  /** The `aud` of the license tokens. */
  std::string audience = "seathold-client";
  /** Whether the seat is released when the program ends, also by SIGTERM and SIGINT if it does not handle them itself. */
  bool release_at_exit = true;
  /** A PEM file with the certificate authority of the service. By default that of the system. */
  std::string ca_file;
};

/**
 * A seat that keeps itself: it sends heartbeats, survives outages, gets another session when one is lost, and is released when
 * the object or the program ends. It must not be destroyed by a listener.
 */
class Seat {
 public:
  /** Takes a seat, waiting in line for one if `wait` says so. Throws Error, or std::invalid_argument for a wrong option. */
  static std::unique_ptr<Seat> acquire(const Options& options) {
    std::unique_ptr<Seat> seat(new Seat(options));
    seat->start(options);
    return seat;
  }

  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;

  /** Releases the seat. */
  ~Seat() {
    if (exit_ != 0) detail::Exits::instance().remove(exit_);
    begin_to_release();
    wait_until(std::chrono::steady_clock::now() + detail::Exits::kPatience);
  }

  /** The newest session, also after it was lost. */
  std::string session_id() const { return last().session_id; }
  /** The newest license token. */
  std::string license_token() const { return last().token.license_token; }
  Features features() const { return last().token.features; }
  /** Until when the program may run without reaching the service. */
  Time expires_at() const { return detail::to_time(last().token.expires_at_ms); }

  /** Until when the seat needs no heartbeat, if it is an offline seat. */
  std::optional<Time> offline_until() const {
    const double until_ms = last().offline_until_ms;
    return until_ms > 0 ? std::optional<Time>(detail::to_time(until_ms)) : std::nullopt;
  }

  /** `held` and `offline` mean that the program may run. Otherwise it is `lost` or `ended`. */
  std::string state() const { return keeper_->snapshot().second; }

  /** Calls the listener on each event from now on, on the keeper's thread. Returns a function that ends that. */
  std::function<void()> on_event(std::function<void(const Event&)> listener) {
    const int number = keeper_->listen(std::move(listener));
    return [this, number] { keeper_->unlisten(number); };
  }

  /** Keeps the seat for this time without heartbeats, if the license allows it. Throws Error. */
  void take_offline(std::chrono::seconds duration) {
    auto answer = std::make_shared<std::promise<std::optional<Error>>>();
    auto result = answer->get_future();
    runtime_->post([this, answer, seconds = static_cast<double>(duration.count())] {
      keeper_->take_offline(seconds, [answer](std::optional<Error> error) { answer->set_value(std::move(error)); });
    });
    if (const auto error = result.get()) throw *error;
  }

  /** Gives the seat back and stops. Returns when the service has confirmed it or cannot be reached. */
  void release() {
    begin_to_release();
    ended_.wait();
  }

 private:
  explicit Seat(const Options& options) : runtime_(std::make_unique<detail::SystemRuntime>(options.ca_file)) {
    detail::KeeperOptions given = read_options(options);
    given.on_first = [this](std::optional<Error> error) { first_promise_.set_value(std::move(error)); };
    given.on_end = [this, on_end = options.on_end] {
      if (on_end) on_end();
      ended_promise_.set_value();
    };
    keeper_ = std::make_unique<detail::Keeper>(std::move(given), *runtime_);
    if (options.on_event) keeper_->listen(options.on_event);
  }

  void start(const Options& options) {
    if (options.release_at_exit) {
      exit_ = detail::Exits::instance().add([this] {
        runtime_->post([this] { keeper_->exit(); });
        return [this](std::chrono::steady_clock::time_point until) { wait_until(until); };
      });
    }
    runtime_->post([this] { keeper_->start(); });
    auto first = first_promise_.get_future();
    bool is_aborted = false;
    while (first.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready) {
      if (!is_aborted && options.is_canceled && options.is_canceled()) {
        is_aborted = true;
        runtime_->post([this] { keeper_->abort(); });
      }
    }
    if (const auto error = first.get()) throw *error;
  }

  void begin_to_release() {
    runtime_->post([this] { keeper_->release(); });
  }

  void wait_until(std::chrono::steady_clock::time_point until) { ended_.wait_until(until); }

  detail::HeldSeat last() const {
    const auto [seat, state] = keeper_->snapshot();
    if (!seat) throw detail::own_error("not_held");
    return *seat;
  }

  static detail::KeeperOptions read_options(const Options& options) {
    std::string base_url = options.base_url;
    while (!base_url.empty() && base_url.back() == '/') base_url.pop_back();
    if (base_url.rfind("https://", 0) != 0 || base_url.size() <= 8 || base_url.find_first_of("?#@ ") != std::string::npos) {
      throw std::invalid_argument("seathold: base_url must be the https address of the service, without a query");
    }
    if (!detail::is_sendable(options.token)) {
      throw std::invalid_argument("seathold: token must be printable ASCII characters without spaces");
    }
    if (options.license_key.empty()) throw std::invalid_argument("seathold: license_key is needed");
    if (!options.metadata.is_null() && options.metadata.object() == nullptr) {
      throw std::invalid_argument("seathold: metadata must be an object");
    }
    std::string hardware_id = options.hardware_id;
    if (hardware_id.empty()) hardware_id = derive_hardware_id().value_or("");
    if (!is_hardware_id(hardware_id)) {
      throw std::invalid_argument(options.hardware_id.empty()
                                      ? "seathold: hardware_id is needed: this machine has no ID that can be read"
                                      : "seathold: hardware_id must be hw_ and 32 characters of a-z and 0-9");
    }
    detail::KeeperOptions given;
    given.service.base_url = base_url;
    given.service.issuer = options.issuer.empty() ? base_url : options.issuer;
    given.service.audience = options.audience;
    given.service.subject = {options.license_key, hardware_id, options.metadata, options.name};
    given.service.token = options.token_source ? options.token_source : [token = options.token](bool) { return token; };
    given.config.wait_seconds = static_cast<double>(options.wait.count());
    given.config.offline_seconds = static_cast<double>(options.offline.count());
    given.config.timeout_seconds = static_cast<double>(options.timeout.count());
    given.config.can_refresh_token = static_cast<bool>(options.token_source);
    given.has_token = options.token_source || !options.token.empty();
    given.store = options.store;
    return given;
  }

  std::promise<std::optional<Error>> first_promise_;
  std::promise<void> ended_promise_;
  std::shared_future<void> ended_ = ended_promise_.get_future().share();
  int exit_ = 0;
  // In this order: the runtime's thread ends before what it uses.
  std::unique_ptr<detail::Keeper> keeper_;
  std::unique_ptr<detail::SystemRuntime> runtime_;
};

}  // namespace seathold
