package seathold

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
)

const unsendableToken = "The token must be printable ASCII characters without spaces."

// serviceOptions say where the service is, and what its tokens must say.
type serviceOptions struct {
	subject
	baseURL  string
	issuer   string
	audience string
	// Gets whether the service refused the last token.
	token func(isRefused bool) (string, error)
}

// service is the service as the keeper sees it: it sends requests, reads the answers, and verifies the tokens in them. It calls
// back on the keeper's thread.
type service struct {
	memory  *memory
	options serviceOptions
	runtime runtime
	clock   *serverClock
	keysMs  float64
	list    revocationList
}

func newService(options serviceOptions, runtime runtime, clock *serverClock, known *memory) *service {
	return &service{memory: known, options: options, runtime: runtime, clock: clock, keysMs: math.Inf(-1)}
}

// restore returns the seat of an earlier run, if its token is still good by what is in memory.
func (s *service) restore(stored *storedSeat) *heldSeat {
	if s.memory.revocations != "" {
		s.takeList(s.memory.revocations)
	}
	if stored == nil {
		return nil
	}
	token, sessionID, fault := s.verify(stored.LicenseToken, "")
	if fault != "" {
		return nil
	}
	return seatOf(sessionID, token, readInterval(stored.HeartbeatInterval), parseMs(stored.OfflineUntil))
}

func (s *service) verify(licenseToken, sessionID string) (*verifiedToken, string, string) {
	return verifyLicenseToken(licenseToken, s.memory.keys, expectations{
		issuer:     s.options.issuer,
		audience:   s.options.audience,
		hardwareID: s.options.hardwareID,
		sessionID:  sessionID,
		nowMs:      s.clock.nowMs(s.runtime.now()),
		revoked:    s.list.revoked,
	})
}

// takeList takes a list that is not older than the one in use. A list that is not the service's changes nothing.
func (s *service) takeList(text string) outcome {
	list, fault := verifyRevocations(text, s.memory.keys, s.options.issuer)
	if fault == "" && list.issuedAt >= s.list.issuedAt {
		s.list = *list
		s.memory.revocations = text
	}
	return listed{s.list.revoked}
}

// perform sends a request, and calls back with what became of it, unless it is canceled before.
func (s *service) perform(asked request, refreshesToken bool, take func(outcome)) (cancel func()) {
	var stop func()
	stop = s.send(asked.toHTTP(s.options.subject), refreshesToken, func(data []byte, err *Error) {
		if err != nil {
			take(readFailure(asked, err))
			return
		}
		s.read(asked, data, take, func(stopKeys func()) { stop = stopKeys })
	})
	return func() { stop() }
}

// read takes the data of a success. What has to be fetched for it is given to `fetching`, as how to cancel that.
func (s *service) read(asked request, data []byte, take func(outcome), fetching func(func())) {
	switch asked.kind {
	case revocationsRequest:
		s.withKeys(string(data), fetching, func(err *Error) {
			if err != nil {
				take(readFailure(asked, err))
			} else {
				take(s.takeList(string(data)))
			}
		})
		return
	case activateRequest:
		take(s.takeActivation(asked, data))
		return
	}
	reading := readSuccess(asked, data)
	token, isToVerify := reading.(toVerify)
	if !isToVerify {
		take(reading)
		return
	}
	s.withKeys(token.licenseToken, fetching, func(err *Error) { take(s.takeToken(asked, token, err)) })
}

func (s *service) takeActivation(asked request, data []byte) outcome {
	var activation struct {
		Token string `json:"activation_token"`
	}
	if json.Unmarshal(data, &activation) != nil || activation.Token == "" {
		return readFailure(asked, newError("unexpected_answer", "The answer has no activation token."))
	}
	s.memory.activationToken = activation.Token
	return done{}
}

