package seathold

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

type answerKind int

const (
	dataAnswer answerKind = iota
	jsonAnswer
	bytesAnswer
	emptyAnswer
)

// httpRequest is a request of the keeper as HTTP.
type httpRequest struct {
	method     string
	path       string
	timeoutMs  float64
	needsToken bool
	// Members that are nil are not sent.
	body   map[string]any
	answer answerKind
}

type httpResponse struct {
	status int
	header http.Header
	body   []byte
}

// subject is what the requests of one keeper have in common.
type subject struct {
	licenseKey string
	hardwareID string
	metadata   map[string]any
	// The name of the machine in the list of activations.
	name string
}

var keysRequest = httpRequest{method: http.MethodGet, path: "/.well-known/jwks.json", timeoutMs: 10_000, answer: jsonAnswer}

func (r request) toHTTP(of subject) httpRequest {
	license := map[string]any{"license_key": of.licenseKey, "hardware_id": of.hardwareID}
	wait := "/v1/licenses/waits/" + url.PathEscape(r.waitID)
	switch r.kind {
	case activateRequest:
		addText(license, "name", of.name)
		activate := post("activate", 30_000, license)
		activate.needsToken = false
		return activate
	case acquireRequest:
		if of.metadata != nil {
			license["metadata"] = of.metadata
		}
		addSeconds(license, "wait_seconds", r.waitSeconds)
		addSeconds(license, "offline_seconds", r.offlineSeconds)
		return post("acquire", 30_000, license)
	case heartbeatRequest:
		return post("heartbeat", 15_000, map[string]any{"session_id": r.sessionID})
	case releaseRequest:
		return post("release", 5_000, map[string]any{"session_id": r.sessionID})
	case revocationsRequest:
		path := "/.well-known/license-revocations.jwt"
		return httpRequest{method: http.MethodGet, path: path, timeoutMs: 10_000, answer: bytesAnswer}
	case leaveRequest:
		return httpRequest{method: http.MethodDelete, path: wait, timeoutMs: 5_000, needsToken: true, answer: emptyAnswer}
	default:
		path := wait + "?timeout=" + strconv.Itoa(r.timeoutSeconds)
		timeoutMs := float64(r.timeoutSeconds+10) * 1000
		return httpRequest{method: http.MethodGet, path: path, timeoutMs: timeoutMs, needsToken: true}
	}
}

func post(action string, timeoutMs float64, body map[string]any) httpRequest {
	path := "/v1/licenses/" + action
	return httpRequest{method: http.MethodPost, path: path, timeoutMs: timeoutMs, needsToken: true, body: body}
}

func addText(body map[string]any, name, text string) {
	if text != "" {
		body[name] = text
	}
}

func addSeconds(body map[string]any, name string, seconds float64) {
	if seconds > 0 {
		body[name] = int64(seconds)
	}
}

// readAnswer returns the data of a success: JSON text, or the body of a file. Otherwise it returns the error that the answer
// is, also where it is not an answer of Seathold.
func readAnswer(asked httpRequest, response httpResponse) ([]byte, *Error) {
	status := response.status
	switch {
	case status >= 300 && status < 400:
		redirected := newError("redirected", "The answer is a redirect, which is not followed.")
		redirected.Status = status
		return nil, redirected
	case status < 200 || status > 299:
		return nil, readRefusal(response)
	case status == http.StatusNoContent:
		return nil, nil
	case asked.answer == bytesAnswer && !strings.HasPrefix(response.header.Get("Content-Type"), "text/html"):
		return response.body, nil
	case asked.answer == jsonAnswer && json.Valid(response.body):
		return response.body, nil
	}
	var envelope map[string]json.RawMessage
	if asked.answer == emptyAnswer || json.Unmarshal(response.body, &envelope) != nil || envelope["data"] == nil {
		return nil, notOurs(response)
	}
	return envelope["data"], nil
}

func readRefusal(response httpResponse) *Error {
	var body struct {
		Error *struct {
			Code    *string        `json:"code"`
			Message *string        `json:"message"`
			Details map[string]any `json:"details"`
		} `json:"error"`
	}
	if json.Unmarshal(response.body, &body) != nil || body.Error == nil || body.Error.Code == nil || body.Error.Message == nil {
		// Its Retry-After says nothing about the service: a hotel's page may ask for more patience than a seat has.
		return notOurs(response)
	}
	retryAfter := readRetryAfter(response.header)
	details := body.Error.Details
	if seconds, ok := details["retry_after"].(float64); ok && seconds >= 0 && retryAfter < 0 {
		retryAfter = seconds
	}
	return &Error{
		Code:              *body.Error.Code,
		Message:           *body.Error.Message,
		Status:            response.status,
		Details:           details,
		RequestID:         response.header.Get("X-Request-Id"),
		retryAfterSeconds: retryAfter,
	}
}

// readRetryAfter returns seconds: of a number of them, or of a time by the answer's own clock (RFC 9110 section 10.2.3).
func readRetryAfter(header http.Header) float64 {
	value := header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return float64(seconds)
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return -1
	}
	now, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		return -1
	}
	return math.Max(0, at.Sub(now).Seconds())
}

func notOurs(response httpResponse) *Error {
	contentType := response.header.Get("Content-Type")
	message := fmt.Sprintf("The answer with status %d is not one of Seathold's (%.100s). Is the base URL right?", response.status, contentType)
	unexpected := newError("unexpected_answer", message)
	unexpected.Status = response.status
	return unexpected
}
