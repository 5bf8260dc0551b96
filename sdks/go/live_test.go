package seathold

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A keeper and a real service, where SEATHOLD_URL names one. See CONTRIBUTING.md, `npm run test:sdks`.

const limit = time.Minute

func liveOptions(t testing.TB) Options {
	t.Helper()
	baseURL := os.Getenv("SEATHOLD_URL")
	if baseURL == "" {
		t.Skip("left out, because SEATHOLD_URL names no service")
	}
	ca, err := os.ReadFile(os.Getenv("SEATHOLD_CA_FILE"))
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(ca)
	return Options{
		BaseURL:       baseURL,
		Token:         os.Getenv("SEATHOLD_TOKEN"),
		LicenseKey:    os.Getenv("SEATHOLD_LICENSE_KEY"),
		HardwareID:    NewHardwareID(),
		IgnoreSignals: true,
		Client:        &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}},
	}
}

func acquire(t testing.TB, options Options) *Seat {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	seat, err := Acquire(ctx, options)
	if err != nil {
		t.Fatal(err)
	}
	return seat
}

func release(t testing.TB, seats ...*Seat) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	for _, seat := range seats {
		if err := seat.Release(ctx); err != nil {
			t.Error(err)
		}
	}
}

func TestASeatIsAcquiredWithAGoodTokenAndGivenBack(t *testing.T) {
	options := liveOptions(t)
	events := make(chan Event, 10)
	options.OnEvent = func(event Event) { events <- event }
	seat := acquire(t, options)
	if seat.State() != Held || !strings.HasPrefix(seat.SessionID(), "sess_") || !seat.OfflineUntil().IsZero() {
		t.Errorf("%s %s %s", seat.State(), seat.SessionID(), seat.OfflineUntil())
	}
	if _, ok := seat.Features()["ai_assistance"].(bool); !ok {
		t.Errorf("%v", seat.Features())
	}
	if granted, ok := (<-events).(Granted); !ok || granted.Reason != Acquired {
		t.Errorf("%v", granted)
	}
	release(t, seat)
	if seat.State() != Ended {
		t.Errorf("%s", seat.State())
	}
}

func TestATokenWithALineBreakIsRefusedAndNeverShown(t *testing.T) {
	options := liveOptions(t)
	token := options.Token
	options.Token += "\n"
	_, err := Acquire(context.Background(), options)
	if err == nil || !strings.Contains(err.Error(), "Token must be") || strings.Contains(err.Error(), token) {
		t.Errorf("%v", err)
	}
	options.Token = ""
	options.TokenSource = func(bool) (string, error) { return token + "\n", nil }
	options.Timeout = time.Millisecond
	_, err = Acquire(context.Background(), options)
	var refusal *Error
	if !errors.As(err, &refusal) || refusal.Code != "invalid_argument" || strings.Contains(err.Error(), token) {
		t.Errorf("%v", err)
	}
}

func TestAFullLicenseRefusesAndAProgramThatWaitsGetsTheNextSeat(t *testing.T) {
	first, second := acquire(t, liveOptions(t)), acquire(t, liveOptions(t))
	_, err := Acquire(context.Background(), liveOptions(t))
	var refusal *Error
	if !errors.As(err, &refusal) || refusal.Code != "no_seats_available" || refusal.Status != 409 {
		t.Errorf("%v", err)
	}
	options := liveOptions(t)
	options.Wait = limit
	options.OnEvent = func(event Event) {
		if _, ok := event.(Waiting); ok {
			go release(t, first)
		}
	}
	release(t, acquire(t, options), second, first)
}

func TestAProgramThatGivesUpLeavesTheLine(t *testing.T) {
	first, second := acquire(t, liveOptions(t)), acquire(t, liveOptions(t))
	ctx, cancel := context.WithCancel(context.Background())
	options := liveOptions(t)
	options.Wait = limit
	options.OnEvent = func(Event) { cancel() }
	if _, err := Acquire(ctx, options); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	release(t, first, second)
}

func TestASeatGoesOfflineAndIsFoundByTheNextRun(t *testing.T) {
	options := liveOptions(t)
	path := filepath.Join(t.TempDir(), "seat.json")
	options.Store = FileStore(path)
	seat := acquire(t, options)
	if err := seat.TakeOffline(context.Background(), 10*time.Minute); err != nil {
		t.Fatal(err)
	}
	if seat.OfflineUntil().IsZero() {
		t.Error("the seat is not offline")
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	// Nobody answers at this port, so the next run has only what the first one stored.
	options.Issuer, options.BaseURL = options.BaseURL, "https://localhost:1"
	resumed := acquire(t, options)
	if resumed.SessionID() != seat.SessionID() || resumed.State() != IsOffline {
		t.Errorf("%s %s", resumed.SessionID(), resumed.State())
	}
	release(t, seat)
}

func TestAMachineIsActivatedWithTheLicenseKey(t *testing.T) {
	options := liveOptions(t)
	options.Token, options.LicenseKey = "", os.Getenv("SEATHOLD_ACTIVATION_KEY")
	options.Name = "render node"
	release(t, acquire(t, options))
}

func TestAProgramThatIsTerminatedGivesItsSeatBack(t *testing.T) {
	options := liveOptions(t)
	program := exec.Command(os.Args[0], "-test.run=^TestHoldsASeatUntilItIsTerminated$", "-test.v")
	program.Env = append(os.Environ(), "SEATHOLD_HOLD="+options.HardwareID)
	output, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	sessionID := ""
	for lines := bufio.NewScanner(output); sessionID == "" && lines.Scan(); {
		if after, found := strings.CutPrefix(lines.Text(), "holding "); found {
			sessionID = after
		}
	}
	_ = program.Process.Signal(syscall.SIGTERM)
	err = program.Wait()
	status, ok := program.ProcessState.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() || status.Signal() != syscall.SIGTERM {
		t.Errorf("the program ended with %v", err)
	}
	// The same machine would get the session that it has, if it still had one.
	seat := acquire(t, options)
	if sessionID == "" || seat.SessionID() == sessionID {
		t.Errorf("%s %s", sessionID, seat.SessionID())
	}
	release(t, seat)
}

// TestHoldsASeatUntilItIsTerminated is the program of the test before it.
func TestHoldsASeatUntilItIsTerminated(t *testing.T) {
	hardwareID := os.Getenv("SEATHOLD_HOLD")
	if hardwareID == "" {
		t.Skip("left out, because it is started by another test")
	}
	options := liveOptions(t)
	options.HardwareID, options.IgnoreSignals = hardwareID, false
	os.Stdout.WriteString("holding " + acquire(t, options).SessionID() + "\n")
	time.Sleep(limit)
}
