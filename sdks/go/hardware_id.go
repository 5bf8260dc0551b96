package seathold

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	goruntime "runtime"
	"strings"
	"time"
)

var (
	hardwareIDForm = regexp.MustCompile(`^hw_[a-z0-9]{32}$`)
	// By the names that the vectors give the platforms.
	machineIDForms = map[string]*regexp.Regexp{
		"linux":  regexp.MustCompile(`(?i)^\s*([0-9a-f]{32})\s*$`),
		"darwin": regexp.MustCompile(`(?i)"IOPlatformUUID"\s*=\s*"([0-9a-f-]+)"`),
		"win32":  regexp.MustCompile(`(?i)\bMachineGuid\s+REG_SZ\s+([0-9a-f-]+)`),
	}
	errNoMachineID = errors.New("seathold: this machine has no ID of its own that can be read, so a hardware ID is needed")
)

// DeriveHardwareID returns the hardware ID of this machine on Linux, macOS and Windows. It is a hash, so that nobody learns the
// machine's own ID from it.
func DeriveHardwareID() (string, error) {
	platform := goruntime.GOOS
	if platform == "windows" {
		platform = "win32"
	}
	for _, read := range machineIDSources(platform) {
		if id := findMachineID(platform, read()); id != "" {
			return hashMachineID(id), nil
		}
	}
	return "", errNoMachineID
}

// NewHardwareID returns a random hardware ID, for a machine that has no ID of its own. Store it, or each run is another machine.
func NewHardwareID() string {
	var random [16]byte
	if _, err := rand.Read(random[:]); err != nil {
		panic(fmt.Sprintf("seathold: no random numbers: %v", err))
	}
	return "hw_" + hex.EncodeToString(random[:])
}

func hashMachineID(id string) string {
	hash := sha256.Sum256([]byte("seathold:hardware-id:1:" + strings.ToLower(strings.TrimSpace(id))))
	return "hw_" + hex.EncodeToString(hash[:16])
}

// findMachineID finds the machine's own ID in what its platform says.
func findMachineID(platform, output string) string {
	form := machineIDForms[platform]
	if form == nil {
		return ""
	}
	found := form.FindStringSubmatch(output)
	if found == nil {
		return ""
	}
	return strings.ToLower(found[1])
}

func machineIDSources(platform string) []func() string {
	switch platform {
	case "linux":
		return []func() string{readText("/etc/machine-id"), readText("/var/lib/dbus/machine-id")}
	case "darwin":
		return []func() string{outputOf("/usr/sbin/ioreg", "-rd1", "-c", "IOPlatformExpertDevice")}
	case "win32":
		// A program of 32 bits would see another part of the registry without the last argument.
		return []func() string{outputOf("reg", "query", `HKLM\SOFTWARE\Microsoft\Cryptography`, "/v", "MachineGuid", "/reg:64")}
	}
	return nil
}

func readText(path string) func() string {
	return func() string {
		text, _ := os.ReadFile(path)
		return string(text)
	}
}

func outputOf(program string, arguments ...string) func() string {
	return func() string {
		limit, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		text, _ := exec.CommandContext(limit, program, arguments...).Output()
		return string(text)
	}
}
