// Package seathold keeps a floating license seat of Seathold: it acquires the seat, sends heartbeats, survives outages, waits in
// line, goes offline, and gives the seat back.
//
//	seat, err := seathold.Acquire(ctx, seathold.Options{BaseURL: url, Token: token, LicenseKey: key})
//	if err != nil {
//		return err
//	}
//	defer seat.Release(context.Background())
//
// Every keeper behaves as docs/reference/seat-keeper.md says.
package seathold

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Options are what a seat is asked for with. BaseURL and LicenseKey are needed.
type Options struct {
	// BaseURL is where the service is; https only.
	BaseURL    string
	LicenseKey string
	// Token is an access token, API token or activation token. Without Token and TokenSource, the machine is activated with the
	// license key.
	Token string
	// TokenSource is asked before each request instead. It gets whether the service refused the last token. It is called on the
	// keeper's goroutine, so it must not wait for the seat.
	TokenSource func(isRefused bool) (string, error)
	// HardwareID is hw_ and 32 characters of a-z and 0-9. By default it is derived from the machine's own ID.
	HardwareID string
	// Metadata is what admins see with the session. `hostname` and `client_version` have columns of their own.
	Metadata map[string]any
	// Name is the name of the machine in the list of activations.
	Name string
	// Wait is how long to wait in line if all seats are in use, up to an hour. By default not at all.
	Wait time.Duration
	// Offline takes the seat for this time without heartbeats.
	Offline time.Duration
	// Timeout is how long to keep trying while the service does not answer. 30 seconds by default; negative: one attempt.
	Timeout time.Duration
	// OnEvent gets all events, also those from before there is a seat. It is called on the keeper's goroutine, so it must not
	// wait for the seat.
	OnEvent func(Event)
	// Store keeps the seat for the next run of the program, so that it starts without a network.
	Store Store
	// Issuer is the `iss` of the license tokens. By default BaseURL.
	Issuer string
	// Audience is the `aud` of the license tokens. By default `seathold-client`.
	Audience string
	// IgnoreSignals leaves SIGTERM and SIGINT to the program. By default both release the seat and then end the program, as they
	// would without it. Set it in a program that handles them itself and calls Release.
	IgnoreSignals bool
	// Client sends the requests. By default one with the default transport.
	Client *http.Client
}

// State says what a program may do.
type State string

const (
	stateAcquiring State = "acquiring"
	// Held: the program may run.
	Held State = "held"
	// IsOffline: the program may run. The service does not answer.
	IsOffline State = "offline"
	// IsLost: the program must not run. The keeper continues asking for a seat.
	IsLost State = "lost"
	// Ended: the seat was released, or lost for good.
	Ended State = "ended"
)

// Seat is a seat that keeps itself. Its methods may be called from any goroutine.
type Seat struct {
	keeper  *keeper
	runtime runtime
	ended   chan struct{}
}

// Acquire takes a seat, waiting in line for one if Wait says so. When the context ends, it gives up. The error is an *Error
// unless an option is wrong or the context has ended.
func Acquire(ctx context.Context, options Options) (*Seat, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	given, err := readOptions(options)
	if err != nil {
		return nil, err
	}
	runtime := newSystemRuntime(options.Client)
	seat := &Seat{runtime: runtime, ended: make(chan struct{})}
	first := make(chan error, 1)
	given.onFirst = func(err error) { first <- err }
	given.onEnd = func() {
		close(seat.ended)
		runtime.close()
	}
	seat.keeper, err = newKeeper(given, runtime)
	if err != nil {
		runtime.close()
		return nil, err
	}
	if options.OnEvent != nil {
		seat.keeper.listen(options.OnEvent)
	}
	if !options.IgnoreSignals {
		releaseOnSignals(seat)
	}
	runtime.post(seat.keeper.start)
	select {
	case err = <-first:
	case <-ctx.Done():
		runtime.post(func() { seat.keeper.abort(ctx.Err()) })
		err = <-first
		if err == nil {
			// There was a seat at the last moment, and it is given back.
			err = ctx.Err()
		}
	}
	if err != nil {
		return nil, err
	}
	return seat, nil
}

