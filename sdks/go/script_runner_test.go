package seathold

import (
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"testing"
	"time"
)

type textStore struct{ text string }

func (s *textStore) Load() (string, error)  { return s.text, nil }
func (s *textStore) Save(text string) error { s.text = text; return nil }

// scriptRunner runs one script of the vectors: a program with a seat on a virtual machine.
type scriptRunner struct {
	t       *testing.T
	config  vectorConfig
	machine *virtualMachine
	store   *textStore
	keeper  *keeper
	token   int
}

func newScriptRunner(t *testing.T, script vectorScript) *scriptRunner {
	config := configOf(script)
	r := &scriptRunner{t: t, config: config, store: &textStore{}}
	r.machine = newVirtualMachine(parseMs(vectors.Epoch), config.Random, config.WallAheadMs)
	if script.Stored != nil {
		stored := withTexts(script.Stored).(map[string]any)
		stored["version"], stored["license_key"], stored["hardware_id"] = 1, config.LicenseKey, config.HardwareID
		text, _ := json.Marshal(stored)
		r.store.text = string(text)
	}
	made, err := newKeeper(r.options(), r.machine)
	if err != nil {
		t.Fatal(err)
	}
	r.keeper = made
	r.keeper.listen(func(event Event) { r.machine.emit("event", describe(event)) })
	r.keeper.start()
	return r
}

func (r *scriptRunner) options() keeperOptions {
	c := r.config
	return keeperOptions{
		service: serviceOptions{
			subject:  subject{c.LicenseKey, c.HardwareID, c.Metadata, ""},
			baseURL:  c.BaseURL,
			issuer:   c.Issuer,
			audience: c.Audience,
			token:    r.nextToken,
		},
		config:   config{c.WaitSeconds, c.OfflineSeconds, c.TimeoutSeconds, len(c.Tokens) > 1, activationNone},
		hasToken: len(c.Tokens) > 0,
		store:    r.store,
		onFirst:  func(err error) { r.machine.emit("result", codeOf(err, "granted")) },
		onEnd:    func() { r.machine.emit("ended", true) },
	}
}

func (r *scriptRunner) nextToken(isRefused bool) (string, error) {
	if isRefused {
		r.token++
	}
	if r.token < len(r.config.Tokens) {
		return r.config.Tokens[r.token], nil
	}
	return "", nil
}

func (r *scriptRunner) run(step map[string]any) {
	r.t.Helper()
	at := step["at"].(float64)
	kind, what := r.expectedBy(step)
	r.machine.advance(at, kind)
	if kind != "" {
		found := r.machine.outputs[kind]
		if len(found) == 0 {
			r.t.Fatalf("no %s by %v ms: %v", kind, at, step)
		}
		r.machine.outputs[kind] = found[1:]
		if found[0].atMs != at || !reflect.DeepEqual(found[0].what, what) {
			r.t.Fatalf("%s at %v ms: %v, not %v at %v ms", kind, found[0].atMs, found[0].what, what, at)
		}
	} else if step["answer"] == nil && step["fail"] == nil && step["stored"] == nil {
		for kind, outputs := range r.machine.outputs {
			if len(outputs) > 0 {
				r.t.Fatalf("%s by %v ms that no step has looked at: %v", kind, at, outputs)
			}
		}
	}
	r.act(step)
}

func (r *scriptRunner) expectedBy(step map[string]any) (string, any) {
	if request, ok := step["request"].(map[string]any); ok {
		what := map[string]any{
			"method": request["method"], "url": r.config.BaseURL + request["path"].(string), "token": request["token"],
		}
		if body, ok := request["body"]; ok {
			what["body"] = withTexts(body)
		}
		return "request", what
	}
	for _, kind := range []string{"event", "result", "offline_result", "ended"} {
		if what, ok := step[kind]; ok {
			return kind, what
		}
	}
	return "", nil
}

