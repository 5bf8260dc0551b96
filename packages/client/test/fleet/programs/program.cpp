// A program of the fleet, as program.ts is.

#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <mutex>
#include <random>
#include <sstream>
#include <thread>

#include <seathold/seathold.hpp>

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

void write(const std::string& event, const std::string& more = "") {
  static std::mutex mutex;
  const std::lock_guard<std::mutex> guard(mutex);
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  std::ostringstream line;
  line << std::fixed << std::setprecision(3) << "{\"at\":" << std::chrono::duration<double, std::milli>(now).count()
       << ",\"event\":" << quoted(event) << more << "}\n";
  std::cout << line.str() << std::flush;
}

void tell(const seathold::Event& event) {
  if (const auto* granted = std::get_if<seathold::Granted>(&event)) {
    write("granted", ",\"reason\":" + quoted(granted->reason));
  } else if (const auto* waiting = std::get_if<seathold::Waiting>(&event)) {
    write("waiting", ",\"position\":" + std::to_string(waiting->position));
  } else if (const auto* offline = std::get_if<seathold::Offline>(&event)) {
    write("offline", ",\"reason\":" + quoted(offline->reason));
  } else if (const auto* lost = std::get_if<seathold::Lost>(&event)) {
    write("lost", ",\"reason\":" + quoted(lost->reason) + ",\"final\":" + (lost->is_final ? "true" : "false"));
  }
}

}  // namespace

int main() {
  std::mt19937 generator{std::random_device{}()};
  std::uniform_int_distribution<int> hold_ms(std::stoi(variable("HOLD_LEAST_MS")), std::stoi(variable("HOLD_MOST_MS")));
  seathold::Options options;
  options.base_url = variable("SEATHOLD_URL");
  options.ca_file = variable("SEATHOLD_CA_FILE");
  options.token = variable("SEATHOLD_TOKEN");
  options.license_key = variable("LICENSE_KEY");
  options.hardware_id = variable("HARDWARE_ID");
  options.wait = std::chrono::seconds(3600);
  options.timeout = std::chrono::seconds(600);
  options.on_event = tell;
  for (;;) {
    write("asking");
    try {
      const auto seat = seathold::Seat::acquire(options);
      std::this_thread::sleep_for(std::chrono::milliseconds(hold_ms(generator)));
      write("stopping");
      seat->release();
      write("released");
    } catch (const seathold::Error& error) {
      write("refused", ",\"reason\":" + quoted(error.code()));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
}