// SessionID is the newest session, also after it was lost.
func (s *Seat) SessionID() string { return s.last().sessionID }

// LicenseToken is the newest license token.
func (s *Seat) LicenseToken() string { return s.last().licenseToken }

// Features are what the license allows: booleans, numbers (float64) and strings.
func (s *Seat) Features() map[string]any {
	features := map[string]any{}
	for name, value := range s.last().features {
		features[name] = value
	}
	return features
}

// ExpiresAt is until when the program may run without reaching the service.
func (s *Seat) ExpiresAt() time.Time { return timeOf(s.last().expiresAtMs) }

// OfflineUntil is until when the seat needs no heartbeat. It is the zero time for a seat that is not offline.
func (s *Seat) OfflineUntil() time.Time {
	if until := s.last().offlineUntilMs; until > 0 {
		return timeOf(until)
	}
	return time.Time{}
}

// State is Held or IsOffline if the program may run.
func (s *Seat) State() State {
	_, state := s.keeper.snapshot()
	return state
}

// Ended is closed when the seat was released, or lost for good.
func (s *Seat) Ended() <-chan struct{} { return s.ended }

// OnEvent calls the listener on each event from now on, on the keeper's goroutine. It returns a function that ends that.
func (s *Seat) OnEvent(listener func(Event)) (stop func()) { return s.keeper.listen(listener) }

// TakeOffline keeps the seat for this time without heartbeats, if the license allows it.
func (s *Seat) TakeOffline(ctx context.Context, duration time.Duration) error {
	answer := make(chan error, 1)
	s.runtime.post(func() { s.keeper.takeOffline(duration.Seconds(), func(err error) { answer <- err }) })
	select {
	case err := <-answer:
		return err
	case <-s.ended:
		select {
		case err := <-answer:
			return err
		default:
			return errorOf("not_held", nil)
		}
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Release gives the seat back and stops. It returns when the service has confirmed it or cannot be reached, or when the context
// ends; the keeper then goes on trying.
func (s *Seat) Release(ctx context.Context) error {
	s.runtime.post(s.keeper.release)
	select {
	case <-s.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Seat) last() *heldSeat {
	last, _ := s.keeper.snapshot()
	return last
}

func readOptions(options Options) (keeperOptions, error) {
	base, err := url.Parse(strings.TrimRight(options.BaseURL, "/"))
	if err != nil || base.Scheme != "https" || base.Host == "" || base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return keeperOptions{}, errors.New("seathold: BaseURL must be the https address of the service, without a query")
	}
	if strings.ContainsFunc(options.Token, isUnsendable) {
		return keeperOptions{}, errors.New("seathold: Token must be printable ASCII characters without spaces")
	}
	if options.LicenseKey == "" {
		return keeperOptions{}, errors.New("seathold: LicenseKey is needed")
	}
	hardwareID := options.HardwareID
	if hardwareID == "" {
		if hardwareID, err = DeriveHardwareID(); err != nil {
			return keeperOptions{}, err
		}
	}
	if !hardwareIDForm.MatchString(hardwareID) {
		return keeperOptions{}, errors.New("seathold: HardwareID must be hw_ and 32 characters of a-z and 0-9")
	}
	source := options.TokenSource
	if source == nil {
		source = func(bool) (string, error) { return options.Token, nil }
	}
	timeout := options.Timeout
	if timeout == 0 {
		timeout = 30 * time.Second
	}
	return keeperOptions{
		service: serviceOptions{
			subject:  subject{options.LicenseKey, hardwareID, options.Metadata, options.Name},
			baseURL:  base.String(),
			issuer:   firstText(options.Issuer, base.String()),
			audience: firstText(options.Audience, "seathold-client"),
			token:    source,
		},
		config: config{
			waitSeconds:     options.Wait.Seconds(),
			offlineSeconds:  options.Offline.Seconds(),
			timeoutSeconds:  timeout.Seconds(),
			canRefreshToken: options.TokenSource != nil,
		},
		hasToken: options.Token != "" || options.TokenSource != nil,
		store:    options.Store,
	}, nil
}

func firstText(given, standard string) string {
	if given == "" {
		return standard
	}
	return given
}
