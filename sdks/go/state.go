package seathold

import "math"

type phase int

const (
	acquiringPhase phase = iota
	activatingPhase
	waitingPhase
	heldPhase
	lostPhase
	releasingPhase
	endedPhase
)

type inFlight struct {
	id            int
	request       request
	sentMs        float64
	hasFreshToken bool
}

// state is everything that the state machine knows, and the few things that it does with it everywhere.
type state struct {
	config config
	clock  *serverClock
	phase  phase
	flying *inFlight
	seat   *heldSeat
	// A seat from an earlier run of the program, whose token is still good.
	stored *heldSeat
	place  *place
	// Requests in a row that failed, and when the first of them was sent.
	failures       int
	failingSinceMs float64
	waitUntilMs    float64
	// When the service last confirmed the seat.
	keptMs          float64
	nextHeartbeatMs float64
	listedMs        float64
	isOffline       bool
	// Whether the first acquire has succeeded.
	isSettled        bool
	mayActivateAgain bool
	// Why the session ended, until another one is granted.
	cause       string
	isReleasing bool
	// The seconds that TakeOffline asks for, or 0.
	wantsOffline float64
	// Whether the service had no room for another request that waits.
	isBusy  bool
	effects []effect
	lastID  int
}

func newState(config config, clock *serverClock, stored *heldSeat) *state {
	return &state{
		config:           config,
		clock:            clock,
		stored:           stored,
		listedMs:         math.Inf(-1),
		mayActivateAgain: config.activation == activationStored,
	}
}

func (s *state) flush() []effect {
	effects := s.effects
	s.effects = nil
	return effects
}

func (s *state) add(e effect) {
	s.effects = append(s.effects, e)
}

func (s *state) send(r request, now moment, hasFreshToken bool) {
	s.lastID++
	if s.failures == 0 {
		s.failingSinceMs = now.monoMs
	}
	s.flying = &inFlight{id: s.lastID, request: r, sentMs: now.monoMs, hasFreshToken: hasFreshToken}
	s.add(setTimer{"next", -1})
	s.add(send{s.lastID, r, hasFreshToken})
}

func (s *state) abandon() {
	if s.flying != nil {
		s.add(abandon{s.flying.id})
		s.flying = nil
	}
}

// pause waits before the next request.
func (s *state) pause(delayMs float64) {
	s.add(setTimer{"next", math.Max(0, delayMs)})
}

func (s *state) stopTimers() {
	s.add(setTimer{"next", -1})
	s.add(setTimer{"expiry", -1})
}

// fails counts a request that failed, and returns how many have in a row.
func (s *state) fails() int {
	s.failures++
	return s.failures
}

// acquire asks for a seat. All attempts before the first seat share the time for which the program wants to wait.
func (s *state) acquire(now moment) {
	wait := s.config.waitSeconds
	if wait > 0 && !s.isSettled {
		wait = math.Max(1, math.Floor((s.waitUntilMs-now.monoMs)/1000))
	}
	s.phase = acquiringPhase
	s.place = nil
	s.send(request{kind: acquireRequest, waitSeconds: wait, offlineSeconds: s.config.offlineSeconds}, now, false)
}

// fail: the program can have no seat, or must stop using the one that it had.
func (s *state) fail(code string, err error) {
	if s.isSettled {
		s.add(tell{event: Lost{Reason: code, Final: true}})
	} else {
		s.add(reject{code, err})
	}
	s.finish(true)
}

func (s *state) finish(forgets bool) {
	s.abandon()
	s.phase = endedPhase
	s.seat = nil
	s.stopTimers()
	if forgets {
		s.add(save{nil})
	}
	s.answerOffline("ended", nil)
	s.add(end{})
}

func (s *state) answerOffline(code string, err error) {
	if s.wantsOffline > 0 {
		s.wantsOffline = 0
		s.add(answerOffline{code, err})
	}
}

// loseForNow tells the program, once, that it must stop for now.
func (s *state) loseForNow() {
	if s.cause != "" && s.seat != nil {
		s.seat = nil
		s.add(tell{event: Lost{Reason: s.cause}})
		s.add(setTimer{"expiry", -1})
		s.add(save{nil})
	}
	s.phase = lostPhase
}
