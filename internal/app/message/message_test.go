package message

import (
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
)

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
		if _, kind := ExitCode(e); (kind == "data") != c.want {
			t.Errorf("%q: %s", c.names, kind)
		}
	}
}
