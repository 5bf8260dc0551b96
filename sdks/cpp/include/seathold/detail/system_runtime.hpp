#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <thread>

#include "runtime.hpp"

namespace seathold::detail {

/** The machine that the program runs on: a thread with timers, and one more thread for each request. */
class SystemRuntime : public Runtime {
 public:
  explicit SystemRuntime(std::string ca_file) : ca_file_(std::move(ca_file)) {
    static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (ready != CURLE_OK) throw std::runtime_error("seathold: libcurl cannot be used");
    thread_ = std::thread([this] { loop(); });
  }

  SystemRuntime(const SystemRuntime&) = delete;
  SystemRuntime& operator=(const SystemRuntime&) = delete;

  /** Waits for what runs. Requests end early. */
  ~SystemRuntime() override {
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      is_closed_ = true;
    }
    changed_.notify_all();
    thread_.join();
    for (auto& exchange : exchanges_) {
      exchange->is_canceled = true;
      exchange->thread.join();
    }
  }

  Moment now() override {
    const auto since = [](auto time) { return std::chrono::duration<double, std::milli>(time.time_since_epoch()).count(); };
    return {since(std::chrono::steady_clock::now()), since(std::chrono::system_clock::now()), random()};
  }

  void post(std::function<void()> run) { set_timer(0, std::move(run)); }

