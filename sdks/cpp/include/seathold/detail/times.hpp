#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

namespace seathold {

using Time = std::chrono::system_clock::time_point;

namespace detail {

inline Time to_time(double ms) {
  return Time(std::chrono::duration_cast<Time::duration>(std::chrono::milliseconds(static_cast<std::int64_t>(ms))));
}

inline double to_ms(Time time) {
  return static_cast<double>(
      std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count());
}

/** Days from 1970-01-01 in the Gregorian calendar. */
inline std::int64_t days_from_civil(std::int64_t year, unsigned month, unsigned day) {
  year -= month <= 2 ? 1 : 0;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const auto year_of_era = static_cast<unsigned>(year - era * 400);
  const unsigned day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const unsigned day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + static_cast<std::int64_t>(day_of_era) - 719468;
}

/** ISO 8601 in UTC with milliseconds, as the API writes it. */
inline std::string format_time(double ms) {
  const auto whole = static_cast<std::int64_t>(std::floor(ms));
  const std::int64_t days = (whole >= 0 ? whole : whole - 86399999) / 86400000;
  const std::int64_t of_day = whole - days * 86400000;
  const std::int64_t shifted = days + 719468;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  const auto day_of_era = static_cast<unsigned>(shifted - era * 146097);
  const unsigned year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const unsigned day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const unsigned shifted_month = (5 * day_of_year + 2) / 153;
  const unsigned day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
  const unsigned month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  const std::int64_t year = static_cast<std::int64_t>(year_of_era) + era * 400 + (month <= 2 ? 1 : 0);
  char text[64];
  std::snprintf(text, sizeof text, "%04lld-%02u-%02uT%02lld:%02lld:%02lld.%03lldZ", static_cast<long long>(year), month,
                day, static_cast<long long>(of_day / 3600000), static_cast<long long>(of_day / 60000 % 60),
                static_cast<long long>(of_day / 1000 % 60), static_cast<long long>(of_day % 1000));
  return text;
}

/** Milliseconds since 1970 of a time as the API writes it, or nothing. */
inline std::optional<double> parse_time(const std::string& text) {
  int year = 0, hour = 0, minute = 0, read = 0;
  unsigned month = 0, day = 0;
  double second = 0;
  const int found = std::sscanf(text.c_str(), "%4d-%2u-%2uT%2d:%2d:%lf%n", &year, &month, &day, &hour, &minute, &second, &read);
  if (found != 6 || text.substr(static_cast<std::size_t>(read)) != "Z" || month < 1 || month > 12) return std::nullopt;
  const double seconds = static_cast<double>(days_from_civil(year, month, day) * 86400 + hour * 3600 + minute * 60);
  return seconds * 1000 + std::round(second * 1000);
}

}  // namespace detail
}  // namespace seathold
