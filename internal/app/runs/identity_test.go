package runs

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
)

// TestIdentity: an identity holds what affects a run, and changes with the bytes of a table.
func TestIdentity(t *testing.T) {
	table := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(table, []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	values := map[string]string{"train.l2": "0.05", "output.dir": "runs", "tune.folds": "5", "data.memory": "1GiB", "data.scratch": "/tmp"}
	got, err := Identity(values, table)
	if want := (tskgraph.Identity{"train.l2": "0.05", "file " + table: "sha256 ba7816bf8f01cfea"}); err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, want %v, %v", got, want, err)
	}
	if len(values) != 5 {
		t.Errorf("the values are %v now", values)
	}
	if got, err := Identity(nil, table); err != nil || len(got) != 1 {
		t.Errorf("of a table alone: %v, %v", got, err)
	}
	if _, err := Identity(values, table+".none"); !errors.As(err, new(*data.Error)) {
		t.Error(err)
	}
}
