package tskgraph

import (
	"errors"
	"maps"
	"testing"

	"github.com/tskgraph/tskgraph/data"
)

// TestResumeOfAnotherBuild: a checkpoint of a program that may compute other bits is
// refused; that of one built for another level of processor is not.
func TestResumeOfAnotherBuild(t *testing.T) {
	d, err := data.New([]string{"a"}, "y", [][]float64{{1}, {2}, {3}}, []float64{1, 2, 4})
	if err != nil {
		t.Fatal(err)
	}
	o := Paper()
	of, err := o.origin(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, refused := range map[string]bool{
		"version of tskgraph": true, "revision of tskgraph": true, "arithmetic": true, "GOAMD64": false,
	} {
		was := maps.Clone(of)
		if _, ok := was[name]; !ok {
			t.Errorf("a checkpoint does not have %s", name)
		}
		was[name] = "another"
		o.Resume = &Checkpoint{checkpointContent{Of: was}}
		_, err := newSaver(d, nil, o)
		var changed *ChangedError
		if got := errors.As(err, &changed); got != refused || got && (len(changed.Changes) != 1 || changed.Changes[0].Name != name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
