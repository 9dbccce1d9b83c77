package data

import (
	"encoding/json"
	"errors"
	"fmt"
	"github.com/tskgraph/tskgraph/data/table"
	"reflect"
	"strings"
	"testing"
)

// classes is a data set of a target of three classes.
func classes() *Dataset {
	return &Dataset{
		Schema: table.Schema{Columns: []table.Column{{Name: "a", Encoding: table.Numeric}}, Target: "kind", Classes: []string{"bad", "fair", "good"}},
		X:      [][]float64{{1}, {2}, {3}, {4}}, Y: []float64{2, 0, 1, 2}, Rows: []int{1, 2, 3, 4},
	}
}

// targets is a data set of three targets.
func targets() *Dataset {
	return &Dataset{
		Schema: table.Schema{
			Columns: []table.Column{{Name: "a", Encoding: table.Numeric}},
			Target:  "y1", TargetUnit: "kW", Others: []table.Other{{Name: "y2", Unit: "m"}, {Name: "y3"}},
		},
		X: [][]float64{{1}, {2}, {3}, {4}}, Y: []float64{1, 2, 3, 4}, Others: [][]float64{{10, 20, 30, 40}, {-1, -2, -3, -4}},
		Weights: []float64{2, 0, 2, 4}, Rows: []int{1, 2, 3, 4},
	}
}

