#pragma once

#include <functional>

#include "http.hpp"
#include "rules.hpp"

namespace seathold::detail {

using Cancel = std::function<void()>;
using TakeResponse = std::function<void(std::variant<HttpResponse, Error>)>;

/**
 * What a keeper needs of its machine. Everything happens on one thread: what is called back here runs after what runs now,
 * and never at the same time. Tests give a keeper a virtual machine.
 */
class Runtime {
 public:
  virtual ~Runtime() = default;
  virtual Moment now() = 0;
  virtual Cancel set_timer(double delay_ms, std::function<void()> run) = 0;
  /** The headers are whole lines. */
  virtual Cancel send(const std::string& method, const std::string& url, const std::vector<std::string>& headers,
                      const std::optional<std::string>& body, double timeout_ms, TakeResponse take) = 0;
  virtual Cancel on_wake(std::function<void()> wake) = 0;
};

}  // namespace seathold::detail
