package seathold

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Store holds one text for the next run of the program, so that it starts without a network. The text contains tokens, so
// others must not be able to read it.
type Store interface {
	// Load returns what was saved last, or an empty text.
	Load() (string, error)
	Save(text string) error
}

// FileStore keeps the text in a file that only its owner can read. A crash leaves the old text or the new one, never half of one.
type FileStore string

// Load reads the file. A file that does not exist is an empty text.
func (path FileStore) Load() (string, error) {
	text, err := os.ReadFile(string(path))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(text), err
}

// Save replaces the file, and makes its folder if it is missing.
func (path FileStore) Save(text string) error {
	if err := os.MkdirAll(filepath.Dir(string(path)), 0o700); err != nil {
		return err
	}
	fresh := string(path) + ".new"
	if err := os.WriteFile(fresh, []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(fresh, string(path))
}

// memory is what is known without a network.
type memory struct {
	activationToken string
	keys            []jwk
	revocations     string
}

// storedText is the text of a Store. All SDKs read and write it.
type storedText struct {
	Version         int         `json:"version"`
	LicenseKey      string      `json:"license_key"`
	HardwareID      string      `json:"hardware_id"`
	SeenAt          string      `json:"seen_at,omitempty"`
	ActivationToken string      `json:"activation_token,omitempty"`
	Keys            string      `json:"keys,omitempty"`
	Revocations     string      `json:"revocations,omitempty"`
	Seat            *storedSeat `json:"seat,omitempty"`
}

type storedSeat struct {
	LicenseToken      string  `json:"license_token"`
	HeartbeatInterval float64 `json:"heartbeat_interval,omitempty"`
	OfflineUntil      string  `json:"offline_until,omitempty"`
}

// parseStored returns what is kept of the same license on the same machine. Anything else counts as nothing.
func parseStored(text, licenseKey, hardwareID string) storedText {
	var stored storedText
	if json.Unmarshal([]byte(text), &stored) != nil || stored.Version != 1 ||
		stored.LicenseKey != licenseKey || stored.HardwareID != hardwareID {
		return storedText{}
	}
	return stored
}

func formatStored(of subject, known *memory, seenMs float64, seat *heldSeat) string {
	keys, _ := json.Marshal(map[string]any{"keys": known.keys})
	stored := storedText{
		Version:         1,
		LicenseKey:      of.licenseKey,
		HardwareID:      of.hardwareID,
		SeenAt:          timeOf(seenMs).Format(apiTime),
		ActivationToken: known.activationToken,
		Keys:            string(keys),
		Revocations:     known.revocations,
	}
	if seat != nil {
		stored.Seat = &storedSeat{LicenseToken: seat.licenseToken, HeartbeatInterval: seat.heartbeatInterval}
		if seat.offlineUntilMs > 0 {
			stored.Seat.OfflineUntil = timeOf(seat.offlineUntilMs).Format(apiTime)
		}
	}
	text, _ := json.Marshal(stored)
	return string(text)
}
