package seathold

// config is what a seat is asked for with, as far as the rules need it. Times are in seconds, and 0 means none.
type config struct {
	waitSeconds     float64
	offlineSeconds  float64
	timeoutSeconds  float64
	canRefreshToken bool
	activation      activation
}

// activation says whether the machine is activated with the license key, because the program has no token.
type activation int

const (
	activationNone activation = iota
	activationNeeded
	activationStored
)

// heldSeat is a seat whose token was verified.
type heldSeat struct {
	sessionID         string
	licenseToken      string
	licenseID         string
	features          map[string]any
	expiresAtMs       float64
	heartbeatInterval float64
	// 0 for a seat that is not offline.
	offlineUntilMs float64
}

type requestKind string

const (
	activateRequest    requestKind = "activate"
	acquireRequest     requestKind = "acquire"
	pollRequest        requestKind = "poll"
	leaveRequest       requestKind = "leave"
	heartbeatRequest   requestKind = "heartbeat"
	releaseRequest     requestKind = "release"
	revocationsRequest requestKind = "revocations"
)

type request struct {
	kind           requestKind
	waitSeconds    float64
	offlineSeconds float64
	waitID         string
	timeoutSeconds int
	sessionID      string
}

// place is a place in the waiting list.
type place struct {
	waitID           string
	position         int
	expiresAt        string
	pollAfterSeconds float64
}

// verifiedToken is a new license token of a seat.
type verifiedToken struct {
	licenseToken string
	licenseID    string
	features     map[string]any
	expiresAtMs  float64
}

// outcome is what became of a request: one of the types that follow. Tokens in it are verified.
type outcome interface{}

type (
	grantedSeat struct{ seat *heldSeat }
	placed      struct{ place *place }
	waitEnded   struct{ status, reason string }
	// kept says that the session continues, perhaps with a new token.
	kept   struct{ token *verifiedToken }
	listed struct{ revoked map[string]bool }
	done   struct{}
	// refused stands: repeating the request changes nothing.
	refused struct {
		code string
		err  error
	}
	// failed asks for another attempt. retryAfterSeconds is negative if the service did not say when.
	failed struct {
		code              string
		retryAfterSeconds float64
		err               error
	}
)

// effect is what the rules want done: one of the types that follow.
type effect interface{}

type (
	send struct {
		id           int
		request      request
		refreshToken bool
	}
	// abandon says that the answer to this request is of no interest any more.
	abandon struct{ id int }
	// setTimer sets the timer `next` or `expiry`. A negative delay stops it.
	setTimer struct {
		name    string
		delayMs float64
	}
	tell struct {
		event Event
		seat  *heldSeat
	}
	// resolve: the first acquire succeeded.
	resolve struct{}
	// reject: the first acquire failed.
	reject struct {
		code string
		err  error
	}
	// answerOffline: TakeOffline succeeded, or failed with a code.
	answerOffline struct {
		code string
		err  error
	}
	// save: what should survive the program has changed.
	save struct{ seat *heldSeat }
	// end: nothing more will happen.
	end struct{}
)