func (r *scriptRunner) act(step map[string]any) {
	r.t.Helper()
	if answer, ok := step["answer"].(map[string]any); ok {
		r.machine.answer(r.respond(answer), nil)
	} else if step["fail"] == "connection_failed" {
		r.machine.answer(httpResponse{}, newError("connection_failed", "The connection was lost."))
	} else if call, ok := step["call"].(string); ok {
		r.call(call, step)
	} else if stored, ok := step["stored"].(map[string]any); ok {
		r.checkStored(withTexts(stored).(map[string]any))
	}
	if seconds, ok := step["sleep_seconds"].(float64); ok {
		r.machine.sleep(seconds)
	}
	if seconds, ok := step["wall_jump_seconds"].(float64); ok {
		r.machine.wallErrorMs += seconds * 1000
	}
	if state, ok := step["state"].(string); ok {
		if _, found := r.keeper.snapshot(); string(found) != state {
			r.t.Fatalf("the state is %s, not %s", found, state)
		}
	}
}

func (r *scriptRunner) call(name string, step map[string]any) {
	switch name {
	case "release":
		r.keeper.release()
	case "abort":
		r.keeper.abort(newError("aborted", "Aborted."))
	case "exit":
		r.keeper.exit()
	case "wake":
		r.machine.wake()
	case "take_offline":
		r.keeper.takeOffline(step["seconds"].(float64), func(err error) {
			r.machine.emit("offline_result", codeOf(err, "ok"))
		})
	default:
		r.t.Fatalf("unknown call %s", name)
	}
}

func (r *scriptRunner) checkStored(expected map[string]any) {
	r.t.Helper()
	var stored storedText
	_ = json.Unmarshal([]byte(r.store.text), &stored)
	found := map[string]any{"license_token": nil, "activation_token": nil}
	if stored.Seat != nil {
		found["license_token"] = stored.Seat.LicenseToken
	}
	if stored.ActivationToken != "" {
		found["activation_token"] = stored.ActivationToken
	}
	for name, value := range expected {
		if !reflect.DeepEqual(found[name], value) {
			r.t.Fatalf("stored %s is %v, not %v", name, found[name], value)
		}
	}
}

func (r *scriptRunner) respond(answer map[string]any) httpResponse {
	header := http.Header{}
	header.Set("Content-Type", "application/json")
	header.Set("Date", time.UnixMilli(int64(r.machine.realMs)).UTC().Format(http.TimeFormat))
	if headers, ok := answer["headers"].(map[string]any); ok {
		for name, value := range headers {
			header.Set(name, value.(string))
		}
	}
	status := int(answer["status"].(float64))
	var body []byte
	if raw, ok := answer["raw"].(string); ok {
		body = []byte(textOf(raw))
	} else if status != http.StatusNoContent {
		content := map[string]any{"meta": map[string]any{"request_id": "req_1"}}
		for _, member := range []string{"data", "error"} {
			if value, ok := answer[member]; ok {
				content[member] = withTexts(value)
			}
		}
		body, _ = json.Marshal(content)
	}
	return httpResponse{status, header, body}
}

func codeOf(err error, success string) string {
	var known *Error
	switch {
	case err == nil:
		return success
	case errors.As(err, &known):
		return known.Code
	default:
		return err.Error()
	}
}

func describe(event Event) map[string]any {
	switch event := event.(type) {
	case Granted:
		return map[string]any{
			"type": "granted", "reason": string(event.Reason), "session_id": event.SessionID,
			"expires_at": event.ExpiresAt.Format(apiTime), "features": event.Features,
		}
	case Waiting:
		return map[string]any{
			"type": "waiting", "position": float64(event.Position), "expires_at": event.ExpiresAt.Format(apiTime),
		}
	case Offline:
		return map[string]any{"type": "offline", "reason": event.Reason, "expires_at": event.ExpiresAt.Format(apiTime)}
	case Lost:
		return map[string]any{"type": "lost", "reason": event.Reason, "final": event.Final}
	}
	return nil
}