  Cancel set_timer(double delay_ms, std::function<void()> run) override {
    const std::lock_guard<std::mutex> guard(mutex_);
    const auto due = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double, std::milli>(delay_ms));
    const auto key = std::make_pair(due, ++last_);
    timers_[key] = std::move(run);
    changed_.notify_all();
    return [this, key] {
      const std::lock_guard<std::mutex> again(mutex_);
      timers_.erase(key);
    };
  }

  Cancel send(const std::string& method, const std::string& url, const std::vector<std::string>& headers,
              const std::optional<std::string>& body, double timeout_ms, TakeResponse take) override {
    join_ended();
    auto exchange = std::make_shared<Exchange>();
    exchanges_.push_back(exchange);
    exchange->thread = std::thread([this, exchange, method, url, headers, body, timeout_ms, take = std::move(take)] {
      auto result = perform(*exchange, method, url, headers, body, timeout_ms);
      post([exchange, take, result = std::move(result)] {
        if (!exchange->is_canceled) take(result);
      });
      exchange->has_ended = true;
    });
    return [exchange] { exchange->is_canceled = true; };
  }

  /** Compares the two clocks: while a machine sleeps, the monotonic one may stand still, and timers come late. */
  Cancel on_wake(std::function<void()> wake) override {
    auto timer = std::make_shared<Cancel>();
    look_later(now(), std::move(wake), timer);
    return [timer] { (*timer)(); };
  }

 private:
  using Clock = std::chrono::steady_clock;

  struct Exchange {
    std::thread thread;
    std::atomic<bool> is_canceled{false};
    std::atomic<bool> has_ended{false};
    HttpResponse response;
  };

  static constexpr std::size_t kMostBodyBytes = 16u << 20;
  static constexpr double kLookEveryMs = 5'000;
  static constexpr double kJumpMs = 10'000;

  void look_later(Moment looked, std::function<void()> wake, const std::shared_ptr<Cancel>& timer) {
    *timer = set_timer(kLookEveryMs, [this, looked, wake = std::move(wake), timer]() mutable {
      const Moment at = now();
      const double passed = at.wall_ms - looked.wall_ms;
      const double jumped = passed - (at.mono_ms - looked.mono_ms);
      // A copy, for the next timer takes the place of this one.
      const std::function<void()> call = wake;
      look_later(at, std::move(wake), timer);
      if (std::fabs(jumped) >= kJumpMs || passed >= kLookEveryMs + kJumpMs) call();
    });
  }

  void loop() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!is_closed_) {
      const auto next = timers_.begin();
      if (next == timers_.end()) {
        changed_.wait(lock);
      } else if (next->first.first > Clock::now()) {
        const auto due = next->first.first;
        changed_.wait_until(lock, due);
      } else {
        const std::function<void()> run = std::move(next->second);
        timers_.erase(next);
        lock.unlock();
        run();
        lock.lock();
      }
    }
  }

  void join_ended() {
    for (auto each = exchanges_.begin(); each != exchanges_.end();) {
      if ((*each)->has_ended) {
        (*each)->thread.join();
        each = exchanges_.erase(each);
      } else {
        ++each;
      }
    }
  }

  double random() {
    const std::lock_guard<std::mutex> guard(mutex_);
    return std::uniform_real_distribution<double>(0, 1)(generator_);
  }

  std::variant<HttpResponse, Error> perform(Exchange& exchange, const std::string& method, const std::string& url,
                                            const std::vector<std::string>& headers, const std::optional<std::string>& body,
                                            double timeout_ms) const {
    const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(curl_easy_init(), curl_easy_cleanup);
    if (!curl) return Error("connection_failed", "libcurl cannot be used.");
    curl_slist* list = nullptr;
    for (const std::string& header : headers) list = curl_slist_append(list, header.c_str());
    const std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> lines(list, curl_slist_free_all);
    CURL* handle = curl.get();
    curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
    curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, method.c_str());
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, lines.get());
    // Redirects are not followed by default: the token would travel with them.
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(timeout_ms));
    if (!ca_file_.empty()) curl_easy_setopt(handle, CURLOPT_CAINFO, ca_file_.c_str());
    if (body) {
      curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, static_cast<long>(body->size()));
      curl_easy_setopt(handle, CURLOPT_POSTFIELDS, body->c_str());
    }
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &SystemRuntime::take_body);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &exchange.response);
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, &SystemRuntime::take_header);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, &exchange.response);
    curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, &SystemRuntime::is_over);
    curl_easy_setopt(handle, CURLOPT_XFERINFODATA, &exchange);
    const CURLcode code = curl_easy_perform(handle);
    if (code != CURLE_OK) {
      const std::string reason = curl_easy_strerror(code);
      return Error(code == CURLE_OPERATION_TIMEDOUT ? "timed_out" : "connection_failed", "The request got no answer: " + reason);
    }
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    exchange.response.status = static_cast<int>(status);
    return std::move(exchange.response);
  }

  static std::size_t take_body(char* data, std::size_t size, std::size_t count, void* response) {
    std::string& body = static_cast<HttpResponse*>(response)->body;
    if (body.size() + size * count > kMostBodyBytes) return 0;
    body.append(data, size * count);
    return size * count;
  }

  static std::size_t take_header(char* data, std::size_t size, std::size_t count, void* response) {
    const std::string line(data, size * count);
    auto& headers = static_cast<HttpResponse*>(response)->headers;
    const std::size_t colon = line.find(':');
    if (line.rfind("HTTP/", 0) == 0) {
      // Another answer follows an interim one.
      headers.clear();
    } else if (colon != std::string::npos) {
      std::string name = line.substr(0, colon);
      std::transform(name.begin(), name.end(), name.begin(), [](unsigned char each) { return static_cast<char>(std::tolower(each)); });
      const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
      const std::size_t end = line.find_last_not_of(" \t\r\n");
      headers[name] = begin == std::string::npos || begin > end ? "" : line.substr(begin, end - begin + 1);
    }
    return size * count;
  }

  static int is_over(void* exchange, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<Exchange*>(exchange)->is_canceled ? 1 : 0;
  }

  std::string ca_file_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::pair<Clock::time_point, long>, std::function<void()>> timers_;
  long last_ = 0;
  bool is_closed_ = false;
  std::mt19937_64 generator_{std::random_device{}()};
  /** Only the loop's thread touches it, until it has ended. */
  std::list<std::shared_ptr<Exchange>> exchanges_;
  std::thread thread_;
};

}  // namespace seathold::detail
