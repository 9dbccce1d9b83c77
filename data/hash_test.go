package data

import (
	"errors"
	"github.com/tskgraph/tskgraph/data/table"
	"os"
	"path/filepath"
	"testing"
)

func TestHashFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" // FIPS 180-4, the example of one block
	if got, err := table.HashFile(path); err != nil || got != want {
		t.Errorf("%s, %v", got, err)
	}
	for _, bad := range []string{filepath.Dir(path), path + ".none"} {
		if _, err := table.HashFile(bad); !errors.As(err, new(*table.Error)) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
