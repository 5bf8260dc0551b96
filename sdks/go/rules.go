package seathold

import "math"

// Pauses and limits of docs/reference/seat-keeper.md.
const (
	mostAcquirePauseMs  = 30_000
	mostPollPauseMs     = 10_000
	mostLostPauseMs     = 60_000
	leastPollMs         = 1_000
	pollTimeoutSeconds  = 25
	revocationsEveryMs  = 600_000
	releaseAttempts     = 3
	longestTimerMs      = 86_400_000
	keysEveryMs         = 60_000
	defaultIntervalSecs = 60
	// A free seat is reserved for this time.
	reservedMs = 30_000
)

// sessionEnded: the session is gone, but the program may have another one.
var sessionEnded = map[string]bool{"session_timeout": true, "session_released": true, "not_found": true}

var tokenRefused = map[string]bool{"invalid_token": true, "token_expired": true}

// moment is the two clocks of a machine, in milliseconds, and a random number from 0 up to 1.
type moment struct {
	monoMs float64
	wallMs float64
	random float64
}

// serverClock estimates the service's time from its last answer and the machine's two clocks, whichever is faster.
type serverClock struct {
	serverMs float64
	at       moment
}

// newServerClock begins with the time of day, but never before the latest time of the service that was ever seen.
func newServerClock(at moment, seenMs float64) *serverClock {
	return &serverClock{serverMs: math.Max(at.wallMs, seenMs), at: at}
}

// observe notes the Date of an answer.
func (c *serverClock) observe(serverMs float64, at moment) {
	c.serverMs, c.at = serverMs, at
}

func (c *serverClock) nowMs(now moment) float64 {
	return c.serverMs + math.Max(0, math.Max(now.monoMs-c.at.monoMs, now.wallMs-c.at.wallMs))
}

// backoffMs is the pause before the next attempt after this many failures in a row.
func backoffMs(failures int, mostMs, random float64) float64 {
	return math.Min(mostMs, 1000*math.Pow(2, math.Min(float64(failures-1), 20))) * (0.5 + 0.5*random)
}

// retryMs is the same for a service that may say when it wants to be asked again; otherwise retryAfterSeconds is negative.
func retryMs(retryAfterSeconds float64, failures int, mostMs float64, now moment) float64 {
	if retryAfterSeconds < 0 {
		return backoffMs(failures, mostMs, now.random)
	}
	return math.Min(retryAfterSeconds, 300)*1000 + 1000*now.random
}

// heartbeatDelayMs is about half of the interval, so that one heartbeat may fail.
func heartbeatDelayMs(intervalSeconds, random float64) float64 {
	return intervalSeconds * 1000 * (0.4 + 0.2*random)
}

func mostHeartbeatPauseMs(intervalSeconds float64) float64 {
	return math.Max(1_000, math.Min(30_000, intervalSeconds*500))
}