func TestSchemaTargets(t *testing.T) {
	sound := func() table.Schema { return classes().Schema }
	many := make([]string, table.MaxClasses+1)
	for i := range many {
		many[i] = fmt.Sprint("c", i)
	}
	for _, c := range []struct {
		change func(*table.Schema)
		want   string
	}{
		{func(s *table.Schema) {}, ""},
		{func(s *table.Schema) { s.Classes = []string{"0", "1"} }, ""},
		{func(s *table.Schema) { s.Classes = []string{"-2", "0.5", "1000000"} }, ""},
		{func(s *table.Schema) { s.Classes = []string{"1.0", "none"} }, ""}, // not all are numbers
		{func(s *table.Schema) { s.Classes = many[:table.MaxClasses] }, ""},
		{func(s *table.Schema) { s.Classes = many }, "classes: 1001 of them: want 2 to 1000"},
		{func(s *table.Schema) { s.Classes = []string{"bad"} }, "classes: 1 of them"},
		{func(s *table.Schema) { s.Classes[1] = "bad" }, `classes: class "bad" is given twice`},
		{func(s *table.Schema) { s.Classes[1] = "" }, `class "" reads as a missing value`},
		{func(s *table.Schema) { s.Classes[1] = "NaN" }, `class "NaN" reads as a missing value`},
		{func(s *table.Schema) { s.NA = table.NA{"kind": {"bad"}} }, `class "bad" reads as a missing value`},
		{func(s *table.Schema) { s.NA, s.Classes = table.NA{"*": {"01"}}, []string{"1", "2"} }, `class "1" reads as a missing value`},
		{func(s *table.Schema) { s.Classes[1] = " fair" }, "has blanks around it"},
		{func(s *table.Schema) { s.Classes[1] = "\xff" }, "is not valid UTF-8"},
		{func(s *table.Schema) { s.Classes = []string{"1", "1.0"} }, `class "1.0": write the number as 1`},
		{func(s *table.Schema) { s.Classes = []string{"-0", "1"} }, `class "-0": write the number as 0`},
		{func(s *table.Schema) { s.Others = []table.Other{{Name: "z"}} }, "classes and further targets"},
		{func(s *table.Schema) { s.Classes, s.Others = nil, []table.Other{{Name: "z"}} }, ""},
		{func(s *table.Schema) { s.Classes, s.Others = nil, []table.Other{{Name: "kind"}} }, `target: "kind" is given twice`},
		{func(s *table.Schema) { s.Classes, s.Others = nil, []table.Other{{Name: "a"}} }, `columns[0]: the name "a" is used twice`},
		{func(s *table.Schema) { s.Classes, s.Others, s.Weight = nil, []table.Other{{Name: "w"}}, "w" }, `"w" is the target`},
		{func(s *table.Schema) { s.Classes, s.Others = nil, []table.Other{{}} }, "target: the name is empty"},
		{func(s *table.Schema) { s.Classes, s.Others = nil, make([]table.Other, table.MaxTargets) }, "101 targets: at most 100"},
		{func(s *table.Schema) {
			s.Classes, s.Others = nil, []table.Other{{Name: "b=x"}}
			s.Columns = append(s.Columns, table.Column{Name: "b", Encoding: table.OneHot, Levels: []string{"x", "y"}})
		}, `the feature name "b=x" is used twice`},
	} {
		s := sound()
		c.change(&s)
		switch err := s.Validate(); {
		case c.want == "" && err != nil:
			t.Errorf("%v", err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// A schema without classes and further targets keeps its bytes; with them it survives JSON.
func TestSchemaJSON(t *testing.T) {
	plain, err := json.Marshal(table.Schema{Columns: []table.Column{{Name: "a", Encoding: table.Numeric}}, Target: "y"})
	if err != nil || string(plain) != `{"columns":[{"name":"a","encoding":"numeric"}],"target":"y"}` {
		t.Errorf("%s, %v", plain, err)
	}
	for _, d := range []*Dataset{classes(), targets()} {
		text, err := json.Marshal(d.Schema)
		var s table.Schema
		if err != nil || json.Unmarshal(text, &s) != nil || !reflect.DeepEqual(s, d.Schema) {
			t.Errorf("%s is read as %+v, %v", text, s, err)
		}
	}
}

func TestClass(t *testing.T) {
	for _, c := range []struct {
		classes []string
		cell    string
		want    int
	}{
		{[]string{"bad", "good"}, "good", 1},
		{[]string{"bad", "good"}, "Good", -1},
		{[]string{"0", "1"}, "1", 1},
		{[]string{"0", "1"}, "01.0", 1},
		{[]string{"0", "1"}, "-0", 0},
		{[]string{"0", "1"}, "2", -1},
		{[]string{"0", "1"}, "x", -1},
		{[]string{"1", "none"}, "1.0", -1}, // kept as written
		{nil, "1", -1},
	} {
		if got, ok := (table.Schema{Classes: c.classes}).Class(c.cell); got != c.want || ok != (c.want >= 0) {
			t.Errorf("%q of %q is %d, %v, want %d", c.cell, c.classes, got, ok, c.want)
		}
	}
}

func TestValidateTargets(t *testing.T) {
	for _, c := range []struct {
		d      *Dataset
		change func(*Dataset)
		want   string
	}{
		{classes(), func(*Dataset) {}, ""},
		{classes(), func(d *Dataset) { d.Y[1] = 0.5 }, `row 2, "kind": 0.5 is not the index of one of 3 classes`},
		{classes(), func(d *Dataset) { d.Y[3] = 3 }, `row 4, "kind": 3 is not the index`},
		{classes(), func(d *Dataset) { d.Y[0] = -1 }, `row 1, "kind": -1 is not the index`},
		{targets(), func(*Dataset) {}, ""},
		{targets(), func(d *Dataset) { d.Others[1][2] = 1 / (d.Y[0] - 1) }, `row 3, "y3": +Inf is not finite`},
		{targets(), func(d *Dataset) { d.Others[0] = d.Others[0][1:] }, `3 values of "y2" for 4 rows`},
		{targets(), func(d *Dataset) { d.Others = d.Others[1:] }, "values of 1 further targets, the schema names 2"},
		{targets(), func(d *Dataset) { d.Schema.Others = nil }, "values of 2 further targets, the schema names 0"},
	} {
		c.change(c.d)
		err := c.d.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !errors.As(err, new(*table.Error))) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func TestTargetsAreCarried(t *testing.T) {
	d := targets()
	if got := d.Schema.Targets(); !reflect.DeepEqual(got, []string{"y1", "y2", "y3"}) {
		t.Errorf("targets %q", got)
	}
	s := d.Subset([]int{3, 0})
	if want := [][]float64{{40, 10}, {-4, -1}}; !reflect.DeepEqual(s.Others, want) {
		t.Errorf("a subset has %v, want %v", s.Others, want)
	}
	w, err := d.Weighed()
	if want := [][]float64{{10, 30, 40}, {-1, -3, -4}}; err != nil || !reflect.DeepEqual(w.Others, want) {
		t.Errorf("weighed: %v, %v, want %v", w, err, want)
	}
	for c, want := range []Dataset{
		{Schema: table.Schema{Target: "y1", TargetUnit: "kW"}, Y: d.Y}, {Schema: table.Schema{Target: "y2", TargetUnit: "m"}, Y: d.Others[0]}, {Schema: table.Schema{Target: "y3"}, Y: d.Others[1]},
	} {
		one := d.Target(c)
		if err := one.Validate(); err != nil || one.Schema.Target != want.Schema.Target || one.Schema.TargetUnit != want.Schema.TargetUnit || !reflect.DeepEqual(one.Y, want.Y) {
			t.Errorf("target %d: %+v, %v", c, one, err)
		}
	}
	if len(d.Others) != 2 || len(d.Schema.Others) != 2 {
		t.Error("the data set was changed")
	}
	if k := classes(); k.Target(0) != k {
		t.Error("the only target is not the data set itself")
	}
	twin := targets().Subset([]int{0, 0})
	if Duplicates(twin) != 1 {
		t.Error("equal samples are not equal")
	}
	if twin.Others[1][1] = 5; Duplicates(twin) != 0 {
		t.Error("samples with different targets are equal")
	}
}
