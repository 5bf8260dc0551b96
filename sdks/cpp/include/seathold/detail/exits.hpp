#pragma once

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#ifndef _WIN32
#include <unistd.h>
#endif

namespace seathold::detail {

/** Gives seats back when the program ends: by `exit`, by the end of `main`, or by SIGTERM or SIGINT. */
class Exits {
 public:
  /** What a release may take. A supervisor such as systemd or Kubernetes waits longer. */
  static constexpr std::chrono::seconds kPatience{5};

  /** Begins to leave, and returns what waits for the end, at most that long. */
  using Leave = std::function<std::function<void(std::chrono::steady_clock::time_point)>()>;

  static Exits& instance() {
    // Never destroyed: the program may end in any order.
    static Exits* exits = new Exits();
    return *exits;
  }

  int add(Leave leave) {
    const std::lock_guard<std::mutex> guard(mutex_);
    leaves_[++last_] = std::move(leave);
    return last_;
  }

  void remove(int number) {
    const std::lock_guard<std::mutex> guard(mutex_);
    leaves_.erase(number);
  }

 private:
  Exits() {
    std::atexit([] { instance().leave_all(); });
#ifndef _WIN32
    listen_to_signals();
#endif
  }

  void leave_all() {
    std::map<int, Leave> leaves;
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      leaves.swap(leaves_);
    }
    std::vector<std::function<void(std::chrono::steady_clock::time_point)>> waits;
    for (auto& [number, leave] : leaves) waits.push_back(leave());
    const auto until = std::chrono::steady_clock::now() + kPatience;
    for (auto& wait : waits) wait(until);
  }

#ifndef _WIN32
  /** Where the program itself listens to a signal, it is its own affair. */
  void listen_to_signals() {
    if (::pipe(pipe_) != 0) return;
    written_end() = pipe_[1];
    bool is_listening = false;
    for (const int number : {SIGTERM, SIGINT}) {
      struct sigaction given {};
      if (::sigaction(number, nullptr, &given) != 0 || given.sa_handler != SIG_DFL) continue;
      struct sigaction ours {};
      ours.sa_handler = &Exits::receive;
      // A second signal ends the program at once.
      ours.sa_flags = SA_RESETHAND;
      is_listening = ::sigaction(number, &ours, nullptr) == 0 || is_listening;
    }
    if (is_listening) std::thread([this] { end_by_signal(); }).detach();
  }

  static void receive(int number) {
    const unsigned char byte = static_cast<unsigned char>(number);
    // Nothing else may be done in a signal handler.
    [[maybe_unused]] const ssize_t written = ::write(written_end(), &byte, 1);
  }

  static int& written_end() {
    static int end = -1;
    return end;
  }

  void end_by_signal() {
    unsigned char number = 0;
    while (::read(pipe_[0], &number, 1) != 1) {
      if (errno != EINTR) return;
    }
    leave_all();
    ::signal(number, SIG_DFL);
    ::kill(::getpid(), number);
  }

  int pipe_[2] = {-1, -1};
#endif

  std::mutex mutex_;
  std::map<int, Leave> leaves_;
  int last_ = 0;
};

}  // namespace seathold::detail
