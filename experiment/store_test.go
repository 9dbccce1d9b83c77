package experiment

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStoreLock: one study at a time; what a killed one left is no obstacle.
func TestStoreLock(t *testing.T) {
	dir := t.TempDir()
	for _, left := range []string{lockFile, ".0123.json77"} {
		if err := os.WriteFile(filepath.Join(dir, left), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := openStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openStore(dir); err == nil || !strings.Contains(err.Error(), "another study is at work there") {
		t.Errorf("a second study: %v", err)
	}
	s.close()
	if s, err = openStore(dir); err != nil {
		t.Fatal(err)
	}
	s.close()
	if left, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
