package testenv

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// settings are the environments with the effort that they ask for.
var settings = []struct {
	ci, cases string
	want      effort
}{{"", "", few}, {"false", "", few}, {"true", "", more}, {"true", "all", all}, {"", "all", all}, {"", "many", few}}

// each calls a function in each environment, with the effort that it must have.
func each(t *testing.T, check func(e effort)) {
	for _, s := range settings {
		t.Setenv("CI", s.ci)
		t.Setenv("TEST_CASES", s.cases)
		if Race {
			s.want = few
		}
		check(s.want)
	}
}

func TestNumber(t *testing.T) {
	each(t, func(e effort) {
		if got, want := CaseNumber(3, 10, 100), map[effort]int{few: 3, more: 10, all: 100}[e]; got != want {
			t.Errorf("effort %d: %d cases, want %d", e, got, want)
		}
		if got, want := Cases(3, 100), map[effort]int{few: 3, more: 100, all: 100}[e]; got != want {
			t.Errorf("effort %d: %d cases, want %d", e, got, want)
		}
		if AllCases() != (e == all) {
			t.Errorf("effort %d: all is %v", e, AllCases())
		}
	})
}

// TestDraw checks that the parts of all starts together contain each case once.
func TestDraw(t *testing.T) {
	cases := []int{0, 1, 2, 3, 4, 5, 6}
	each(t, func(e effort) {
		first := map[effort][]int{few: {0, 3, 6}, more: {0, 2, 4, 6}, all: cases}[e]
		if got := Draw(cases, 3, 2, 6); !slices.Equal(got, first) {
			t.Errorf("effort %d: the first part is %v, want %v", e, got, first)
		}
		var union []int
		for start := range map[effort]int{few: 3, more: 2, all: 1}[e] {
			union = append(union, Draw(cases, 3, 2, start)...)
		}
		if slices.Sort(union); !slices.Equal(union, cases) {
			t.Errorf("effort %d: all parts together are %v", e, union)
		}
		if got, want := Share(cases, 3, 4), map[effort][]int{few: {1, 4}, more: cases, all: cases}[e]; !slices.Equal(got, want) {
			t.Errorf("effort %d: the share is %v, want %v", e, got, want)
		}
	})
}

func TestListed(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TSKGRAPH_DATA", dir)
	if tables := Tables(t); tables != nil {
		t.Errorf("without list.json: %v", tables)
	}
	text := `[{"file": "mine", "target": "y", "ignore": ["id"], "missing": "mean", "categorical": {"size": "ordinal"}}, {"file": "b", ` +
		`"target": "z"}]`
	if err := os.WriteFile(filepath.Join(dir, "list.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	want := []Table{
		{File: "mine", Target: "y", Ignore: []string{"id"}, Missing: "mean", Categorical: map[string]string{"size": "ordinal"}},
		{File: "b", Target: "z"},
	}
	if got := Tables(t); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
