package seathold

import "math"

// The rules while there is no seat.

func (s *state) activate(now moment) {
	s.phase = activatingPhase
	s.mayActivateAgain = false
	s.send(request{kind: activateRequest}, now, false)
}

// continueAcquiring is what the timer `next` does while there is no seat.
func (s *state) continueAcquiring(now moment) {
	switch {
	case s.phase == activatingPhase:
		s.activate(now)
	case s.phase == waitingPhase && s.place != nil:
		timeout := pollTimeoutSeconds
		if s.isBusy {
			timeout = 0
		}
		s.send(request{kind: pollRequest, waitID: s.place.waitID, timeoutSeconds: timeout}, now, false)
	default:
		s.acquire(now)
	}
}

func (s *state) takeActivation(o outcome, now moment) {
	switch o := o.(type) {
	case done:
		s.failures = 0
		s.acquire(now)
	case failed:
		s.retryFirst(o, now)
	case refused:
		s.fail(o.code, o.err)
	}
}

// takeAcquire takes the answer to an acquire or a poll.
func (s *state) takeAcquire(asked *inFlight, o outcome, now moment) {
	switch o := o.(type) {
	case grantedSeat:
		reason := Acquired
		if s.isSettled {
			reason = Reacquired
		}
		s.grant(o.seat, reason, now)
	case placed:
		s.wait(o.place, asked, now)
	case waitEnded:
		s.takeEndOfWait(o, now)
	case failed:
		s.retry(asked.request, o, now)
	case refused:
		s.takeRefusal(asked.request, o, now)
	}
}

func (s *state) takeRefusal(r request, refusal refused, now moment) {
	isGone := r.kind == pollRequest && sessionEnded[refusal.code]
	switch {
	case isGone || (s.isSettled && refusal.code == "no_seats_available"):
		s.acquireLater(-1, now)
	case s.mayActivateAgain && tokenRefused[refusal.code]:
		s.activate(now)
	default:
		s.fail(refusal.code, refusal.err)
	}
}

func (s *state) retry(r request, failure failed, now moment) {
	switch {
	case r.kind == pollRequest && now.monoMs <= s.waitUntilMs+reservedMs:
		s.isBusy = failure.code == "service_unavailable"
		s.pause(math.Min(reservedMs/2, retryMs(failure.retryAfterSeconds, s.fails(), mostPollPauseMs, now)))
	case s.isSettled:
		s.acquireLater(failure.retryAfterSeconds, now)
	case s.stored == nil:
		s.retryFirst(failure, now)
	default:
		s.resume(s.stored, failure, now)
	}
}

// retryFirst does not keep the program waiting for a service that does not answer, before there ever was a seat.
func (s *state) retryFirst(failure failed, now moment) {
	delayMs := retryMs(failure.retryAfterSeconds, s.fails(), mostAcquirePauseMs, now)
	if now.monoMs+delayMs > s.failingSinceMs+s.config.timeoutSeconds*1000 {
		s.fail(failure.code, failure.err)
	} else {
		s.pause(delayMs)
	}
}

// acquireLater: the program that had a seat stops for now, and the keeper keeps asking for another.
func (s *state) acquireLater(retryAfterSeconds float64, now moment) {
	s.place = nil
	if s.isSettled {
		s.loseForNow()
	} else {
		s.phase = acquiringPhase
	}
	s.pause(retryMs(retryAfterSeconds, s.fails(), mostLostPauseMs, now))
}

func (s *state) wait(p *place, asked *inFlight, now moment) {
	isNew := asked.request.kind == acquireRequest
	s.failures = 0
	if s.isSettled {
		s.loseForNow()
		if isNew {
			s.waitUntilMs = now.monoMs + asked.request.waitSeconds*1000
		}
	}
	s.phase = waitingPhase
	if s.place == nil || s.place.waitID != p.waitID || s.place.position != p.position {
		s.add(tell{event: Waiting{Position: p.position, ExpiresAt: parseTime(p.expiresAt)}})
	}
	s.place = p
	switch {
	case isNew:
		s.isBusy = false
		s.continueAcquiring(now)
	case s.isBusy:
		s.isBusy = false
		s.pause(p.pollAfterSeconds * 1000)
	default:
		// A service that is about to stop answers at once.
		s.pause(leastPollMs - (now.monoMs - asked.sentMs))
	}
}

// takeEndOfWait: the wait ended without a seat. If the machine slept when it was its turn, it may join again.
func (s *state) takeEndOfWait(e waitEnded, now moment) {
	switch {
	case e.status == "canceled" && e.reason != "" && e.reason != "left":
		s.fail(e.reason, nil)
	case s.isSettled:
		s.acquireLater(-1, now)
	case e.status == "canceled":
		s.fail("wait_canceled", nil)
	case s.waitUntilMs-now.monoMs >= 1000:
		s.acquire(now)
	default:
		s.fail("wait_expired", nil)
	}
}
