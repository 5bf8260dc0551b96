#pragma once

#include <algorithm>
#include <memory>
#include <mutex>

#include "../store.hpp"
#include "machine.hpp"
#include "service.hpp"

namespace seathold::detail {

/** What a store keeps, as all SDKs read and write it. */
struct Stored {
  Memory memory;
  double seen_ms = 0;
  std::optional<StoredSeat> seat;
};

/** What is kept of the same license on the same machine. Anything else counts as nothing. */
inline Stored parse_stored(const std::string& text, const Subject& of) {
  const Json value = Json::parse(text).value_or(Json());
  const bool is_ours = value["version"] == Json(1) && value["license_key"] == Json(of.license_key) &&
                       value["hardware_id"] == Json(of.hardware_id);
  if (!is_ours) return {};
  Stored stored;
  stored.memory.activation_token = value["activation_token"].text_or("");
  stored.memory.keys = parse_key_set(Json::parse(value["keys"].text_or("")).value_or(Json()));
  stored.memory.revocations = value["revocations"].text_or("");
  stored.seen_ms = parse_time(value["seen_at"].text_or("")).value_or(0);
  const Json& seat = value["seat"];
  if (const auto* token = seat["license_token"].string()) {
    const double until_ms = parse_time(seat["offline_until"].text_or("")).value_or(0);
    stored.seat = StoredSeat{*token, read_interval(seat["heartbeat_interval"]), until_ms};
  }
  return stored;
}

inline std::string format_stored(const Subject& of, const Memory& memory, double seen_ms, const std::optional<HeldSeat>& seat) {
  Json::Object text{{"version", 1},
                    {"license_key", of.license_key},
                    {"hardware_id", of.hardware_id},
                    {"seen_at", format_time(seen_ms)},
                    {"keys", Json(Json::Object{{"keys", memory.keys}}).dump()}};
  if (!memory.activation_token.empty()) text["activation_token"] = memory.activation_token;
  if (!memory.revocations.empty()) text["revocations"] = memory.revocations;
  if (seat) {
    Json::Object stored{{"license_token", seat->token.license_token}, {"heartbeat_interval", seat->heartbeat_interval}};
    if (seat->offline_until_ms > 0) stored["offline_until"] = format_time(seat->offline_until_ms);
    text["seat"] = std::move(stored);
  }
  return Json(std::move(text)).dump();
}

struct KeeperOptions {
  ServiceOptions service;
  Config config;
  bool has_token = false;
  std::shared_ptr<Store> store;
  /** Called once: with nothing when there is a seat. */
  std::function<void(std::optional<Error>)> on_first;
  /** Called once, when nothing will happen any more. */
  std::function<void()> on_end;
};

/**
 * Runs the state machine of one seat: sends its requests, keeps its timers, and tells its events. Everything but `snapshot`,
 * `listen` and `unlisten` happens on the runtime's thread.
 */
class Keeper {
 public:
  Keeper(KeeperOptions options, Runtime& runtime)
      : Keeper(std::move(options), runtime, nullptr) {}

  void start() {
    stop_watching_ = runtime_.on_wake([this] { wake(); });
    run(machine_.start(runtime_.now()));
  }

  void wake() { run(machine_.wake(runtime_.now())); }
  void release() { run(machine_.release(runtime_.now())); }
  void exit() { run(machine_.exit(runtime_.now())); }

  /** The program no longer wants a seat. */
  void abort() {
    answer_first(own_error("aborted"));
    release();
  }

  void take_offline(double seconds, std::function<void(std::optional<Error>)> answer) {
    if (offline_) offline_(own_error("superseded"));
    offline_ = std::move(answer);
    run(machine_.take_offline(seconds, runtime_.now()));
  }

  /** Calls the listener on each event from now on. Returns its number. */
  int listen(std::function<void(const Event&)> listener) {
    const std::lock_guard<std::mutex> guard(mutex_);
    listeners_[++listened_] = std::move(listener);
    return listened_;
  }

  void unlisten(int number) {
    const std::lock_guard<std::mutex> guard(mutex_);
    listeners_.erase(number);
  }

  /** The newest seat, also after it was lost, and the state: acquiring, held, offline, lost or ended. */
  std::pair<std::optional<HeldSeat>, std::string> snapshot() const {
    const std::lock_guard<std::mutex> guard(mutex_);
    return {last_, current_};
  }

