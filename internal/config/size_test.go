package config

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestSize checks sizes in the units that people write, and what is refused.
func TestSize(t *testing.T) {
	for text, want := range map[string]int64{"auto": 0, "64MiB": 64 << 20, "4GB": 4e9, "1.5GiB": 3 << 29, "70000 kB": 7e7, "1T": 1e12,
		"2Ti": 2 << 40, "67108865B": 64<<20 + 1} {
		c, err := Load(Source{Set: []string{"data.memory=" + text}})
		if err != nil || c.Data.Memory != want {
			t.Errorf("%s: %v, want %d", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"512": "want a size such as 512MiB or 4GB, or auto", "-1GB": "want a size", "GB": "want a size", "1e3MB": "want a size",
		"[1GB]":              "want a size",
		"999999999999999TiB": "want a size", "": "want", "60MB": "must be at least 64MiB", "0B": "must be at least 64MiB",
	} {
		if _, err := Load(Source{Set: []string{"data.memory=" + text}}); err == nil || !strings.Contains(err.Error(), "data.memory: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want: %s", text, err, want)
		}
	}
}

// TestSizeText checks that a size is written so that it is read again.
func TestSizeText(t *testing.T) {
	for bytes, want := range map[int64]string{64 << 20: "64MiB", 4e9: "4GB", 3 << 29: "1536MiB", 1<<30 + 1: "1073741825B"} {
		if got := sizeText(bytes); got != want {
			t.Errorf("%d: %s, want %s", bytes, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		bytes := rapid.Int64Range(64<<20, 1<<50).Draw(t, "bytes")
		again, err := Load(Source{Set: []string{"data.memory=" + sizeText(bytes)}})
		if err != nil || again.Data.Memory != bytes {
			t.Fatalf("%s: %v", sizeText(bytes), err)
		}
	})
}
