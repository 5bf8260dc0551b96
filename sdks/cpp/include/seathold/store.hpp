#pragma once

#include <sys/stat.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#ifndef _WIN32
#include <fcntl.h>
#include <unistd.h>
#endif

namespace seathold {

/** Holds one text for the next run of the program. It contains tokens, so others must not be able to read it. */
class Store {
 public:
  virtual ~Store() = default;
  /** Returns what was saved last, or an empty text. */
  virtual std::string load() = 0;
  virtual void save(const std::string& text) = 0;
};

/** A file that only its owner can read. A crash leaves the old text or the new one, never half of one. */
class FileStore : public Store {
 public:
  explicit FileStore(std::filesystem::path path) : path_(std::move(path)) {}

  std::string load() override {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  void save(const std::string& text) override {
    if (path_.has_parent_path()) std::filesystem::create_directories(path_.parent_path());
    const std::filesystem::path fresh = path_.string() + ".new";
    write(fresh, text);
    std::filesystem::rename(fresh, path_);
  }

 private:
#ifdef _WIN32
  // The folder of a user is closed to others.
  static void write(const std::filesystem::path& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.exceptions(std::ios::failbit | std::ios::badbit);
    file << text;
  }
#else
  static void write(const std::filesystem::path& path, const std::string& text) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) throw std::filesystem::filesystem_error("cannot write", path, std::error_code(errno, std::generic_category()));
    std::size_t written = 0;
    while (written < text.size()) {
      const ssize_t count = ::write(file, text.data() + written, text.size() - written);
      if (count <= 0) break;
      written += static_cast<std::size_t>(count);
    }
    ::close(file);
    if (written < text.size()) {
      throw std::filesystem::filesystem_error("cannot write", path, std::make_error_code(std::errc::io_error));
    }
  }
#endif

  std::filesystem::path path_;
};

}  // namespace seathold
