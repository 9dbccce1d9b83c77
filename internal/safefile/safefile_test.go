package safefile_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph/internal/safefile"
)

func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	for _, text := range []string{"one", "", "three"} {
		if err := safefile.Write(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q, %v, want %q", got, err, text)
		}
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v beside the file", entries, err)
	}
	if err := safefile.Write(filepath.Join(path, "b"), nil, 0o600); err == nil {
		t.Error("a file below a file was written")
	}
}

// TestClear: what a killed program was writing goes, all else stays.
func TestClear(t *testing.T) {
	dir := t.TempDir()
	stay := []string{"a.json", "1", ".hidden", "a.json123", ".git"}
	for _, name := range append(stay, ".a.json123", ".config.yaml9") {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".dir1"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := safefile.Clear(dir); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(stay)+1 {
		t.Errorf("left: %v, %v", entries, err)
	}
	if err := safefile.Clear(filepath.Join(dir, "none")); err == nil {
		t.Error("a directory that is not there was cleared")
	}
}
