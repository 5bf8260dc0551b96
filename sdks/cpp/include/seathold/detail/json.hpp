#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace seathold {

/** A JSON value (RFC 8259), as far as the keeper needs it. Numbers are doubles. */
class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::map<std::string, Json>;

  Json() = default;
  Json(std::nullptr_t) {}
  Json(bool value) : value_(value) {}
  Json(double value) : value_(value) {}
  Json(int value) : value_(static_cast<double>(value)) {}
  Json(std::int64_t value) : value_(static_cast<double>(value)) {}
  Json(const char* value) : value_(std::string(value)) {}
  Json(std::string value) : value_(std::move(value)) {}
  Json(Array value) : value_(std::move(value)) {}
  Json(Object value) : value_(std::move(value)) {}

  /** The value of a text, or nothing if the text is not JSON. */
  static std::optional<Json> parse(const std::string& text);

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  const bool* boolean() const { return std::get_if<bool>(&value_); }
  const double* number() const { return std::get_if<double>(&value_); }
  const std::string* string() const { return std::get_if<std::string>(&value_); }
  const Array* array() const { return std::get_if<Array>(&value_); }
  const Object* object() const { return std::get_if<Object>(&value_); }

  /** The member of an object, or null. */
  const Json& operator[](const std::string& name) const {
    static const Json nothing;
    const Object* members = object();
    if (members == nullptr) return nothing;
    auto found = members->find(name);
    return found == members->end() ? nothing : found->second;
  }

  std::string text_or(const std::string& fallback) const {
    return string() == nullptr ? fallback : *string();
  }

  std::string dump() const {
    std::string out;
    write(out);
    return out;
  }

  friend bool operator==(const Json& one, const Json& other) { return one.value_ == other.value_; }
  friend bool operator!=(const Json& one, const Json& other) { return !(one == other); }

 private:
  class Reader;

  void write(std::string& out) const;
  static void write_text(const std::string& text, std::string& out);

  std::variant<std::monostate, bool, double, std::string, Array, Object> value_;
};

