package seathold

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// What a release may take when the program ends. A supervisor such as systemd or Kubernetes waits longer.
const patience = 5 * time.Second

// leaving are the seats to give back when the program ends. One goroutine listens for all of them.
var leaving = struct {
	sync.Mutex
	seats    map[*Seat]bool
	received chan os.Signal
}{seats: map[*Seat]bool{}}

// releaseOnSignals releases the seat at SIGTERM and SIGINT, and then lets the signal end the program.
func releaseOnSignals(seat *Seat) {
	leaving.Lock()
	defer leaving.Unlock()
	leaving.seats[seat] = true
	if leaving.received == nil {
		leaving.received = make(chan os.Signal, 1)
		signal.Notify(leaving.received, syscall.SIGTERM, os.Interrupt)
		go endBySignal(leaving.received)
	}
	go func() {
		<-seat.ended
		leaving.Lock()
		defer leaving.Unlock()
		delete(leaving.seats, seat)
		if len(leaving.seats) == 0 && leaving.received != nil {
			signal.Stop(leaving.received)
			close(leaving.received)
			leaving.received = nil
		}
	}()
}

func endBySignal(received chan os.Signal) {
	number, ok := <-received
	if !ok {
		return
	}
	leaving.Lock()
	seats := make([]*Seat, 0, len(leaving.seats))
	for seat := range leaving.seats {
		seats = append(seats, seat)
	}
	// A second signal ends the program at once.
	signal.Stop(received)
	leaving.Unlock()
	for _, seat := range seats {
		seat.runtime.post(seat.keeper.exit)
	}
	late := time.After(patience)
	for _, seat := range seats {
		select {
		case <-seat.ended:
		case <-late:
		}
	}
	sendToSelf(number)
}

// sendToSelf sends the signal again, which now ends the program unless it listens to it itself.
func sendToSelf(number os.Signal) {
	self, err := os.FindProcess(os.Getpid())
	if err != nil || self.Signal(number) != nil {
		// Windows cannot send itself an interrupt.
		os.Exit(1)
	}
}
