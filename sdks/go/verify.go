package seathold

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"strings"
)

// jwk is a public key as the key set of the service names it (RFC 7517).
type jwk map[string]any

// A new token may come from a service whose clock runs a little ahead.
const toleranceSeconds = 60

// expectations are what a license token has to say. An empty session ID means any session.
type expectations struct {
	issuer     string
	audience   string
	hardwareID string
	sessionID  string
	nowMs      float64
	revoked    map[string]bool
}

// revocationList is what a list says that was verified.
type revocationList struct {
	issuedAt float64
	revoked  map[string]bool
}

type parsedToken struct {
	header    map[string]any
	claims    map[string]any
	content   string
	signature []byte
}

// verifyLicenseToken returns the token of a good text, or its first fault.
func verifyLicenseToken(text string, keys []jwk, expected expectations) (*verifiedToken, string, string) {
	token, fault := verifyJWT(text, keys, "JWT")
	if fault == "" {
		fault = findFault(token.claims, expected)
	}
	if fault != "" {
		return nil, "", fault
	}
	sessionID, _ := token.claims["jti"].(string)
	licenseID, _ := token.claims["lic"].(string)
	expires, _ := token.claims["exp"].(float64)
	verified := &verifiedToken{
		licenseToken: text,
		licenseID:    licenseID,
		features:     readFeatures(token.claims["features"]),
		expiresAtMs:  expires * 1000,
	}
	return verified, sessionID, ""
}

// verifyRevocations verifies a list. One that has expired is still better than none.
func verifyRevocations(text string, keys []jwk, issuer string) (*revocationList, string) {
	token, fault := verifyJWT(text, keys, "revocations+jwt")
	if fault != "" {
		return nil, fault
	}
	if token.claims["iss"] != issuer {
		return nil, "issuer"
	}
	issuedAt, isNumber := token.claims["iat"].(float64)
	ids, isArray := token.claims["revoked"].([]any)
	if !isNumber || !isArray {
		return nil, "malformed"
	}
	revoked := map[string]bool{}
	for _, id := range ids {
		if text, ok := id.(string); ok {
			revoked[text] = true
		}
	}
	return &revocationList{issuedAt, revoked}, ""
}

// parseKeySet returns the keys of a key set (RFC 7517 section 5).
func parseKeySet(data []byte) []jwk {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if json.Unmarshal(data, &set) != nil {
		return nil
	}
	keys := []jwk{}
	for _, raw := range set.Keys {
		var key jwk
		if json.Unmarshal(raw, &key) == nil && key != nil {
			keys = append(keys, key)
		}
	}
	return keys
}

func findKey(keys []jwk, keyID any) jwk {
	for _, key := range keys {
		if key["kid"] == keyID && key["kty"] == "RSA" {
			return key
		}
	}
	return nil
}

// parseJWT reads the parts of a JWS in compact form (RFC 7515 section 7.1). Nothing is verified yet.
func parseJWT(text string) *parsedToken {
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return nil
	}
	header, claims := parseObject(parts[0]), parseObject(parts[1])
	signature, err := decodeBase64(parts[2])
	if header == nil || claims == nil || err != nil || len(signature) == 0 {
		return nil
	}
	return &parsedToken{header, claims, parts[0] + "." + parts[1], signature}
}

func verifyJWT(text string, keys []jwk, kind string) (*parsedToken, string) {
	token := parseJWT(text)
	if token == nil {
		return nil, "malformed"
	}
	if token.header["alg"] != "RS256" {
		return nil, "algorithm"
	}
	if token.header["typ"] != kind {
		return nil, "type"
	}
	key := findKey(keys, token.header["kid"])
	if key == nil {
		return nil, "unknown_key"
	}
	if !isSigned(key, token.content, token.signature) {
		return nil, "signature"
	}
	return token, ""
}

func isSigned(key jwk, content string, signature []byte) bool {
	n, _ := key["n"].(string)
	e, _ := key["e"].(string)
	modulus, err := decodeBase64(n)
	if err != nil {
		return false
	}
	exponent, err := decodeBase64(e)
	if err != nil || len(exponent) == 0 || len(exponent) > 4 {
		return false
	}
	public := rsa.PublicKey{N: new(big.Int).SetBytes(modulus), E: int(new(big.Int).SetBytes(exponent).Int64())}
	if public.N.BitLen() < 2048 {
		return false
	}
	digest := sha256.Sum256([]byte(content))
	return rsa.VerifyPKCS1v15(&public, crypto.SHA256, digest[:], signature) == nil
}

func findFault(claims map[string]any, expected expectations) string {
	now := expected.nowMs / 1000
	sessionID, hasSession := claims["jti"].(string)
	licenseID, hasLicense := claims["lic"].(string)
	expires, hasExpiry := claims["exp"].(float64)
	notBefore, hasNotBefore := claims["nbf"].(float64)
	switch {
	case !hasSession || !hasLicense || !hasExpiry:
		return "malformed"
	case claims["iss"] != expected.issuer:
		return "issuer"
	case claims["aud"] != expected.audience:
		return "audience"
	case claims["hw"] != expected.hardwareID:
		return "hardware"
	case expected.sessionID != "" && sessionID != expected.sessionID:
		return "session"
	case hasNotBefore && notBefore > now+toleranceSeconds:
		return "not_yet_valid"
	case expires <= now:
		return "expired"
	case expected.revoked[sessionID] || expected.revoked[licenseID]:
		return "revoked"
	}
	return ""
}

func readFeatures(value any) map[string]any {
	features := map[string]any{}
	members, _ := value.(map[string]any)
	for name, each := range members {
		switch each.(type) {
		case bool, float64, string:
			features[name] = each
		}
	}
	return features
}

func parseObject(part string) map[string]any {
	text, err := decodeBase64(part)
	if err != nil {
		return nil
	}
	var value map[string]any
	if json.Unmarshal(text, &value) != nil {
		return nil
	}
	return value
}

func decodeBase64(part string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(part)
}