 private:
  Keeper(KeeperOptions options, Runtime& runtime, std::nullptr_t)
      : options_(std::move(options)),
        runtime_(runtime),
        stored_(parse_stored(options_.store ? options_.store->load() : "", options_.service.subject)),
        clock_(runtime.now(), stored_.seen_ms),
        service_(options_.service, runtime, clock_, memory_of(stored_, options_.has_token)),
        saved_(service_.restore(stored_.seat)),
        machine_(config_of(options_, service_.memory), clock_, saved_) {}

  static Memory memory_of(Stored& stored, bool has_token) {
    if (has_token) stored.memory.activation_token.clear();
    return stored.memory;
  }

  static Config config_of(const KeeperOptions& options, const Memory& memory) {
    Config config = options.config;
    config.activation = options.has_token                 ? Activation::kNone
                        : memory.activation_token.empty() ? Activation::kNeeded
                                                          : Activation::kStored;
    return config;
  }

  void run(std::vector<Effect> effects) {
    note(machine_.state().seat);
    // What waits for an answer continues in another thread, and must find the seat stored.
    std::stable_partition(effects.begin(), effects.end(),
                          [](const Effect& each) { return !std::holds_alternative<AnswerOffline>(each); });
    for (Effect& effect : effects) {
      std::visit([this](auto& each) { apply(each); }, effect);
    }
  }

  void note(const std::optional<HeldSeat>& seat) {
    const State& state = machine_.state();
    const std::lock_guard<std::mutex> guard(mutex_);
    if (seat) last_ = seat;
    current_ = state.phase == Phase::kEnded ? "ended"
               : state.seat                 ? (state.is_offline ? "offline" : "held")
               : state.is_settled           ? "lost"
                                            : "acquiring";
  }

  void apply(Send& effect) {
    const Memory before = service_.memory;
    const int id = effect.id;
    requests_[id] = service_.perform(effect.request, effect.refresh_token, [this, id, before](const Outcome& outcome) {
      requests_.erase(id);
      run(machine_.answered(id, outcome, runtime_.now()));
      const Memory& after = service_.memory;
      if (before.keys != after.keys || before.revocations != after.revocations ||
          before.activation_token != after.activation_token) {
        save();
      }
    });
  }

  void apply(Abandon& effect) {
    if (auto found = requests_.find(effect.id); found != requests_.end()) {
      const Cancel cancel = std::move(found->second);
      requests_.erase(found);
      cancel();
    }
  }

  void apply(SetTimer& effect) {
    if (auto found = timers_.find(effect.timer); found != timers_.end()) {
      found->second();
      timers_.erase(found);
    }
    if (effect.delay_ms >= 0) {
      const Timer timer = effect.timer;
      timers_[timer] = runtime_.set_timer(effect.delay_ms, [this, timer] { run(machine_.timer(timer, runtime_.now())); });
    }
  }

  void apply(Tell& effect) {
    note(effect.seat);
    std::map<int, std::function<void(const Event&)>> listeners;
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      listeners = listeners_;
    }
    for (const auto& [number, listener] : listeners) listener(effect.event);
  }

  void apply(Resolve&) { answer_first(std::nullopt); }
  void apply(Reject& effect) { answer_first(effect.error); }

  void apply(AnswerOffline& effect) {
    const auto answer = std::exchange(offline_, nullptr);
    if (answer) answer(effect.error);
  }

  void apply(Save& effect) {
    saved_ = effect.seat;
    save();
  }

  void apply(End&) {
    if (std::exchange(has_ended_, true)) return;
    stop_watching_();
    options_.on_end();
  }

  void answer_first(std::optional<Error> error) {
    if (!std::exchange(is_first_answered_, true)) options_.on_first(std::move(error));
  }

  void save() {
    if (!options_.store) return;
    try {
      options_.store->save(format_stored(service_.subject(), service_.memory, clock_.now_ms(runtime_.now()), saved_));
    } catch (const std::exception&) {
      // A disk that is full costs the program its next start offline, but not its seat.
    }
  }

  KeeperOptions options_;
  Runtime& runtime_;
  Stored stored_;
  ServerClock clock_;
  Service service_;
  std::optional<HeldSeat> saved_;
  Machine machine_;
  std::map<Timer, Cancel> timers_;
  std::map<int, Cancel> requests_;
  std::function<void(std::optional<Error>)> offline_;
  Cancel stop_watching_ = [] {};
  bool is_first_answered_ = false;
  bool has_ended_ = false;

  mutable std::mutex mutex_;
  std::optional<HeldSeat> last_;
  std::string current_ = "acquiring";
  std::map<int, std::function<void(const Event&)>> listeners_;
  int listened_ = 0;
};

}  // namespace seathold::detail
