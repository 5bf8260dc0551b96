package seathold

import (
	"sort"
	"sync"
)

var messages = map[string]string{
	"wait_expired":     "No seat became free in time.",
	"wait_canceled":    "The wait for a seat was canceled.",
	"revoked":          "The license token was revoked.",
	"not_held":         "There is no seat to take offline.",
	"ended":            "The seat has ended.",
	"offline_too_long": "The license token expired while the service could not be reached.",
	"superseded":       "Another call takes the seat offline.",
	"aborted":          "The program gave up waiting for the seat.",
}

// keeper runs the state machine of one seat: it sends its requests, keeps its timers, and tells its events. All methods but
// snapshot and listen run on the runtime's goroutine.
type keeper struct {
	runtime runtime
	service *service
	machine *machine
	clock   *serverClock
	store   Store
	onFirst func(error)
	onEnd   func()

	saved       *heldSeat
	timers      map[string]func()
	requests    map[int]func()
	offline     func(error)
	stopWatch   func()
	isFirstDone bool
	hasEnded    bool

	mutex     sync.Mutex
	last      *heldSeat
	current   State
	listeners map[int]func(Event)
	listened  int
}

// keeperOptions are what a keeper is made with.
type keeperOptions struct {
	service  serviceOptions
	config   config
	hasToken bool
	store    Store
	onFirst  func(error)
	onEnd    func()
}

func newKeeper(options keeperOptions, runtime runtime) (*keeper, error) {
	text := ""
	if options.store != nil {
		var err error
		if text, err = options.store.Load(); err != nil {
			return nil, err
		}
	}
	of := options.service.subject
	stored := parseStored(text, of.licenseKey, of.hardwareID)
	known := &memory{keys: parseKeySet([]byte(stored.Keys)), revocations: stored.Revocations}
	if !options.hasToken {
		known.activationToken = stored.ActivationToken
		options.config.activation = activationNeeded
		if known.activationToken != "" {
			options.config.activation = activationStored
		}
	}
	clock := newServerClock(runtime.now(), parseMs(stored.SeenAt))
	service := newService(options.service, runtime, clock, known)
	seat := service.restore(stored.Seat)
	return &keeper{
		runtime:   runtime,
		service:   service,
		machine:   newMachine(options.config, clock, seat),
		clock:     clock,
		store:     options.store,
		onFirst:   options.onFirst,
		onEnd:     options.onEnd,
		saved:     seat,
		timers:    map[string]func(){},
		requests:  map[int]func(){},
		listeners: map[int]func(Event){},
		current:   stateAcquiring,
	}, nil
}

func (k *keeper) start() {
	k.stopWatch = k.runtime.onWake(k.wake)
	k.run(k.machine.start(k.runtime.now()))
}

func (k *keeper) wake()    { k.run(k.machine.wake(k.runtime.now())) }
func (k *keeper) release() { k.run(k.machine.release(k.runtime.now())) }
func (k *keeper) exit()    { k.run(k.machine.exit(k.runtime.now())) }

// abort: the program no longer wants a seat.
func (k *keeper) abort(reason error) {
	k.answerFirst(reason)
	k.release()
}

func (k *keeper) takeOffline(seconds float64, answer func(error)) {
	if k.offline != nil {
		k.offline(errorOf("superseded", nil))
	}
	k.offline = answer
	k.run(k.machine.takeOffline(seconds, k.runtime.now()))
}

// listen calls the listener on each event from now on.
func (k *keeper) listen(listener func(Event)) (stop func()) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.listened++
	id := k.listened
	k.listeners[id] = listener
	return func() {
		k.mutex.Lock()
		defer k.mutex.Unlock()
		delete(k.listeners, id)
	}
}

// snapshot returns the newest seat, also after it was lost, and the state.
func (k *keeper) snapshot() (*heldSeat, State) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return k.last, k.current
}

