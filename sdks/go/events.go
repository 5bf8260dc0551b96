package seathold

import "time"

// Event is what a program is told about its seat: Granted, Waiting, Offline or Lost.
type Event interface{ isEvent() }

// GrantReason says why the program may run.
type GrantReason string

const (
	// Acquired: the first acquire succeeded.
	Acquired GrantReason = "acquired"
	// Reacquired: the session had ended, and there is another one.
	Reacquired GrantReason = "reacquired"
	// Resumed: the service cannot be reached, and the stored seat of an earlier run is still good.
	Resumed GrantReason = "resumed"
	// Online: the service answers again.
	Online GrantReason = "online"
	// Renewed: TakeOffline succeeded.
	Renewed GrantReason = "renewed"
)

// Granted: the program may run.
type Granted struct {
	Reason    GrantReason
	SessionID string
	// Booleans, numbers (float64) and strings.
	Features  map[string]any
	ExpiresAt time.Time
}

// Waiting is the place in the waiting list. It is told again when it changes.
type Waiting struct {
	Position  int
	ExpiresAt time.Time
}

// Offline: the service does not answer. The program may run until ExpiresAt. Reason is the code of the failure.
type Offline struct {
	Reason    string
	ExpiresAt time.Time
}

// Lost: the program must stop. If it is not final, the keeper goes on trying, and Granted follows if it succeeds.
type Lost struct {
	Reason string
	Final  bool
}

func (Granted) isEvent() {}
func (Waiting) isEvent() {}
func (Offline) isEvent() {}
func (Lost) isEvent()    {}

// Error is a refusal of the API, or a failure of the connection.
type Error struct {
	// Code is that of the API, for example no_seats_available, or connection_failed, timed_out, redirected, unexpected_answer,
	// invalid_license_token, wait_expired, wait_canceled, not_held, ended.
	Code    string
	Message string
	// Status is the HTTP status; 0 if the API did not answer.
	Status    int
	Details   map[string]any
	RequestID string
	// Seconds until the service wants to be asked again; negative if it did not say.
	retryAfterSeconds float64
}

func (e *Error) Error() string {
	return "seathold: " + e.Message + " (" + e.Code + ")"
}

func newError(code, message string) *Error {
	return &Error{Code: code, Message: message, retryAfterSeconds: -1}
}

const apiTime = "2006-01-02T15:04:05.000Z"

func timeOf(ms float64) time.Time {
	return time.UnixMilli(int64(ms)).UTC()
}

// parseTime reads a time as the API writes it. Anything else is the zero time.
func parseTime(text string) time.Time {
	read, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}
	}
	return read.UTC()
}

// parseMs is the same in milliseconds since 1970, and 0 for anything else.
func parseMs(value any) float64 {
	text, _ := value.(string)
	read := parseTime(text)
	if read.IsZero() {
		return 0
	}
	return float64(read.UnixMilli())
}