// takeToken verifies the license token of an answer. `err` says why the keys could not be fetched, if they could not.
func (s *service) takeToken(asked request, reading toVerify, err *Error) outcome {
	isHeartbeat := asked.kind == heartbeatRequest
	if err != nil && !isHeartbeat {
		return readFailure(asked, err)
	}
	token, _, fault := s.verify(reading.licenseToken, reading.sessionID)
	switch {
	case isHeartbeat:
		// A token that is not good is not taken: the one that the program has stays good.
		return kept{token}
	case fault != "":
		invalid := newError("invalid_license_token", "The license token of the service is not valid: "+fault+".")
		invalid.Details = map[string]any{"reason": fault}
		return refused{invalid.Code, invalid}
	default:
		return grantedSeat{seatOf(reading.sessionID, token, reading.heartbeatInterval, reading.offlineUntilMs)}
	}
}

// withKeys fetches the keys first, at most once a minute, if the token was signed with another one.
func (s *service) withKeys(token string, fetching func(func()), then func(*Error)) {
	parsed := parseJWT(token)
	nowMs := s.runtime.now().monoMs
	if parsed == nil || findKey(s.memory.keys, parsed.header["kid"]) != nil || nowMs-s.keysMs < keysEveryMs {
		then(nil)
		return
	}
	fetching(s.send(keysRequest, false, func(data []byte, err *Error) {
		if err != nil {
			then(err)
			return
		}
		keys := parseKeySet(data)
		if len(keys) == 0 {
			then(newError("unexpected_answer", "The key set has no keys."))
			return
		}
		s.keysMs = s.runtime.now().monoMs
		s.memory.keys = keys
		then(nil)
	}))
}

// send calls back with the data of the answer, or with the error that it is.
func (s *service) send(asked httpRequest, refreshesToken bool, take func([]byte, *Error)) (cancel func()) {
	header := http.Header{"Accept": {"*/*"}}
	if asked.needsToken {
		token, err := s.token(refreshesToken)
		if err != nil {
			failure := newError("connection_failed", fmt.Sprintf("The function that returns tokens failed: %v", err))
			return s.runtime.setTimer(0, func() { take(nil, failure) })
		}
		if strings.ContainsFunc(token, isUnsendable) {
			failure := newError("invalid_argument", unsendableToken)
			return s.runtime.setTimer(0, func() { take(nil, failure) })
		}
		if token != "" {
			header.Set("Authorization", "Bearer "+token)
		}
	}
	var body []byte
	if asked.body != nil {
		header.Set("Content-Type", "application/json")
		body, _ = json.Marshal(asked.body)
	}
	var stopTimer func()
	stop := s.runtime.send(asked.method, s.options.baseURL+asked.path, header, body, func(response httpResponse, err *Error) {
		stopTimer()
		if err != nil {
			take(nil, err)
		} else {
			take(s.readTimed(asked, response))
		}
	})
	stopTimer = s.runtime.setTimer(asked.timeoutMs, func() {
		stop()
		take(nil, newError("timed_out", fmt.Sprintf("No response within %.0f ms.", asked.timeoutMs)))
	})
	return func() {
		stopTimer()
		stop()
	}
}

// readTimed reads an answer, and the time from it if it is the API's. The page of a proxy may be old, and so may a cached file.
func (s *service) readTimed(asked httpRequest, response httpResponse) ([]byte, *Error) {
	data, err := readAnswer(asked, response)
	isOurs := asked.answer == dataAnswer || asked.answer == emptyAnswer
	date, dateErr := http.ParseTime(response.header.Get("Date"))
	if isOurs && dateErr == nil && (err == nil || isOfAPI(err)) {
		s.clock.observe(float64(date.UnixMilli()), s.runtime.now())
	}
	return data, err
}

func (s *service) token(isRefused bool) (string, error) {
	if s.memory.activationToken != "" {
		return s.memory.activationToken, nil
	}
	return s.options.token(isRefused)
}

func seatOf(sessionID string, token *verifiedToken, interval, offlineUntilMs float64) *heldSeat {
	return &heldSeat{
		sessionID:         sessionID,
		licenseToken:      token.licenseToken,
		licenseID:         token.licenseID,
		features:          token.features,
		expiresAtMs:       token.expiresAtMs,
		heartbeatInterval: interval,
		offlineUntilMs:    offlineUntilMs,
	}
}

// isUnsendable reports whether a header cannot carry a character.
func isUnsendable(char rune) bool {
	return char < '!' || char > '~'
}
