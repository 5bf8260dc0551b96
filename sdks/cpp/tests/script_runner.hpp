#pragma once

#include <deque>

#include "../include/seathold/seathold.hpp"

namespace seathold::detail {

/** The file of the vectors. */
struct Vectors {
  Json file;

  /** The text of a name such as `@token.valid`. */
  std::string text(const std::string& reference) const {
    const Json& found = file["texts"][reference.empty() ? reference : reference.substr(1)];
    return reference.rfind('@', 0) == 0 && found.string() != nullptr ? *found.string() : reference;
  }

  /** The same value with each name replaced by its text. */
  Json with_texts(const Json& value) const {
    if (value.string() != nullptr) return text(*value.string());
    if (value.array() != nullptr) {
      Json::Array items;
      for (const Json& item : *value.array()) items.push_back(with_texts(item));
      return items;
    }
    if (value.object() != nullptr) {
      Json::Object members;
      for (const auto& [name, each] : *value.object()) members[name] = with_texts(each);
      return members;
    }
    return value;
  }
};

/** A machine with clocks that a test moves, and a network that a test answers. */
class VirtualMachine : public Runtime {
 public:
  VirtualMachine(double epoch_ms, double random, double wall_ahead_ms)
      : real_ms(epoch_ms), wall_error_ms(wall_ahead_ms), random_(random) {}

  double mono_ms = 0;
  double real_ms;
  double wall_error_ms;
  std::function<void()> wake = [] {};
  /** What the keeper did and the script has not looked at. Only outputs of one kind have an order. */
  std::map<std::string, std::deque<std::pair<double, Json>>> outputs;

  Moment now() override { return {mono_ms, real_ms + wall_error_ms, random_}; }

  Cancel set_timer(double delay_ms, std::function<void()> run) override {
    const auto key = std::make_pair(mono_ms + delay_ms, ++last_);
    timers_[key] = std::move(run);
    return [this, key] { timers_.erase(key); };
  }

  Cancel send(const std::string& method, const std::string& url, const std::vector<std::string>& headers,
              const std::optional<std::string>& body, double, TakeResponse take) override {
    Json::Object what{{"method", method}, {"url", url}, {"token", nullptr}};
    for (const std::string& header : headers) {
      const std::string prefix = "Authorization: Bearer ";
      if (header.rfind(prefix, 0) == 0) what["token"] = header.substr(prefix.size());
    }
    if (body) what["body"] = Json::parse(*body).value_or(Json());
    emit("request", std::move(what));
    pending_ = std::move(take);
    const int number = ++sent_;
    return [this, number] {
      if (number == sent_) pending_ = nullptr;
    };
  }

  Cancel on_wake(std::function<void()> call) override {
    wake = std::move(call);
    return [] {};
  }

  void emit(const std::string& kind, Json what) { outputs[kind].emplace_back(mono_ms, std::move(what)); }

  void answer(std::variant<HttpResponse, Error> response) {
    const TakeResponse take = std::exchange(pending_, nullptr);
    if (take) take(std::move(response));
  }

  /** Runs what is due until the time, or until there is an output of the kind. */
  void advance(double to_ms, const std::string& kind) {
    while (kind.empty() || outputs[kind].empty()) {
      const auto next = timers_.begin();
      if (next == timers_.end() || next->first.first > to_ms) {
        move_to(to_ms);
        return;
      }
      const double due_ms = next->first.first;
      const std::function<void()> run = std::move(next->second);
      timers_.erase(next);
      move_to(due_ms);
      run();
    }
  }

  /** Time passes, and only the monotonic clock does not notice. */
  void sleep(double seconds) { real_ms += seconds * 1000; }

 private:
  void move_to(double to_ms) {
    if (to_ms > mono_ms) {
      real_ms += to_ms - mono_ms;
      mono_ms = to_ms;
    }
  }

