package seathold

import (
	"encoding/json"
	"net/http"
	"strings"
)

type output struct {
	atMs float64
	what any
}

type virtualTimer struct {
	dueMs float64
	order int
	run   func()
}

// virtualMachine is a machine with clocks that a test moves, and a network that a test answers.
type virtualMachine struct {
	monoMs      float64
	realMs      float64
	wallErrorMs float64
	random      float64
	// What the keeper did and the script has not looked at. Only outputs of one kind have an order.
	outputs map[string][]output
	pending *func(httpResponse, *Error)
	wake    func()
	timers  map[int]*virtualTimer
	order   int
}

func newVirtualMachine(epochMs, random, wallAheadMs float64) *virtualMachine {
	return &virtualMachine{
		realMs:      epochMs,
		wallErrorMs: wallAheadMs,
		random:      random,
		outputs:     map[string][]output{},
		timers:      map[int]*virtualTimer{},
	}
}

func (m *virtualMachine) now() moment {
	return moment{m.monoMs, m.realMs + m.wallErrorMs, m.random}
}

func (m *virtualMachine) setTimer(delayMs float64, run func()) func() {
	m.order++
	id := m.order
	m.timers[id] = &virtualTimer{m.monoMs + delayMs, id, run}
	return func() { delete(m.timers, id) }
}

func (m *virtualMachine) send(method, url string, header http.Header, body []byte, take func(httpResponse, *Error)) func() {
	what := map[string]any{"method": method, "url": url, "token": nil}
	if authorization := header.Get("Authorization"); authorization != "" {
		what["token"] = strings.TrimPrefix(authorization, "Bearer ")
	}
	if body != nil {
		var members any
		_ = json.Unmarshal(body, &members)
		what["body"] = members
	}
	m.emit("request", what)
	m.pending = &take
	return func() {
		if m.pending == &take {
			m.pending = nil
		}
	}
}

func (m *virtualMachine) onWake(wake func()) func() {
	m.wake = wake
	return func() {}
}

func (m *virtualMachine) post(run func()) { run() }
func (m *virtualMachine) close()          {}

func (m *virtualMachine) emit(kind string, what any) {
	m.outputs[kind] = append(m.outputs[kind], output{m.monoMs, what})
}

func (m *virtualMachine) answer(response httpResponse, err *Error) {
	if take := m.pending; take != nil {
		m.pending = nil
		(*take)(response, err)
	}
}

// advance runs what is due until the time, or until there is an output of the kind.
func (m *virtualMachine) advance(toMs float64, kind string) {
	for kind == "" || len(m.outputs[kind]) == 0 {
		next := m.nextTimer()
		if next == nil || next.dueMs > toMs {
			m.moveTo(toMs)
			return
		}
		delete(m.timers, next.order)
		m.moveTo(next.dueMs)
		next.run()
	}
}

func (m *virtualMachine) nextTimer() *virtualTimer {
	var next *virtualTimer
	for _, timer := range m.timers {
		if next == nil || timer.dueMs < next.dueMs || (timer.dueMs == next.dueMs && timer.order < next.order) {
			next = timer
		}
	}
	return next
}

// sleep: time passes, and only the monotonic clock does not notice.
func (m *virtualMachine) sleep(seconds float64) {
	m.realMs += seconds * 1000
}

func (m *virtualMachine) moveTo(monoMs float64) {
	if monoMs > m.monoMs {
		m.realMs += monoMs - m.monoMs
		m.monoMs = monoMs
	}
}
