package data

import (
	"github.com/tskgraph/tskgraph/data/table"
	"testing"
)

// TestResolve: a resolved source shows its defaults, is valid, and resolves to
// itself.
func TestResolve(t *testing.T) {
	csv := table.Options{Target: "y"}
	for _, c := range []struct {
		source, want Source
	}{
		{Source{}, Source{Builtin: "mackey-glass", Split: Split{Kind: "chronological", Train: 0.5}}},
		{Source{Split: Split{Kind: "random"}}, Source{Builtin: "mackey-glass", Split: Split{Kind: "random", Train: 0.7}}},
		{Source{Builtin: "friedman1"}, Source{Builtin: "friedman1", Split: Split{Kind: "random", Train: 0.7}}},
		{Source{Path: "a", Options: csv}, Source{Path: "a", Options: table.Options{Target: "y", Delimiter: "auto", Missing: "error"}, Split: Split{Kind: "random", Train: 0.7}}},
		{Source{Path: "a", TestPath: "b", Options: csv, Split: Split{Validation: 0.2}},
			Source{Path: "a", TestPath: "b", Options: table.Options{Target: "y", Delimiter: "auto", Missing: "error"}, Split: Split{Kind: "random", Validation: 0.2}}},
		{Source{Path: "a", Options: csv, Split: Split{Kind: "column", Column: "p"}},
			Source{Path: "a", Options: table.Options{Target: "y", Delimiter: "auto", Missing: "error"}, Split: Split{Kind: "column", Column: "p"}}},
	} {
		got := c.source.Resolve()
		if got.Split != c.want.Split || got.Builtin != c.want.Builtin || got.Delimiter != c.want.Delimiter || got.Missing != c.want.Missing {
			t.Errorf("%+v\nresolves to %+v\n      want %+v", c.source, got, c.want)
		}
		if err := got.Validate(); err != nil {
			t.Errorf("%+v: %v", got, err)
		}
		if again := got.Resolve(); again.Split != got.Split || again.Builtin != got.Builtin {
			t.Errorf("%+v resolves further, to %+v", got, again)
		}
	}
}
