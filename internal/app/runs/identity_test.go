package runs

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
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

func TestDataChanged(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  bool
	}{
		{[]string{"file t.csv"}, true}, {[]string{"training part", "file t.csv"}, true},
		{[]string{"train.l2"}, false}, {[]string{"file t.csv", "train.l2"}, false},
	} {
		e := &tskgraph.ChangedError{}
		for _, name := range c.names {
			e.Changes = append(e.Changes, checkpoint.Change{Name: name})
		}
		if got := DataChanged(e); got != c.want {
			t.Errorf("%q: %t", c.names, got)
		}
	}
}
