// A program of the fleet, as program.ts is.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"math/rand"
	"net/http"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"seathold"
)

type line map[string]any

var writing sync.Mutex

func write(content line) {
	writing.Lock()
	defer writing.Unlock()
	content["at"] = monotonicMs()
	text, _ := json.Marshal(content)
	_, _ = os.Stdout.Write(append(text, '\n'))
}

// monotonicMs is the clock that all processes of the machine share. Package time shows only differences of it.
func monotonicMs() float64 {
	const clockMonotonic = 1
	var now syscall.Timespec
	_, _, _ = syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockMonotonic, uintptr(unsafe.Pointer(&now)), 0)
	return float64(now.Nano()) / 1e6
}

func tell(event seathold.Event) {
	switch told := event.(type) {
	case seathold.Granted:
		write(line{"event": "granted", "reason": told.Reason})
	case seathold.Waiting:
		write(line{"event": "waiting", "position": told.Position})
	case seathold.Offline:
		write(line{"event": "offline", "reason": told.Reason})
	case seathold.Lost:
		write(line{"event": "lost", "reason": told.Reason, "final": told.Final})
	}
}

func numberOf(name string) int {
	value, err := strconv.Atoi(os.Getenv(name))
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	authority, err := os.ReadFile(os.Getenv("SEATHOLD_CA_FILE"))
	if err != nil {
		panic(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	least, most := numberOf("HOLD_LEAST_MS"), numberOf("HOLD_MOST_MS")
	options := seathold.Options{
		BaseURL:    os.Getenv("SEATHOLD_URL"),
		Token:      os.Getenv("SEATHOLD_TOKEN"),
		LicenseKey: os.Getenv("LICENSE_KEY"),
		HardwareID: os.Getenv("HARDWARE_ID"),
		Wait:       time.Hour,
		Timeout:    10 * time.Minute,
		OnEvent:    tell,
		Client:     &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}},
	}
	for {
		write(line{"event": "asking"})
		seat, err := seathold.Acquire(context.Background(), options)
		var refusal *seathold.Error
		if errors.As(err, &refusal) {
			write(line{"event": "refused", "reason": refusal.Code})
		} else if err != nil {
			panic(err)
		} else {
			time.Sleep(time.Duration(least+rand.Intn(most-least+1)) * time.Millisecond)
			write(line{"event": "stopping"})
			_ = seat.Release(context.Background())
			write(line{"event": "released"})
		}
		time.Sleep(200 * time.Millisecond)
	}
}
