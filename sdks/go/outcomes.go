package seathold

import "encoding/json"

// toVerify is a success whose license token is not verified yet.
type toVerify struct {
	licenseToken      string
	sessionID         string
	heartbeatInterval float64
	offlineUntilMs    float64
}

var (
	ownCodes = map[string]bool{"connection_failed": true, "timed_out": true, "redirected": true, "unexpected_answer": true}
	passing  = map[int]bool{408: true, 425: true, 429: true}
	// Conflicts that the keeper does not know may pass.
	conflicts = map[string]bool{
		"no_seats_available": true, "session_timeout": true, "session_released": true, "activation_limit_reached": true,
	}
)

// readSuccess says what the data of an answer means to the request: an outcome, or toVerify.
func readSuccess(asked request, text []byte) outcome {
	var data map[string]any
	if len(text) > 0 && json.Unmarshal(text, &data) != nil {
		data = nil
	}
	switch asked.kind {
	case heartbeatRequest:
		return readHeartbeat(asked.sessionID, data)
	case acquireRequest, pollRequest:
		return readGrant(data)
	default:
		return done{}
	}
}

// readFailure says what an error means: a refusal that stands, or an attempt that failed.
func readFailure(asked request, err *Error) outcome {
	status := err.Status
	isFinal := status >= 400 && status < 500 && !passing[status]
	if status == 409 && !conflicts[err.Code] {
		isFinal = asked.kind == leaveRequest
	}
	if isFinal && isOfAPI(err) {
		return refused{err.Code, err}
	}
	return failed{err.Code, err.retryAfterSeconds, err}
}

// isOfAPI says whether the API answered this, and neither the keeper itself nor a proxy.
func isOfAPI(err *Error) bool {
	return !ownCodes[err.Code]
}

func readHeartbeat(expected string, data map[string]any) outcome {
	if data["session_id"] != expected {
		return unexpected()
	}
	if token, ok := data["license_token"].(string); ok {
		return toVerify{licenseToken: token, sessionID: expected}
	}
	return kept{}
}

func readGrant(data map[string]any) outcome {
	sessionID, hasSession := data["session_id"].(string)
	token, hasToken := data["license_token"].(string)
	if hasSession && hasToken {
		return toVerify{token, sessionID, readInterval(data["heartbeat_interval"]), parseMs(data["offline_until"])}
	}
	if status := data["status"]; status == "expired" || status == "canceled" {
		reason, _ := data["reason"].(string)
		return waitEnded{status.(string), reason}
	}
	waitID, hasWait := data["wait_id"].(string)
	position, hasPosition := data["position"].(float64)
	expiresAt, hasExpiry := data["expires_at"].(string)
	if !hasWait || !hasPosition || !hasExpiry {
		return unexpected()
	}
	pollAfter, ok := data["poll_after_seconds"].(float64)
	if !ok {
		pollAfter = 1
	}
	return placed{&place{waitID, int(position), expiresAt, pollAfter}}
}

func readInterval(value any) float64 {
	if interval, ok := value.(float64); ok && interval >= 1 {
		return interval
	}
	return defaultIntervalSecs
}

func unexpected() outcome {
	err := newError("unexpected_answer", "The response lacks a required field.")
	return failed{err.Code, -1, err}
}
