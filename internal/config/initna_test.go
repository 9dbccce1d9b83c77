package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
)

// columnOf makes 200 cells: number(i), or odd in every n-th row.
func columnOf(number func(i int) string, odd string, n int) (cells []string) {
	for i := range 200 {
		if i%n == n/2 {
			cells = append(cells, odd)
		} else {
			cells = append(cells, number(i))
		}
	}
	return cells
}

func tableOf(columns map[string][]string) string {
	names := []string{}
	for name := range columns {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString(strings.Join(names, ",") + "\n")
	for i := range 200 {
		for k, name := range names {
			if k > 0 {
				b.WriteString(",")
			}
			b.WriteString(columns[name][i])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestInitNA: what stands out among the numbers of a column is proposed for data.na, and nothing else is.
func TestInitNA(t *testing.T) {
	real := func(i int) string { return fmt.Sprintf("%.2f", float64(i*7919%1009)/10) }
	whole := func(i int) string { return fmt.Sprint(i * 7919 % 1009) }
	few := func(i int) string { return fmt.Sprint(3 + i*7919%5) }
	for _, test := range []struct {
		cells []string
		want  []string // nil: the column is no feature of numbers with missing cells
		note  string
	}{
		{columnOf(real, "-", 200), []string{"-"}, `"-" seems to mark 1 missing cell in "x"`},
		{columnOf(real, "-", 3), []string{"-"}, `"-" seems to mark 67 missing cells in "x"`},
		{columnOf(few, "n.a.", 200), []string{"n.a."}, ""},
		{columnOf(whole, "#DIV/0!", 50), []string{"#DIV/0!"}, ""},
		{columnOf(real, "broken", 50), []string{"broken"}, ""},
		{columnOf(real, "-999", 20), []string{"-999"}, `"-999" seems to mark 10 missing cells in "x"`},
		{columnOf(whole, "-99", 20), []string{"-99"}, ""},
		{columnOf(whole, "99999", 20), []string{"99999"}, ""},
		{columnOf(real, "-500", 20), []string{"-500"}, ""},
		{columnOf(few, "none", 3), nil, `"x": 6 different values, not all of them numbers: one-hot`},
		{columnOf(whole, "12A", 200), nil, `"x" is left out: 1 cell is no number, such as "12A" in line 102`},
		{columnOf(real, "broken", 5), nil, `"x" is left out: 40 cells are no number, such as "broken" in line 4`},
		{columnOf(real, "\"1,234.5\"", 5), nil, `"x" is left out: "1,234.5" has thousands separators: write it without them (line 4)`},
		{columnOf(func(i int) string { return fmt.Sprintf("%x", 1<<20+i*7919) }, "0", 200), nil, `different texts, too many to learn about each`},
		{columnOf(func(i int) string { return fmt.Sprintf("name %d", i) }, "2002", 200), nil,
			`"x" is left out: 200 different texts, too many to learn about each`},
		{columnOf(func(i int) string { return fmt.Sprintf("kind %d", i%20) }, "2002", 200), nil,
			`"x": 21 different values, not all of them numbers: one-hot`},
		{columnOf(real, "-1", 20), nil, ""},
		{columnOf(real, "0", 20), nil, ""},
		{columnOf(real, "500", 200), nil, ""},
		{columnOf(func(i int) string { return fmt.Sprint(i % 9) }, "24", 4), nil, ""},
	} {
		initial, c := trainOn(t, write(t, tableOf(map[string][]string{"x": test.cells, "other": columnOf(real, "7", 9),
			"y": columnOf(real, "8", 9)})), "y", "robust", "train.race=[]")
		if got := c.Data.NA["x"]; !reflect.DeepEqual(got, test.want) {
			t.Errorf("%v: data.na %v, want %v", test.cells[:3], got, test.want)
		}
		if (c.Data.Missing == "mean") != (test.want != nil) {
			t.Errorf("%v: data.missing %s", test.cells[:3], c.Data.Missing)
		}
		if !strings.Contains(strings.Join(initial.Notes, "\n"), test.note) {
			t.Errorf("%v: notes %q, want %s", test.cells[:3], initial.Notes, test.note)
		}
	}
}

// TestInitNAOfTable: a number that is far out in one column is believed in others; the key is short where it may be.
func TestInitNAOfTable(t *testing.T) {
	low := func(i int) string { return fmt.Sprintf("%.1f", float64(i%40)-2) }
	high := func(i int) string { return fmt.Sprint(600 + i*7919%1400) }
	columns := map[string][]string{"a": columnOf(low, "-200", 20), "b": columnOf(high, "-200", 30), "y": columnOf(high, "-200", 25)}
	if _, c := trainOn(t, write(t, tableOf(columns)), "y", "robust", "train.race=[]"); !reflect.DeepEqual(c.Data.NA,
		data.NA{"*": {"-200"}}) || c.Data.Missing != "mean" {
		t.Errorf("data.na %v, data.missing %s", c.Data.NA, c.Data.Missing)
	}
	columns["c"] = columnOf(func(i int) string { return fmt.Sprint(i*7919%1009 - 500) }, "-200", 9)
	want := data.NA{"a": {"-200"}, "b": {"-200"}, "y": {"-200"}}
	if _, c := trainOn(t, write(t, tableOf(columns)), "y", "robust", "train.race=[]"); !reflect.DeepEqual(c.Data.NA, want) {
		t.Errorf("data.na %v, want %v", c.Data.NA, want)
	}
}
