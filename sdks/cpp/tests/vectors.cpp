// Runs every vector of sdks/keeper-vectors.json. The path of the file is the first argument.

#include <fstream>
#include <iostream>
#include <sstream>

#include "script_runner.hpp"

using namespace seathold;
using namespace seathold::detail;

namespace {

int failures = 0;
int checks = 0;

void check(bool is_good, const std::string& what) {
  ++checks;
  if (!is_good) {
    ++failures;
    std::cout << "not ok: " << what << "\n";
  }
}

template <typename Result>
std::string outcome_of(const Result& result) {
  const auto* fault = std::get_if<Fault>(&result);
  return fault == nullptr ? "valid" : fault->reason;
}

Json::Array key_set(const Vectors& vectors, const Json& reference) {
  const std::string text = vectors.text(reference.is_null() ? "@keys.first" : *reference.string());
  return parse_key_set(Json::parse(text).value_or(Json()));
}

void check_tokens(const Vectors& vectors) {
  const Json& config = vectors.file["config"];
  for (const Json& vector : *vectors.file["tokens"].array()) {
    std::set<std::string> revoked;
    if (!vector["list"].is_null()) {
      const auto list = verify_revocations(vectors.text(*vector["list"].string()), key_set(vectors, {}), *config["issuer"].string());
      revoked = std::get<RevocationList>(list).revoked;
    }
    const Expectations expected{*config["issuer"].string(),        *config["audience"].string(), *config["hardware_id"].string(),
                                vector["session_id"].text_or(""), *vector["now"].number() * 1000, &revoked};
    const auto result = verify_license_token(vectors.text(*vector["token"].string()), key_set(vectors, vector["keys"]), expected);
    check(outcome_of(result) == *vector["expect"].string(), "a token " + *vector["name"].string() + ": " + outcome_of(result));
  }
}

void check_lists(const Vectors& vectors) {
  const std::string issuer = *vectors.file["config"]["issuer"].string();
  for (const Json& vector : *vectors.file["lists"].array()) {
    const std::string name = *vector["name"].string();
    const std::string list = vectors.text(*vector["list"].string());
    const auto result = verify_revocations(list, key_set(vectors, vector["keys"]), issuer);
    check(outcome_of(result) == *vector["expect"].string(), "a list " + name + ": " + outcome_of(result));
    VirtualMachine machine(0, 0.5, 0);
    ServerClock clock(machine.now(), 0);
    ServiceOptions options;
    options.issuer = issuer;
    Service service(options, machine, clock, Memory{"", key_set(vectors, {}), ""});
    if (!vector["after"].is_null()) service.take_list(vectors.text(*vector["after"].string()));
    service.memory.keys = key_set(vectors, vector["keys"]);
    const Outcome taken = service.take_list(list);
    Json::Array revoked;
    for (const std::string& id : std::get<Listed>(taken).revoked) revoked.emplace_back(id);
    check(Json(revoked) == vector["revoked"], "what is revoked after a list " + name);
  }
}

void check_hardware_ids(const Vectors& vectors) {
  for (const Json& vector : *vectors.file["hardware_ids"].array()) {
    const auto id = find_machine_id(*vector["platform"].string(), *vector["output"].string());
    check(id && *id == *vector["machine_id"].string() && hash_machine_id(*id) == *vector["hardware_id"].string(),
          "the hardware ID on " + *vector["platform"].string());
  }
}

void check_scripts(const Vectors& vectors) {
  check(vectors.file["scripts"].array()->size() > 100, "there are more than 100 scripts");
  for (const Json& script : *vectors.file["scripts"].array()) {
    try {
      ScriptRunner runner(vectors, script);
      for (const Json& step : *script["steps"].array()) runner.run(step);
      check(true, "");
    } catch (const std::exception& error) {
      check(false, *script["name"].string() + ": " + error.what());
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::cerr << "usage: vectors keeper-vectors.json\n";
    return 2;
  }
  std::ifstream file(arguments[1]);
  std::stringstream text;
  text << file.rdbuf();
  const Vectors vectors{Json::parse(text.str()).value_or(Json())};
  if (vectors.file["version"] != Json(1)) {
    std::cerr << "these vectors need a newer runner\n";
    return 2;
  }
  check_tokens(vectors);
  check_lists(vectors);
  check_hardware_ids(vectors);
  check_scripts(vectors);
  std::cout << checks - failures << " passed, " << failures << " failed\n";
  return failures == 0 ? 0 : 1;
}