  double random_;
  std::map<std::pair<double, long>, std::function<void()>> timers_;
  long last_ = 0;
  int sent_ = 0;
  TakeResponse pending_;
};

class TextStore : public Store {
 public:
  std::string text;
  std::string load() override { return text; }
  void save(const std::string& given) override { text = given; }
};

inline Json describe(const Event& event) {
  const auto at = [](Time time) { return format_time(to_ms(time)); };
  if (const auto* granted = std::get_if<Granted>(&event)) {
    Json::Object features;
    for (const auto& [name, feature] : granted->features) {
      features[name] = std::visit([](const auto& value) { return Json(value); }, feature);
    }
    return Json::Object{{"type", "granted"},
                        {"reason", granted->reason},
                        {"session_id", granted->session_id},
                        {"expires_at", at(granted->expires_at)},
                        {"features", features}};
  }
  if (const auto* waiting = std::get_if<Waiting>(&event)) {
    return Json::Object{{"type", "waiting"}, {"position", waiting->position}, {"expires_at", at(waiting->expires_at)}};
  }
  if (const auto* offline = std::get_if<Offline>(&event)) {
    return Json::Object{{"type", "offline"}, {"reason", offline->reason}, {"expires_at", at(offline->expires_at)}};
  }
  const auto& lost = std::get<Lost>(event);
  return Json::Object{{"type", "lost"}, {"reason", lost.reason}, {"final", lost.is_final}};
}

/** Runs one script: a program with a seat on a virtual machine. Throws where the keeper does something else. */
class ScriptRunner {
 public:
  ScriptRunner(const Vectors& vectors, const Json& script)
      : vectors_(vectors),
        config_(config_of(vectors, script)),
        machine_(*parse_time(*vectors.file["epoch"].string()), *config_["random"].number(), *config_["wall_ahead_ms"].number()),
        store_(std::make_shared<TextStore>()) {
    if (!script["stored"].is_null()) {
      const Json given = vectors.with_texts(script["stored"]);
      Json::Object stored = *given.object();
      stored["version"] = 1;
      stored["license_key"] = config_["license_key"];
      stored["hardware_id"] = config_["hardware_id"];
      store_->text = Json(stored).dump();
    }
    keeper_ = std::make_unique<Keeper>(options(), machine_);
    keeper_->listen([this](const Event& event) { machine_.emit("event", describe(event)); });
    keeper_->start();
  }

  void run(const Json& step) {
    const double at = *step["at"].number();
    const auto [kind, expected] = expected_by(step);
    machine_.advance(at, kind);
    if (!kind.empty()) {
      auto& found = machine_.outputs[kind];
      require(!found.empty(), "no " + kind, step);
      const auto [found_at, what] = found.front();
      found.pop_front();
      require(found_at == at && what == expected, kind + " at " + std::to_string(found_at) + ": " + what.dump(), step);
    } else if (step["answer"].is_null() && step["fail"].is_null() && step["stored"].is_null()) {
      for (const auto& [name, outputs] : machine_.outputs) require(outputs.empty(), name + " that no step has looked at", step);
    }
    act(step);
  }

 private:
  static Json config_of(const Vectors& vectors, const Json& script) {
    Json::Object config = *vectors.file["config"].object();
    if (script["config"].object() != nullptr) {
      for (const auto& [name, value] : *script["config"].object()) config[name] = value;
    }
    return config;
  }

  static void require(bool is_good, const std::string& what, const Json& step) {
    if (!is_good) throw std::runtime_error(what + " in " + step.dump());
  }

  KeeperOptions options() {
    const Json::Array& tokens = *config_["tokens"].array();
    const auto seconds = [this](const char* name) { return config_[name].number() == nullptr ? 0 : *config_[name].number(); };
    KeeperOptions given;
    given.service.base_url = *config_["base_url"].string();
    given.service.issuer = *config_["issuer"].string();
    given.service.audience = *config_["audience"].string();
    given.service.subject = {*config_["license_key"].string(), *config_["hardware_id"].string(), config_["metadata"], ""};
    given.service.token = [this, tokens](bool is_refused) {
      token_ += is_refused ? 1 : 0;
      return token_ < tokens.size() ? *tokens[token_].string() : "";
    };
    given.config = {seconds("wait_seconds"), seconds("offline_seconds"), seconds("timeout_seconds"), tokens.size() > 1};
    given.has_token = !tokens.empty();
    given.store = store_;
    given.on_first = [this](const std::optional<Error>& error) { machine_.emit("result", error ? error->code() : "granted"); };
    given.on_end = [this] { machine_.emit("ended", true); };
    return given;
  }

