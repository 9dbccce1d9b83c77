package data

import (
	"context"
	"errors"
	"github.com/tskgraph/tskgraph/data/table"
	"slices"
	"testing"
)

// A name and its query are checked before a database is reached, and no message contains a name that may hold a password.
func TestCheckDatabase(t *testing.T) {
	ordered := typedOptions.Query
	for _, test := range []struct {
		source Source
		want   string
	}{
		{Source{Path: "typed:table", Options: table.Options{Query: ordered}}, ""},
		{Source{Path: "typed:table"}, "data.query: a database needs a query: one SELECT of the columns and rows to read (--query of init, predict and evaluate)"},
		{Source{Path: "typed:table", Options: table.Options{Query: " \n"}}, "data.query: a database needs a query: one SELECT of the columns and rows to read (--query of init, predict and evaluate)"},
		{Source{Path: "Typed:secret", Options: table.Options{Query: ordered}}, "data.path: it has a password"},
		{Source{Path: "mysql://u:secret@h/db", Options: table.Options{Query: ordered}}, `data.path: no registered format reads tables at "mysql://": correct it, or import the package of its format`},
		{Source{Path: "t.csv", Options: table.Options{Query: ordered}}, "data.query: applies to a database only: set data.path to one, such as postgres://HOST/DATABASE or sqlite:FILE"},
		{Source{Path: "t.csv", TestPath: "typed:secret"}, "data.test_path: want a file: mark the test rows of a database in a column of its query (split: column)"},
		{Source{Path: "typed:table", Options: table.Options{Query: "SELECT * FROM border_by"}},
			"data.query: without ORDER BY the rows may come in another order each time, and the split depends on their order: end the query with ORDER BY and columns that no two rows share"},
	} {
		test.source.Target = "y"
		if err := test.source.Validate(); err == nil && test.want != "" || err != nil && err.Error() != test.want && !slices.ContainsFunc(apart(err), func(e error) bool { return e.Error() == test.want }) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}

// An ended context ends the query.
func TestQueryEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in := table.Input{Name: "typed:table", Query: typedOptions.Query, Context: ctx}
	if _, err := LookAt(in, ""); err != nil {
		t.Error(err)
	}
	cancel()
	if _, err := LookAt(in, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// A source knows its files, and a short name for a database.
func TestSourceOfDatabase(t *testing.T) {
	for path, want := range map[string][]string{"typed:table": {"t.csv"}, "a.csv": {"a.csv", "t.csv"}} {
		if got := (Source{Path: path, TestPath: "t.csv"}).Unhashed(&Parts{Train: &Dataset{}}); !slices.Equal(got, want) {
			t.Errorf("files %q, want %q", got, want)
		}
	}
	for path, want := range map[string]string{
		"typed:dir/plants.v1.db": "plants.v1", "typed://host:5432/plants?sslmode=disable": "plants", "typed://?service=x": "typed", "typed:": "typed",
		`typed:C:\dir\plants.db`: "plants", "typed://host": "host",
	} {
		if got := (Source{Path: path}).Name(); got != want {
			t.Errorf("%s is named %q, want %q", path, got, want)
		}
	}
}
