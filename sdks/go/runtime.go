package seathold

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand"
	"net/http"
	"os"
	"time"
)

// runtime is what a keeper needs of its machine. Everything happens on one goroutine: what is called back here runs after what
// runs now, and never at the same time. Tests give a keeper a virtual machine.
type runtime interface {
	now() moment
	setTimer(delayMs float64, run func()) (cancel func())
	send(method, url string, header http.Header, body []byte, take func(httpResponse, *Error)) (cancel func())
	onWake(wake func()) (cancel func())
	// post runs this on the keeper's goroutine, soon.
	post(run func())
	// close ends the goroutine when nothing is left to do.
	close()
}

const (
	mostBodyBytes = 16 << 20
	lookEvery     = 5 * time.Second
	jump          = 10 * time.Second
)

// systemRuntime is the machine that the program runs on.
type systemRuntime struct {
	client *http.Client
	start  time.Time
	queue  chan func()
	closed chan struct{}
}

func newSystemRuntime(client *http.Client) *systemRuntime {
	r := &systemRuntime{
		client: withoutRedirects(client),
		start:  time.Now(),
		queue:  make(chan func(), 16),
		closed: make(chan struct{}),
	}
	go r.run()
	return r
}

// withoutRedirects: the token would travel with them.
func withoutRedirects(client *http.Client) *http.Client {
	own := http.Client{}
	if client != nil {
		own = *client
	}
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &own
}

func (r *systemRuntime) run() {
	for {
		select {
		case run := <-r.queue:
			run()
		case <-r.closed:
			return
		}
	}
}

func (r *systemRuntime) post(run func()) {
	select {
	case r.queue <- run:
	case <-r.closed:
	}
}

func (r *systemRuntime) close() {
	close(r.closed)
}

func (r *systemRuntime) now() moment {
	now := time.Now()
	return moment{
		monoMs: float64(now.Sub(r.start)) / float64(time.Millisecond),
		wallMs: float64(now.UnixMilli()),
		random: rand.Float64(),
	}
}

func (r *systemRuntime) setTimer(delayMs float64, run func()) func() {
	isCanceled := false
	timer := time.AfterFunc(time.Duration(delayMs*float64(time.Millisecond)), func() {
		r.post(func() {
			if !isCanceled {
				run()
			}
		})
	})
	return func() {
		isCanceled = true
		timer.Stop()
	}
}

func (r *systemRuntime) send(method, url string, header http.Header, body []byte, take func(httpResponse, *Error)) func() {
	ctx, cancel := context.WithCancel(context.Background())
	isCanceled := false
	go func() {
		response, err := r.exchange(ctx, method, url, header, body)
		cancel()
		r.post(func() {
			if !isCanceled {
				take(response, err)
			}
		})
	}()
	return func() {
		isCanceled = true
		cancel()
	}
}

func (r *systemRuntime) exchange(ctx context.Context, method, url string, header http.Header, body []byte) (httpResponse, *Error) {
	asked, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return httpResponse{}, newError("connection_failed", err.Error())
	}
	asked.Header = header
	response, err := r.client.Do(asked)
	if err != nil {
		return httpResponse{}, connectionError(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, mostBodyBytes+1))
	if err != nil {
		return httpResponse{}, connectionError(err)
	}
	if len(content) > mostBodyBytes {
		return httpResponse{}, newError("unexpected_answer", "The answer is too long.")
	}
	return httpResponse{response.StatusCode, response.Header, content}, nil
}

func connectionError(err error) *Error {
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) {
		return newError("timed_out", err.Error())
	}
	return newError("connection_failed", err.Error())
}

// onWake compares the two clocks: while a machine sleeps, the monotonic one may stand still, and timers come late.
func (r *systemRuntime) onWake(wake func()) func() {
	stop := make(chan struct{})
	go func() {
		looked := time.Now()
		ticker := time.NewTicker(lookEvery)
		defer ticker.Stop()
		for {
			select {
			case <-stop:
				return
			case <-ticker.C:
				now := time.Now()
				passed := now.Round(0).Sub(looked.Round(0))
				jumped := passed - now.Sub(looked)
				looked = now
				if jumped >= jump || jumped <= -jump || passed >= lookEvery+jump {
					r.post(wake)
				}
			}
		}
	}()
	return func() { close(stop) }
}
