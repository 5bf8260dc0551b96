package seathold

// machine is the state machine of docs/reference/seat-keeper.md. It keeps no time and does no input or output: each method
// takes what happened and when, and returns what to do. At most one request is in flight.
type machine struct {
	*state
}

func newMachine(config config, clock *serverClock, stored *heldSeat) *machine {
	return &machine{newState(config, clock, stored)}
}

func (m *machine) start(now moment) []effect {
	m.waitUntilMs = now.monoMs + m.config.waitSeconds*1000
	if m.config.activation == activationNeeded {
		m.activate(now)
	} else {
		m.acquire(now)
	}
	return m.flush()
}

// answered: a request ended. Answers to requests that were abandoned change nothing.
func (m *machine) answered(id int, o outcome, now moment) []effect {
	flying := m.flying
	if flying != nil && flying.id == id {
		m.flying = nil
		refusal, isRefused := o.(refused)
		if isRefused && tokenRefused[refusal.code] && m.config.canRefreshToken && !flying.hasFreshToken {
			m.send(flying.request, now, true)
		} else {
			m.take(flying, o, now)
		}
	}
	return m.flush()
}

func (m *machine) timer(name string, now moment) []effect {
	if name == "next" || m.checkExpiry(now) {
		m.next(now)
	}
	return m.flush()
}

// wake: the machine may have slept, or has a network again: nothing is worth waiting for.
func (m *machine) wake(now moment) []effect {
	if m.flying != nil && (m.flying.request.kind == pollRequest || m.flying.request.kind == heartbeatRequest) {
		m.abandon()
	}
	m.next(now)
	return m.flush()
}

// release gives the seat back, or the place in line, or stops asking.
func (m *machine) release(now moment) []effect {
	if m.isReleasing || m.phase == endedPhase {
		return nil
	}
	m.isReleasing = true
	m.stopTimers()
	// The answer to an acquire may be a seat, which has to be given back.
	if m.flying == nil || m.flying.request.kind != acquireRequest {
		m.abandon()
		m.giveBack(now)
	}
	return m.flush()
}

// exit: the program ends. An offline seat stays for its next run.
func (m *machine) exit(now moment) []effect {
	if m.isReleasing || m.seat == nil || m.seat.offlineUntilMs <= m.clock.nowMs(now) {
		return m.release(now)
	}
	m.finish(false)
	return m.flush()
}

// takeOffline asks for the seat to need no heartbeat for this time.
func (m *machine) takeOffline(seconds float64, now moment) []effect {
	m.wantsOffline = seconds
	if m.phase != heldPhase || m.isReleasing {
		m.answerOffline("not_held", nil)
	} else {
		m.next(now)
	}
	return m.flush()
}

func (m *machine) next(now moment) {
	switch {
	case m.flying != nil || m.phase == endedPhase:
	case m.isReleasing:
		failures := m.failures
		m.giveBack(now)
		m.failures = failures
	case m.phase == heldPhase:
		m.continueHolding(now)
	default:
		m.continueAcquiring(now)
	}
}

func (m *machine) take(flying *inFlight, o outcome, now moment) {
	switch {
	case m.isReleasing:
		m.takeWhileReleasing(flying.request, o, now)
	case flying.request.kind == activateRequest:
		m.takeActivation(o, now)
	case flying.request.kind == heartbeatRequest:
		m.takeHeartbeat(o, now)
	case flying.request.kind == revocationsRequest:
		m.takeRevocations(o, now)
	case m.phase == heldPhase:
		m.takeOfflineAnswer(o, now)
	default:
		m.takeAcquire(flying, o, now)
	}
}

func (m *machine) giveBack(now moment) {
	m.phase = releasingPhase
	m.failures = 0
	switch {
	case m.seat != nil:
		m.send(request{kind: releaseRequest, sessionID: m.seat.sessionID}, now, false)
	case m.place != nil:
		m.send(request{kind: leaveRequest, waitID: m.place.waitID}, now, false)
	default:
		m.finish(true)
	}
}

// takeWhileReleasing takes an answer that arrives when the program no longer wants a seat.
func (m *machine) takeWhileReleasing(r request, o outcome, now moment) {
	switch o := o.(type) {
	case grantedSeat:
		m.seat = o.seat
		m.giveBack(now)
		return
	case placed:
		m.place = o.place
		m.giveBack(now)
		return
	case failed:
		// Nothing is known of a first acquire whose answer was lost. Its seat, if any, times out.
		mayRepeat := m.seat != nil || m.place != nil
		if m.failures < releaseAttempts-1 && mayRepeat {
			m.pause(backoffMs(m.fails(), mostAcquirePauseMs, now.random))
			return
		}
	case refused:
		if o.code == "conflict" && r.kind == leaveRequest {
			// It was this machine's turn at that moment. The answer names the session, which is released next.
			m.send(request{kind: pollRequest, waitID: r.waitID}, now, false)
			return
		}
	}
	m.finish(true)
}