class Json::Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  std::optional<Json> document() {
    Json value;
    if (!read(value, 0)) return std::nullopt;
    skip();
    return at_ == text_.size() ? std::optional<Json>(std::move(value)) : std::nullopt;
  }

 private:
  static constexpr int kMostDepth = 64;

  bool read(Json& into, int depth) {
    skip();
    if (at_ >= text_.size() || depth > kMostDepth) return false;
    switch (text_[at_]) {
      case '{': return object(into, depth);
      case '[': return array(into, depth);
      case '"': return string(into);
      case 't': into = Json(true); return word("true");
      case 'f': into = Json(false); return word("false");
      case 'n': into = Json(); return word("null");
      default: return number(into);
    }
  }

  bool object(Json& into, int depth) {
    Object members;
    ++at_;
    skip();
    if (take('}')) {
      into = Json(std::move(members));
      return true;
    }
    do {
      skip();
      Json name, value;
      if (at_ >= text_.size() || text_[at_] != '"' || !string(name)) return false;
      skip();
      if (!take(':') || !read(value, depth + 1)) return false;
      members[*name.string()] = std::move(value);
      skip();
    } while (take(','));
    into = Json(std::move(members));
    return take('}');
  }

  bool array(Json& into, int depth) {
    Array items;
    ++at_;
    skip();
    if (take(']')) {
      into = Json(std::move(items));
      return true;
    }
    do {
      Json item;
      if (!read(item, depth + 1)) return false;
      items.push_back(std::move(item));
      skip();
    } while (take(','));
    into = Json(std::move(items));
    return take(']');
  }

  bool string(Json& into) {
    std::string out;
    for (++at_; at_ < text_.size(); ++at_) {
      const char each = text_[at_];
      if (each == '"') {
        ++at_;
        into = Json(std::move(out));
        return true;
      }
      if (static_cast<unsigned char>(each) < 0x20) return false;
      if (each != '\\') {
        out += each;
      } else if (!escape(out)) {
        return false;
      }
    }
    return false;
  }

  bool escape(std::string& out) {
    if (++at_ >= text_.size()) return false;
    switch (text_[at_]) {
      case '"': out += '"'; return true;
      case '\\': out += '\\'; return true;
      case '/': out += '/'; return true;
      case 'b': out += '\b'; return true;
      case 'f': out += '\f'; return true;
      case 'n': out += '\n'; return true;
      case 'r': out += '\r'; return true;
      case 't': out += '\t'; return true;
      case 'u': return unicode(out);
      default: return false;
    }
  }

  bool unicode(std::string& out) {
    std::uint32_t code = 0;
    if (!hex(code)) return false;
    if (code >= 0xD800 && code < 0xDC00) {
      std::uint32_t low = 0;
      if (text_.compare(at_ + 1, 2, "\\u") != 0) return false;
      at_ += 2;
      if (!hex(low) || low < 0xDC00 || low > 0xDFFF) return false;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code >= 0xDC00 && code <= 0xDFFF) {
      return false;
    }
    append(code, out);
    return true;
  }

  /** Reads four digits, and ends at the last of them. */
  bool hex(std::uint32_t& code) {
    if (at_ + 4 >= text_.size()) return false;
    code = 0;
    for (int digit = 0; digit < 4; ++digit) {
      const char each = text_[++at_];
      const int value = each >= '0' && each <= '9'   ? each - '0'
                        : each >= 'a' && each <= 'f' ? each - 'a' + 10
                        : each >= 'A' && each <= 'F' ? each - 'A' + 10
                                                     : -1;
      if (value < 0) return false;
      code = code * 16 + static_cast<std::uint32_t>(value);
    }
    return true;
  }

  static void append(std::uint32_t code, std::string& out) {
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xC0 | (code >> 6));
      out += static_cast<char>(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
      out += static_cast<char>(0xE0 | (code >> 12));
      out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
      out += static_cast<char>(0x80 | (code & 0x3F));
    } else {
      out += static_cast<char>(0xF0 | (code >> 18));
      out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
      out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
      out += static_cast<char>(0x80 | (code & 0x3F));
    }
  }

  bool number(Json& into) {
    const std::size_t begin = at_;
    take('-');
    if (!take('0') && !digits()) return false;
    if (take('.') && !digits()) return false;
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      if (!digits()) return false;
    }
    into = Json(std::strtod(text_.substr(begin, at_ - begin).c_str(), nullptr));
    return true;
  }

  bool digits() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    return at_ > begin;
  }

  bool word(const std::string& expected) {
    if (text_.compare(at_, expected.size(), expected) != 0) return false;
    at_ += expected.size();
    return true;
  }

  bool take(char expected) {
    if (at_ >= text_.size() || text_[at_] != expected) return false;
    ++at_;
    return true;
  }

  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) {
      ++at_;
    }
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

inline std::optional<Json> Json::parse(const std::string& text) {
  return Reader(text).document();
}

inline void Json::write_text(const std::string& text, std::string& out) {
  out += '"';
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if (each == '"' || each == '\\') {
      out += '\\';
      out += each;
    } else if (byte < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", byte);
      out += escaped;
    } else {
      out += each;
    }
  }
  out += '"';
}

inline void Json::write(std::string& out) const {
  if (is_null()) {
    out += "null";
  } else if (boolean() != nullptr) {
    out += *boolean() ? "true" : "false";
  } else if (number() != nullptr) {
    char text[32];
    const double value = *number();
    const bool is_whole = std::floor(value) == value && std::fabs(value) < 1e15;
    std::snprintf(text, sizeof text, is_whole ? "%.0f" : "%.17g", value);
    out += text;
  } else if (string() != nullptr) {
    write_text(*string(), out);
  } else if (array() != nullptr) {
    const char* before = "[";
    for (const Json& item : *array()) {
      out += before;
      item.write(out);
      before = ",";
    }
    out += array()->empty() ? "[]" : "]";
  } else {
    const char* before = "{";
    for (const auto& [name, value] : *object()) {
      out += before;
      write_text(name, out);
      out += ':';
      value.write(out);
      before = ",";
    }
    out += object()->empty() ? "{}" : "}";
  }
}

}  // namespace seathold
