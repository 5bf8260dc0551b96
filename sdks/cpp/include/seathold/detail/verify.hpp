#pragma once

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "types.hpp"

namespace seathold::detail {

using Bytes = std::string;

/** A new token may come from a service whose clock runs a little ahead. */
inline constexpr double kToleranceSeconds = 60;

/** Why a token is not good, by the words of docs/reference/seat-keeper.md. */
struct Fault { std::string reason; };

/** What a license token has to say. An empty session ID means any session. */
struct Expectations {
  std::string issuer;
  std::string audience;
  std::string hardware_id;
  std::string session_id;
  double now_ms = 0;
  const std::set<std::string>* revoked = nullptr;
};

struct RevocationList {
  double issued_at = 0;
  std::set<std::string> revoked;
};

struct ParsedToken {
  Json header;
  Json claims;
  Bytes content;
  Bytes signature;
};

/** Base64url without padding (RFC 4648 section 5), or nothing. */
inline std::optional<Bytes> decode_base64url(const std::string& text) {
  if (text.empty() || text.size() % 4 == 1) return std::nullopt;
  Bytes out;
  unsigned bits = 0, buffer = 0;
  for (const char each : text) {
    const int value = each >= 'A' && each <= 'Z'   ? each - 'A'
                      : each >= 'a' && each <= 'z' ? each - 'a' + 26
                      : each >= '0' && each <= '9' ? each - '0' + 52
                      : each == '-'                ? 62
                      : each == '_'                ? 63
                                                   : -1;
    if (value < 0) return std::nullopt;
    buffer = ((buffer << 6) | static_cast<unsigned>(value)) & 0xFFFFFF;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out += static_cast<char>((buffer >> bits) & 0xFF);
    }
  }
  return out;
}

/** The parts of a JWS in compact form (RFC 7515 section 7.1). Nothing is verified yet. */
inline std::optional<ParsedToken> parse_jwt(const std::string& text) {
  const std::size_t first = text.find('.');
  const std::size_t second = first == std::string::npos ? first : text.find('.', first + 1);
  if (second == std::string::npos || text.find('.', second + 1) != std::string::npos) return std::nullopt;
  const auto header = decode_base64url(text.substr(0, first));
  const auto claims = decode_base64url(text.substr(first + 1, second - first - 1));
  const auto signature = decode_base64url(text.substr(second + 1));
  if (!header || !claims || !signature) return std::nullopt;
  auto header_json = Json::parse(*header);
  auto claims_json = Json::parse(*claims);
  if (!header_json || !claims_json || !header_json->object() || !claims_json->object()) return std::nullopt;
  return ParsedToken{std::move(*header_json), std::move(*claims_json), text.substr(0, second), *signature};
}

/** The keys of a key set (RFC 7517 section 5). */
inline Json::Array parse_key_set(const Json& set) {
  Json::Array keys;
  if (const auto* given = set["keys"].array()) {
    for (const Json& key : *given) {
      if (key.object() != nullptr) keys.push_back(key);
    }
  }
  return keys;
}

inline const Json* find_key(const Json::Array& keys, const Json& key_id) {
  for (const Json& key : keys) {
    if (key["kid"] == key_id && key["kty"] == Json("RSA")) return &key;
  }
  return nullptr;
}

