package seathold

import "math"

// The rules while there is a seat.

func (s *state) tellGranted(reason GrantReason, seat *heldSeat) {
	event := Granted{
		Reason:    reason,
		SessionID: seat.sessionID,
		Features:  seat.features,
		ExpiresAt: timeOf(seat.expiresAtMs),
	}
	s.add(tell{event: event, seat: seat})
}

func (s *state) tellOffline(reason string, seat *heldSeat) {
	s.add(tell{event: Offline{Reason: reason, ExpiresAt: timeOf(seat.expiresAtMs)}, seat: seat})
}

// grant: the program has a seat.
func (s *state) grant(seat *heldSeat, reason GrantReason, now moment) {
	s.phase = heldPhase
	s.seat = seat
	s.place = nil
	s.stored = nil
	s.cause = ""
	s.isOffline = false
	s.add(save{seat})
	s.tellGranted(reason, seat)
	if !s.isSettled {
		s.isSettled = true
		s.add(resolve{})
	}
	s.checkExpiry(now)
	s.confirm(now)
}

// resume: the service cannot be reached, but a token from an earlier run of the program is still good.
func (s *state) resume(seat *heldSeat, failure failed, now moment) {
	s.phase = heldPhase
	s.seat = seat
	s.stored = nil
	s.isOffline = true
	s.isSettled = true
	s.keptMs = now.monoMs
	s.tellGranted(Resumed, seat)
	s.tellOffline(failure.code, seat)
	s.add(resolve{})
	s.failures = 0
	s.checkExpiry(now)
	s.pauseAfterFailure(seat, failure, now)
}

// continueHolding is what the timer `next` does while there is a seat.
func (s *state) continueHolding(now moment) {
	switch {
	case s.seat == nil:
	case s.wantsOffline > 0:
		s.send(request{kind: acquireRequest, offlineSeconds: s.wantsOffline}, now, false)
	case s.cause != "":
		s.acquire(now)
	default:
		s.send(request{kind: heartbeatRequest, sessionID: s.seat.sessionID}, now, false)
	}
}

func (s *state) takeHeartbeat(o outcome, now moment) {
	if s.seat == nil {
		return
	}
	switch o := o.(type) {
	case kept:
		s.keep(o.token, now)
	case failed:
		s.missHeartbeat(o, now)
	case refused:
		if !sessionEnded[o.code] {
			s.fail(o.code, o.err)
			return
		}
		s.cause = o.code
		s.failures = 0
		// Another copy of the program on this machine may have released the session, or an admin. Only the latter is listed.
		if o.code == "session_released" {
			s.send(request{kind: revocationsRequest}, now, false)
		} else {
			s.acquire(now)
		}
	}
}

func (s *state) takeRevocations(o outcome, now moment) {
	if s.seat == nil {
		return
	}
	if list, ok := o.(listed); ok {
		s.listedMs = now.monoMs
		if list.revoked[s.seat.sessionID] || list.revoked[s.seat.licenseID] {
			s.fail("revoked", nil)
			return
		}
	}
	if s.cause == "" {
		s.awaitNextHeartbeat(now)
	} else {
		s.acquire(now)
	}
}

// takeOfflineAnswer takes the answer to an acquire that was to take the seat offline. If it failed, the seat stays as it was.
func (s *state) takeOfflineAnswer(o outcome, now moment) {
	switch o := o.(type) {
	case grantedSeat:
		s.answerOffline("", nil)
		s.grant(o.seat, Renewed, now)
		return
	case failed:
		s.answerOffline(o.code, o.err)
	case refused:
		s.answerOffline(o.code, o.err)
	default:
		s.answerOffline("unexpected_answer", nil)
	}
	s.awaitNextHeartbeat(now)
}

// checkExpiry ends the seat when its token is no longer good. The timer may fire early: then it is set again.
func (s *state) checkExpiry(now moment) bool {
	if s.seat == nil {
		return false
	}
	leftMs := s.seat.expiresAtMs - s.clock.nowMs(now)
	if leftMs > 0 {
		s.add(setTimer{"expiry", math.Min(leftMs, longestTimerMs)})
		return false
	}
	if s.cause == "" {
		s.abandon()
		s.cause = "offline_too_long"
	}
	s.loseForNow()
	s.answerOffline("offline_too_long", nil)
	return true
}

func (s *state) keep(token *verifiedToken, now moment) {
	seat := *s.seat
	wasOffline := s.isOffline
	s.isOffline = false
	if token != nil {
		seat.licenseToken, seat.licenseID = token.licenseToken, token.licenseID
		seat.features, seat.expiresAtMs = token.features, token.expiresAtMs
		s.add(save{&seat})
	}
	s.seat = &seat
	if wasOffline {
		s.tellGranted(Online, &seat)
	}
	// Also because the clocks may have jumped since the timer was set.
	s.checkExpiry(now)
	s.confirm(now)
}

// confirm: the service has just confirmed the seat.
func (s *state) confirm(now moment) {
	if s.seat == nil {
		return
	}
	s.failures = 0
	s.keptMs = now.monoMs
	s.nextHeartbeatMs = now.monoMs + heartbeatDelayMs(s.seat.heartbeatInterval, now.random)
	if now.monoMs-s.listedMs >= revocationsEveryMs {
		s.send(request{kind: revocationsRequest}, now, false)
	} else {
		s.awaitNextHeartbeat(now)
	}
}

func (s *state) awaitNextHeartbeat(now moment) {
	if s.wantsOffline > 0 {
		s.continueHolding(now)
	} else {
		s.pause(s.nextHeartbeatMs - now.monoMs)
	}
}

func (s *state) missHeartbeat(failure failed, now moment) {
	seat := s.seat
	if s.checkExpiry(now) {
		s.pauseAfterFailure(seat, failure, now)
		return
	}
	// One lost request is no outage: the program is told when a heartbeat is overdue.
	if !s.isOffline && now.monoMs-s.keptMs >= seat.heartbeatInterval*1000 {
		s.isOffline = true
		s.tellOffline(failure.code, seat)
	}
	s.answerOffline(failure.code, failure.err)
	s.pauseAfterFailure(seat, failure, now)
}

func (s *state) pauseAfterFailure(seat *heldSeat, failure failed, now moment) {
	mostMs := mostHeartbeatPauseMs(seat.heartbeatInterval)
	// A busy service may name a time after which the seat would be gone.
	retryAfter := math.Min(failure.retryAfterSeconds, seat.heartbeatInterval)
	s.pause(retryMs(retryAfter, s.fails(), mostMs, now))
}
