// A keeper and a real service, where SEATHOLD_URL names one. See CONTRIBUTING.md, `npm run test:sdks`.

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <iostream>

#include "../include/seathold/seathold.hpp"

using seathold::Seat;

namespace {

int failures = 0;

void check(bool is_good, const std::string& what) {
  std::cout << (is_good ? "ok: " : "not ok: ") << what << std::endl;
  failures += is_good ? 0 : 1;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

seathold::Options options() {
  seathold::Options given;
  given.base_url = variable("SEATHOLD_URL");
  given.ca_file = variable("SEATHOLD_CA_FILE");
  given.token = variable("SEATHOLD_TOKEN");
  given.license_key = variable("SEATHOLD_LICENSE_KEY");
  given.hardware_id = seathold::create_hardware_id();
  return given;
}

std::string code_of(const seathold::Options& given) {
  try {
    Seat::acquire(given);
    return "granted";
  } catch (const seathold::Error& error) {
    return error.code();
  }
}

void acquires_and_gives_back() {
  auto given = options();
  std::string reason;
  given.on_event = [&reason](const seathold::Event& event) {
    if (const auto* granted = std::get_if<seathold::Granted>(&event)) reason = granted->reason;
  };
  auto seat = Seat::acquire(given);
  check(seat->state() == "held" && reason == "acquired" && seat->session_id().rfind("sess_", 0) == 0, "a seat is acquired");
  check(seat->features().count("ai_assistance") == 1 && !seat->offline_until(), "its features are those of the license");
  seat->release();
  check(seat->state() == "ended", "a seat is given back");
}

void refuses_a_token_with_a_line_break() {
  auto given = options();
  const std::string token = given.token + "\n";
  given.token = token;
  bool is_refused = false;
  try {
    Seat::acquire(given);
  } catch (const std::invalid_argument&) {
    is_refused = true;
  }
  check(is_refused, "a token with a line break is refused");
  given.token = "";
  given.token_source = [token](bool) { return token; };
  given.timeout = std::chrono::seconds(0);
  check(code_of(given) == "invalid_argument", "a token with a line break from a function is refused");
}

void waits_in_line() {
  auto first = Seat::acquire(options());
  auto second = Seat::acquire(options());
  check(code_of(options()) == "no_seats_available", "a full license refuses");
  auto given = options();
  given.wait = std::chrono::seconds(60);
  std::thread release;
  given.on_event = [&](const seathold::Event& event) {
    if (std::holds_alternative<seathold::Waiting>(event)) release = std::thread([&first] { first->release(); });
  };
  auto third = Seat::acquire(given);
  release.join();
  check(third->state() == "held", "a program that waits gets the next seat");
  std::atomic<bool> gives_up{false};
  auto impatient = options();
  impatient.wait = std::chrono::seconds(60);
  impatient.on_event = [&gives_up](const seathold::Event&) { gives_up = true; };
  impatient.is_canceled = [&gives_up] { return gives_up.load(); };
  check(code_of(impatient) == "aborted", "a program that gives up leaves the line");
}

void goes_offline() {
  const auto path = std::filesystem::temp_directory_path() / ("seathold-live-" + std::to_string(::getpid()) + ".json");
  auto given = options();
  given.store = std::make_shared<seathold::FileStore>(path);
  auto seat = Seat::acquire(given);
  seat->take_offline(std::chrono::seconds(600));
  check(seat->offline_until().has_value(), "a seat goes offline");
  const auto mode = std::filesystem::status(path).permissions();
  check(mode == (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write), "only the owner can read the stored seat");
  // Nobody answers at this port, so the next run has only what the first one stored.
  auto next = given;
  next.issuer = given.base_url;
  next.base_url = "https://localhost:1";
  {
    auto resumed = Seat::acquire(next);
    check(resumed->session_id() == seat->session_id() && resumed->state() == "offline", "the next run finds the seat without a network");
  }
  seat.reset();
  std::filesystem::remove(path);
}

void activates_by_key() {
  auto given = options();
  given.token.clear();
  given.license_key = variable("SEATHOLD_ACTIVATION_KEY");
  given.name = "render node";
  check(Seat::acquire(given)->state() == "held", "a machine is activated with the license key");
}

/** The program is this one again, since a fork has no threads. */
void gives_back_at_the_end(const char* self, const std::string& end) {
  const auto given = options();
  int pipe[2];
  if (::pipe(pipe) != 0) std::abort();
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(pipe[1], STDOUT_FILENO);
    ::execl(self, self, "hold", given.hardware_id.c_str(), end.c_str(), nullptr);
    std::_Exit(127);
  }
  ::close(pipe[1]);
  std::string session_id;
  for (char each = 0; ::read(pipe[0], &each, 1) == 1 && each != '\n';) session_id += each;
  if (end == "sigterm") ::kill(child, SIGTERM);
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(pipe[0]);
  const bool has_ended = end == "sigterm" ? WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM : WIFEXITED(status) && WEXITSTATUS(status) == 0;
  // The same machine would get the session that it has, if it still had one.
  const auto seat = Seat::acquire(given);
  check(has_ended && !session_id.empty() && seat->session_id() != session_id, "a program that ends by " + end + " gives its seat back");
}

int hold(const std::string& hardware_id, const std::string& end) {
  auto given = options();
  given.hardware_id = hardware_id;
  // Never deleted, so only the end of the program can give it back.
  static Seat* seat = Seat::acquire(given).release();
  std::cout << seat->session_id() << std::endl;
  if (end == "sigterm") std::this_thread::sleep_for(std::chrono::seconds(60));
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (variable("SEATHOLD_URL").empty()) {
    std::cout << "left out, because SEATHOLD_URL names no service" << std::endl;
    return 0;
  }
  if (count == 4) return hold(arguments[2], arguments[3]);
  acquires_and_gives_back();
  refuses_a_token_with_a_line_break();
  waits_in_line();
  goes_offline();
  activates_by_key();
  gives_back_at_the_end(arguments[0], "exit");
  gives_back_at_the_end(arguments[0], "sigterm");
  return failures == 0 ? 0 : 1;
}