/** Verifies RSASSA-PKCS1-v1_5 with SHA-256. */
inline bool is_signed(const Json& key, const Bytes& content, const Bytes& signature) {
  const auto modulus = decode_base64url(key["n"].text_or(""));
  const auto exponent = decode_base64url(key["e"].text_or(""));
  if (!modulus || !exponent) return false;
  const auto to_number = [](const Bytes& bytes) {
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    return std::unique_ptr<BIGNUM, decltype(&BN_free)>(BN_bin2bn(data, static_cast<int>(bytes.size()), nullptr), BN_free);
  };
  const auto n = to_number(*modulus), e = to_number(*exponent);
  if (!n || !e || BN_num_bits(n.get()) < 2048) return false;
  const std::unique_ptr<OSSL_PARAM_BLD, decltype(&OSSL_PARAM_BLD_free)> builder(OSSL_PARAM_BLD_new(), OSSL_PARAM_BLD_free);
  if (!builder || OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get()) != 1 ||
      OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get()) != 1) {
    return false;
  }
  const std::unique_ptr<OSSL_PARAM, decltype(&OSSL_PARAM_free)> parameters(OSSL_PARAM_BLD_to_param(builder.get()), OSSL_PARAM_free);
  const std::unique_ptr<EVP_PKEY_CTX, decltype(&EVP_PKEY_CTX_free)> context(
      EVP_PKEY_CTX_new_from_name(nullptr, "RSA", nullptr), EVP_PKEY_CTX_free);
  EVP_PKEY* made = nullptr;
  if (!parameters || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
      EVP_PKEY_fromdata(context.get(), &made, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1) {
    return false;
  }
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> public_key(made, EVP_PKEY_free);
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> digest(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  // RSA keys are used with PKCS #1 v1.5 padding unless another is set.
  return digest && EVP_DigestVerifyInit(digest.get(), nullptr, EVP_sha256(), nullptr, public_key.get()) == 1 &&
         EVP_DigestVerify(digest.get(), reinterpret_cast<const unsigned char*>(signature.data()), signature.size(),
                          reinterpret_cast<const unsigned char*>(content.data()), content.size()) == 1;
}

inline std::variant<ParsedToken, Fault> verify_jwt(const std::string& text, const Json::Array& keys, const std::string& type) {
  auto token = parse_jwt(text);
  if (!token) return Fault{"malformed"};
  if (token->header["alg"] != Json("RS256")) return Fault{"algorithm"};
  if (token->header["typ"] != Json(type)) return Fault{"type"};
  const Json* key = find_key(keys, token->header["kid"]);
  if (key == nullptr) return Fault{"unknown_key"};
  if (!is_signed(*key, token->content, token->signature)) return Fault{"signature"};
  return std::move(*token);
}

inline std::string find_fault(const Json& claims, const Expectations& expected) {
  const double now = expected.now_ms / 1000;
  const auto* session_id = claims["jti"].string();
  const auto* license_id = claims["lic"].string();
  const auto* expires = claims["exp"].number();
  const auto* not_before = claims["nbf"].number();
  if (session_id == nullptr || license_id == nullptr || expires == nullptr) return "malformed";
  if (claims["iss"] != Json(expected.issuer)) return "issuer";
  if (claims["aud"] != Json(expected.audience)) return "audience";
  if (claims["hw"] != Json(expected.hardware_id)) return "hardware";
  if (!expected.session_id.empty() && *session_id != expected.session_id) return "session";
  if (not_before != nullptr && *not_before > now + kToleranceSeconds) return "not_yet_valid";
  if (*expires <= now) return "expired";
  const auto* revoked = expected.revoked;
  if (revoked != nullptr && (revoked->count(*session_id) > 0 || revoked->count(*license_id) > 0)) return "revoked";
  return "";
}

/** The token of a good text, or its first fault. */
inline std::variant<VerifiedToken, Fault> verify_license_token(const std::string& text, const Json::Array& keys,
                                                               const Expectations& expected) {
  auto result = verify_jwt(text, keys, "JWT");
  if (const auto* fault = std::get_if<Fault>(&result)) return *fault;
  const Json& claims = std::get<ParsedToken>(result).claims;
  const std::string reason = find_fault(claims, expected);
  if (!reason.empty()) return Fault{reason};
  VerifiedToken token{text, *claims["jti"].string(), *claims["lic"].string(), {}, *claims["exp"].number() * 1000};
  if (const auto* features = claims["features"].object()) {
    for (const auto& [name, value] : *features) {
      if (value.boolean() != nullptr) {
        token.features[name] = *value.boolean();
      } else if (value.number() != nullptr) {
        token.features[name] = *value.number();
      } else if (value.string() != nullptr) {
        token.features[name] = *value.string();
      }
    }
  }
  return token;
}

/** A list that has expired is still better than none. */
inline std::variant<RevocationList, Fault> verify_revocations(const std::string& text, const Json::Array& keys,
                                                              const std::string& issuer) {
  auto result = verify_jwt(text, keys, "revocations+jwt");
  if (const auto* fault = std::get_if<Fault>(&result)) return *fault;
  const Json& claims = std::get<ParsedToken>(result).claims;
  if (claims["iss"] != Json(issuer)) return Fault{"issuer"};
  const auto* issued_at = claims["iat"].number();
  const auto* ids = claims["revoked"].array();
  if (issued_at == nullptr || ids == nullptr) return Fault{"malformed"};
  RevocationList list{*issued_at, {}};
  for (const Json& id : *ids) {
    if (id.string() != nullptr) list.revoked.insert(*id.string());
  }
  return list;
}

}  // namespace seathold::detail