  std::pair<std::string, Json> expected_by(const Json& step) const {
    const Json& request = step["request"];
    if (!request.is_null()) {
      Json::Object what{{"method", request["method"]},
                        {"url", *config_["base_url"].string() + *request["path"].string()},
                        {"token", request["token"]}};
      if (!request["body"].is_null()) what["body"] = vectors_.with_texts(request["body"]);
      return {"request", what};
    }
    for (const char* kind : {"event", "result", "offline_result", "ended"}) {
      if (!step[kind].is_null()) return {kind, step[kind]};
    }
    return {"", {}};
  }

  void act(const Json& step) {
    if (!step["answer"].is_null()) {
      machine_.answer(respond(step["answer"]));
    } else if (step["fail"] == Json("connection_failed")) {
      machine_.answer(Error("connection_failed", "The connection was lost."));
    } else if (!step["call"].is_null()) {
      call(*step["call"].string(), step);
    } else if (!step["stored"].is_null()) {
      check_stored(step);
    }
    if (const auto* seconds = step["sleep_seconds"].number()) machine_.sleep(*seconds);
    if (const auto* seconds = step["wall_jump_seconds"].number()) machine_.wall_error_ms += *seconds * 1000;
    if (const auto* state = step["state"].string()) {
      require(keeper_->snapshot().second == *state, "the state is " + keeper_->snapshot().second, step);
    }
  }

  void call(const std::string& name, const Json& step) {
    if (name == "release") {
      keeper_->release();
    } else if (name == "abort") {
      keeper_->abort();
    } else if (name == "exit") {
      keeper_->exit();
    } else if (name == "wake") {
      machine_.wake();
    } else if (name == "take_offline") {
      keeper_->take_offline(*step["seconds"].number(), [this](const std::optional<Error>& error) {
        machine_.emit("offline_result", error ? error->code() : "ok");
      });
    } else {
      require(false, "unknown call", step);
    }
  }

  void check_stored(const Json& step) const {
    const Json stored = Json::parse(store_->text).value_or(Json());
    const Json::Object found{{"license_token", stored["seat"]["license_token"]}, {"activation_token", stored["activation_token"]}};
    const Json expected = vectors_.with_texts(step["stored"]);
    for (const auto& [name, value] : *expected.object()) {
      require(found.at(name) == value, "stored " + name + " is " + found.at(name).dump(), step);
    }
  }

  HttpResponse respond(const Json& answer) const {
    HttpResponse response;
    response.status = static_cast<int>(*answer["status"].number());
    response.headers = {{"content-type", "application/json"}, {"date", http_date(machine_.real_ms)}};
    if (const auto* headers = answer["headers"].object()) {
      for (const auto& [name, value] : *headers) {
        std::string lower = name;
        std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char each) { return static_cast<char>(std::tolower(each)); });
        response.headers[lower] = *value.string();
      }
    }
    if (const auto* raw = answer["raw"].string()) {
      response.body = vectors_.text(*raw);
    } else if (response.status != 204) {
      Json::Object body{{"meta", Json::Object{{"request_id", "req_1"}}}};
      for (const char* member : {"data", "error"}) {
        if (!answer[member].is_null()) body[member] = vectors_.with_texts(answer[member]);
      }
      response.body = Json(body).dump();
    }
    return response;
  }

  static std::string http_date(double ms) {
    const auto seconds = static_cast<time_t>(ms / 1000);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char text[64];
    std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts);
    return text;
  }

  const Vectors& vectors_;
  Json config_;
  VirtualMachine machine_;
  std::shared_ptr<TextStore> store_;
  std::unique_ptr<Keeper> keeper_;
  std::size_t token_ = 0;
};

}  // namespace seathold::detail
