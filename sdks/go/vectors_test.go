package seathold

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

type vectorConfig struct {
	BaseURL        string         `json:"base_url"`
	Issuer         string         `json:"issuer"`
	Audience       string         `json:"audience"`
	LicenseKey     string         `json:"license_key"`
	HardwareID     string         `json:"hardware_id"`
	Tokens         []string       `json:"tokens"`
	TimeoutSeconds float64        `json:"timeout_seconds"`
	Random         float64        `json:"random"`
	WallAheadMs    float64        `json:"wall_ahead_ms"`
	Metadata       map[string]any `json:"metadata"`
	WaitSeconds    float64        `json:"wait_seconds"`
	OfflineSeconds float64        `json:"offline_seconds"`
}

type vectorScript struct {
	Name   string           `json:"name"`
	Config json.RawMessage  `json:"config"`
	Stored map[string]any   `json:"stored"`
	Steps  []map[string]any `json:"steps"`
}

type vectorFile struct {
	Version int               `json:"version"`
	Epoch   string            `json:"epoch"`
	Config  json.RawMessage   `json:"config"`
	Texts   map[string]string `json:"texts"`
	Tokens  []struct {
		Name, Token, Expect, Keys, List string
		Now                             float64
		SessionID                       string `json:"session_id"`
	}
	Lists []struct {
		Name, List, Expect, Keys, After string
		Revoked                         []string
	}
	HardwareIDs []struct {
		Platform, Output string
		MachineID        string `json:"machine_id"`
		HardwareID       string `json:"hardware_id"`
	} `json:"hardware_ids"`
	Scripts []vectorScript
}

var vectors = readVectors()

func readVectors() vectorFile {
	text, err := os.ReadFile("../keeper-vectors.json")
	if err != nil {
		panic(err)
	}
	var file vectorFile
	if err := json.Unmarshal(text, &file); err != nil {
		panic(err)
	}
	if file.Version != 1 {
		panic("these vectors need a newer runner")
	}
	return file
}

func configOf(script vectorScript) vectorConfig {
	var config vectorConfig
	for _, text := range []json.RawMessage{vectors.Config, script.Config} {
		if text != nil {
			if err := json.Unmarshal(text, &config); err != nil {
				panic(err)
			}
		}
	}
	return config
}

// withTexts is the same value with each `@name` replaced by the text of that name.
func withTexts(value any) any {
	switch value := value.(type) {
	case string:
		return textOf(value)
	case []any:
		replaced := make([]any, len(value))
		for index, each := range value {
			replaced[index] = withTexts(each)
		}
		return replaced
	case map[string]any:
		replaced := map[string]any{}
		for name, each := range value {
			replaced[name] = withTexts(each)
		}
		return replaced
	}
	return value
}

func textOf(reference string) string {
	if text, ok := vectors.Texts[strings.TrimPrefix(reference, "@")]; ok && strings.HasPrefix(reference, "@") {
		return text
	}
	return reference
}

func keySet(reference string) []jwk {
	if reference == "" {
		reference = "@keys.first"
	}
	return parseKeySet([]byte(textOf(reference)))
}

func faultOrValid(fault string) string {
	if fault == "" {
		return "valid"
	}
	return fault
}

func TestAKeeperActsAsItsScriptSays(t *testing.T) {
	if len(vectors.Scripts) < 100 {
		t.Fatalf("only %d scripts", len(vectors.Scripts))
	}
	for _, script := range vectors.Scripts {
		t.Run(script.Name, func(t *testing.T) {
			runner := newScriptRunner(t, script)
			for _, step := range script.Steps {
				runner.run(step)
			}
		})
	}
}

func TestALicenseTokenIsJudgedAsItsVectorSays(t *testing.T) {
	config := configOf(vectorScript{})
	for _, vector := range vectors.Tokens {
		t.Run(vector.Name, func(t *testing.T) {
			expected := expectations{
				issuer: config.Issuer, audience: config.Audience, hardwareID: config.HardwareID,
				sessionID: vector.SessionID, nowMs: vector.Now * 1000,
			}
			if vector.List != "" {
				list, fault := verifyRevocations(textOf(vector.List), keySet(""), config.Issuer)
				if fault != "" {
					t.Fatal(fault)
				}
				expected.revoked = list.revoked
			}
			_, _, fault := verifyLicenseToken(textOf(vector.Token), keySet(vector.Keys), expected)
			if faultOrValid(fault) != vector.Expect {
				t.Errorf("%s, not %s", faultOrValid(fault), vector.Expect)
			}
		})
	}
}

func TestARevocationListIsJudgedAsItsVectorSays(t *testing.T) {
	config := configOf(vectorScript{})
	for _, vector := range vectors.Lists {
		t.Run(vector.Name, func(t *testing.T) {
			_, fault := verifyRevocations(textOf(vector.List), keySet(vector.Keys), config.Issuer)
			if faultOrValid(fault) != vector.Expect {
				t.Errorf("%s, not %s", faultOrValid(fault), vector.Expect)
			}
			machine := newVirtualMachine(parseMs(vectors.Epoch), config.Random, 0)
			options := serviceOptions{issuer: config.Issuer}
			service := newService(options, machine, newServerClock(machine.now(), 0), &memory{keys: keySet("")})
			if vector.After != "" {
				service.takeList(textOf(vector.After))
			}
			service.memory.keys = keySet(vector.Keys)
			revoked := service.takeList(textOf(vector.List)).(listed).revoked
			for _, id := range vector.Revoked {
				if !revoked[id] {
					t.Errorf("%s is not revoked", id)
				}
			}
			if len(revoked) != len(vector.Revoked) {
				t.Errorf("%d are revoked, not %d", len(revoked), len(vector.Revoked))
			}
		})
	}
}

func TestAMachineIDBecomesAHardwareID(t *testing.T) {
	for _, vector := range vectors.HardwareIDs {
		t.Run(vector.Platform, func(t *testing.T) {
			id := findMachineID(vector.Platform, vector.Output)
			if id != vector.MachineID || hashMachineID(id) != vector.HardwareID {
				t.Errorf("%s, %s", id, hashMachineID(id))
			}
		})
	}
}
