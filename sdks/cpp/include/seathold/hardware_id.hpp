#pragma once

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

namespace seathold {

namespace detail {

inline std::string to_hex(const unsigned char* bytes, std::size_t count) {
  static const char digits[] = "0123456789abcdef";
  std::string out;
  for (std::size_t index = 0; index < count; ++index) {
    out += digits[bytes[index] >> 4];
    out += digits[bytes[index] & 15];
  }
  return out;
}

/** The hardware ID of a machine's own ID, in lower case and without white space around it. */
inline std::string hash_machine_id(const std::string& machine_id) {
  const std::string content = "seathold:hardware-id:1:" + machine_id;
  unsigned char hash[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (EVP_Digest(content.data(), content.size(), hash, &size, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("seathold: SHA-256 is not there");
  }
  return "hw_" + to_hex(hash, 16);
}

/** The machine's own ID in what its platform (linux, darwin, win32) says. */
inline std::optional<std::string> find_machine_id(const std::string& platform, const std::string& output) {
  const char* pattern = platform == "linux"    ? "^\\s*([0-9a-f]{32})\\s*$"
                        : platform == "darwin" ? "\"IOPlatformUUID\"\\s*=\\s*\"([0-9a-f-]+)\""
                                               : "\\bMachineGuid\\s+REG_SZ\\s+([0-9a-f-]+)";
  std::smatch found;
  if (!std::regex_search(output, found, std::regex(pattern, std::regex::icase))) return std::nullopt;
  std::string id = found[1];
  std::transform(id.begin(), id.end(), id.begin(), [](unsigned char each) { return static_cast<char>(std::tolower(each)); });
  return id;
}

inline std::string read_file(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline std::string run(const char* command) {
#ifdef _WIN32
  FILE* pipe = _popen(command, "r");
#else
  FILE* pipe = popen(command, "r");
#endif
  if (pipe == nullptr) return "";
  std::string output;
  std::array<char, 512> part;
  while (std::fgets(part.data(), static_cast<int>(part.size()), pipe) != nullptr) output += part.data();
#ifdef _WIN32
  _pclose(pipe);
#else
  pclose(pipe);
#endif
  return output;
}

}  // namespace detail

/**
 * The hardware ID of this machine on Linux, macOS and Windows, or nothing where its own ID cannot be read. It is a hash, so
 * that nobody learns the machine's own ID from it.
 */
inline std::optional<std::string> derive_hardware_id() {
#if defined(_WIN32)
  // A program of 32 bits would see another part of the registry without the last argument.
  const auto id = detail::find_machine_id(
      "win32", detail::run("reg query HKLM\\SOFTWARE\\Microsoft\\Cryptography /v MachineGuid /reg:64"));
#elif defined(__APPLE__)
  const auto id = detail::find_machine_id("darwin", detail::run("/usr/sbin/ioreg -rd1 -c IOPlatformExpertDevice"));
#else
  auto id = detail::find_machine_id("linux", detail::read_file("/etc/machine-id"));
  if (!id) id = detail::find_machine_id("linux", detail::read_file("/var/lib/dbus/machine-id"));
#endif
  if (!id) return std::nullopt;
  return detail::hash_machine_id(*id);
}

/** A random hardware ID, for a machine that has no ID of its own. Store it, or each run is another machine. */
inline std::string create_hardware_id() {
  unsigned char random[16];
  if (RAND_bytes(random, sizeof random) != 1) throw std::runtime_error("seathold: no random numbers");
  return "hw_" + detail::to_hex(random, sizeof random);
}

inline bool is_hardware_id(const std::string& text) {
  return text.size() == 35 && text.rfind("hw_", 0) == 0 &&
         std::all_of(text.begin() + 3, text.end(), [](char each) { return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9'); });
}

}  // namespace seathold
