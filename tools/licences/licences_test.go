package licences

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWithoutLicence checks that the error about a module without a licence names it.
func TestWithoutLicence(t *testing.T) {
	dir := t.TempDir()
	m := At("example.org/bare", "v1.0.0", dir)
	if _, err := Page("", []Module{m}); err == nil || !strings.Contains(err.Error(), "example.org/bare v1.0.0 has no licence") {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "COPYING"), []byte("Permission is hereby granted,\nfree of charge"), 0o600); err != nil {
		t.Fatal(err)
	}
	if kinds, texts, err := m.licences(); err != nil || len(kinds) != 1 || kinds[0] != "MIT" || len(texts) != 1 {
		t.Errorf("%v, %q, %v", kinds, texts, err)
	}
}