func (k *keeper) run(effects []effect) {
	k.note(k.machine.seat)
	// What waits for an answer continues in another goroutine, and must find the seat stored.
	sort.SliceStable(effects, func(i, j int) bool { return !isAnswer(effects[i]) && isAnswer(effects[j]) })
	for _, each := range effects {
		k.do(each)
	}
}

func isAnswer(e effect) bool {
	_, is := e.(answerOffline)
	return is
}

func (k *keeper) note(seat *heldSeat) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if seat != nil {
		k.last = seat
	}
	k.current = k.stateNow()
}

func (k *keeper) stateNow() State {
	switch {
	case k.machine.phase == endedPhase:
		return Ended
	case k.machine.seat == nil && !k.machine.isSettled:
		return stateAcquiring
	case k.machine.seat == nil:
		return IsLost
	case k.machine.isOffline:
		return IsOffline
	default:
		return Held
	}
}

func (k *keeper) do(e effect) {
	switch e := e.(type) {
	case send:
		k.send(e)
	case abandon:
		if cancel := k.requests[e.id]; cancel != nil {
			delete(k.requests, e.id)
			cancel()
		}
	case setTimer:
		k.setTimer(e)
	case tell:
		k.tell(e)
	case save:
		k.saved = e.seat
		k.save()
	case resolve:
		k.answerFirst(nil)
	case reject:
		k.answerFirst(errorOf(e.code, e.err))
	case answerOffline:
		k.answerOffline(e)
	case end:
		k.end()
	}
}

func (k *keeper) send(e send) {
	before := *k.service.memory
	k.requests[e.id] = k.service.perform(e.request, e.refreshToken, func(o outcome) {
		delete(k.requests, e.id)
		k.run(k.machine.answered(e.id, o, k.runtime.now()))
		if hasChanged(before, *k.service.memory) {
			k.save()
		}
	})
}

func hasChanged(before, after memory) bool {
	sameKeys := len(before.keys) == len(after.keys) && (len(before.keys) == 0 || &before.keys[0] == &after.keys[0])
	return !sameKeys || before.revocations != after.revocations || before.activationToken != after.activationToken
}

func (k *keeper) setTimer(e setTimer) {
	if cancel := k.timers[e.name]; cancel != nil {
		delete(k.timers, e.name)
		cancel()
	}
	if e.delayMs >= 0 {
		k.timers[e.name] = k.runtime.setTimer(e.delayMs, func() { k.run(k.machine.timer(e.name, k.runtime.now())) })
	}
}

func (k *keeper) tell(e tell) {
	k.note(e.seat)
	k.mutex.Lock()
	listeners := make([]func(Event), 0, len(k.listeners))
	for id := 1; id <= k.listened; id++ {
		if listener := k.listeners[id]; listener != nil {
			listeners = append(listeners, listener)
		}
	}
	k.mutex.Unlock()
	for _, listener := range listeners {
		listener(e.event)
	}
}

func (k *keeper) answerFirst(err error) {
	if !k.isFirstDone {
		k.isFirstDone = true
		k.onFirst(err)
	}
}

func (k *keeper) answerOffline(e answerOffline) {
	answer := k.offline
	k.offline = nil
	if answer == nil {
		return
	}
	if e.code == "" {
		answer(nil)
	} else {
		answer(errorOf(e.code, e.err))
	}
}

func (k *keeper) save() {
	if k.store == nil {
		return
	}
	seenMs := k.clock.nowMs(k.runtime.now())
	// A disk that is full costs the program its next start offline, but not its seat.
	_ = k.store.Save(formatStored(k.service.options.subject, k.service.memory, seenMs, k.saved))
}

func (k *keeper) end() {
	if k.hasEnded {
		return
	}
	k.hasEnded = true
	k.stopWatch()
	k.onEnd()
}

// errorOf is the error of the API, or one of the keeper's own.
func errorOf(code string, err error) error {
	if err != nil {
		return err
	}
	message, known := messages[code]
	if !known {
		message = code
	}
	return newError(code, message)
}
