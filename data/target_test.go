package data

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// classes is a data set of a target of three classes.
func classes() *Dataset {
	return &Dataset{
		Schema: table.Schema{Columns: []table.Column{{Name: "a", Encoding: table.Numeric}}, Target: "kind",
			Classes: []string{"bad", "fair", "good"}},
		X: [][]float64{{1}, {2}, {3}, {4}}, Y: []float64{2, 0, 1, 2}, Rows: []int{1, 2, 3, 4},
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
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !errors.As(err,
			new(*table.Error))) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func TestTargetsAreCarried(t *testing.T) {
	d := targets()
	testenv.Equal(t, d.Schema.Targets(), []string{"y1", "y2", "y3"}, "targets")
	s := d.Subset([]int{3, 0})
	testenv.Equal(t, s.Others, [][]float64{{40, 10}, {-4, -1}}, "a subset has")
	w, err := d.Weighed()
	if want := [][]float64{{10, 30, 40}, {-1, -3, -4}}; err != nil || !reflect.DeepEqual(w.Others, want) {
		t.Errorf("weighed: %v, %v, want %v", w, err, want)
	}
	for c, want := range []Dataset{
		{Schema: table.Schema{Target: "y1", TargetUnit: "kW"}, Y: d.Y}, {Schema: table.Schema{Target: "y2", TargetUnit: "m"}, Y: d.Others[0]},
		{Schema: table.Schema{Target: "y3"}, Y: d.Others[1]},
	} {
		one := d.Target(c)
		if err := one.Validate(); err != nil || one.Schema.Target != want.Schema.Target || one.Schema.TargetUnit != want.Schema.TargetUnit ||
			!reflect.DeepEqual(one.Y, want.Y) {
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

// rowsOfTarget is a table of a target of the given cells.
func rowsOfTarget(delimiter string, cells ...string) string {
	var b strings.Builder
	b.WriteString("a" + delimiter + "y\n")
	for i, cell := range cells {
		b.WriteString(strings.Repeat("1", i%7+1) + delimiter + cell + "\n")
	}
	return b.String()
}

func TestReadClasses(t *testing.T) {
	for _, c := range []struct {
		name    string
		cells   []string
		opts    table.Options
		classes []string
		y       []float64
	}{
		{"words", []string{"b", "a", " b", "a ", "b", "a"}, table.Options{}, []string{"a", "b"}, []float64{1, 0, 1, 0, 1, 0}},
		{"numbers are regression", []string{"1", "0", "1", "0", "1", "0"}, table.Options{}, nil, []float64{1, 0, 1, 0, 1, 0}},
		{"numbers as classes", []string{"10", "9", "09", "10.0", "9", "1e1"}, table.Options{Task: "classification"}, []string{"9", "10"},
			[]float64{1, 0, 0, 1, 0, 1}},
		{"negative zero", []string{"-0", "1", "0", "1", "0.", "1"}, table.Options{Task: "classification"}, []string{"0", "1"},
			[]float64{0, 1, 0, 1, 0, 1}},
		{"texts as written", []string{"01", "1", "x", "01", "1", "x", "01", "1", "x"}, table.Options{Task: "classification"},
			[]string{"01", "1", "x"}, []float64{0, 1, 2, 0, 1, 2, 0, 1, 2}},
		{"no words", []string{">50K", "<=50K", ">50K", "<=50K", ">50K", "<=50K"}, table.Options{Task: "classification"},
			[]string{"<=50K", ">50K"}, []float64{1, 0, 1, 0, 1, 0}},
		{"missing", []string{"a", "", "-9", "b", "a", "b", "a", "b"},
			table.Options{Task: "classification", Missing: "drop", NA: table.NA{"y": {"-9"}}}, []string{"a", "b"}, []float64{0, 1, 0, 1, 0, 1}},
		{"a missing number", []string{"1", "-9.0", "2", "1", "2", "1", "2"},
			table.Options{Task: "classification", Missing: "drop", NA: table.NA{"y": {"-9"}}}, []string{"1", "2"}, []float64{0, 1, 0, 1, 0, 1}},
	} {
		c.opts.Target = "y"
		for _, delimiter := range []string{",", ";"} {
			d := mustRead(t, rowsOfTarget(delimiter, c.cells...), c.opts)
			if !reflect.DeepEqual(d.Schema.Classes, c.classes) || !reflect.DeepEqual(d.Y, c.y) {
				t.Errorf("%s: classes %q, y %v, want %q, %v", c.name, d.Schema.Classes, d.Y, c.classes, c.y)
			}
			if err := d.Validate(); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
}

// A class that only rows left out have is none.
func TestClassesOfRowsKept(t *testing.T) {
	content := "a,w,y\n1,1,u\n2,1,v\n3,1,u\n4,1,v\n5,1,u\n6,1,v\n?,1,x\n7,0,z\n"
	d := mustRead(t, content, table.Options{Target: "y", Weight: "w", Missing: "drop"})
	if want := []string{"u", "v"}; !reflect.DeepEqual(d.Schema.Classes, want) || d.Len() != 6 {
		t.Errorf("%d samples of classes %q, want %q", d.Len(), d.Schema.Classes, want)
	}
}

func TestClassFaults(t *testing.T) {
	many := make([]string, table.MaxClasses+1)
	for i := range many {
		many[i] = "c" + strings.Repeat("x", i)
	}
	three := "u,v,u,v,u,v,"
	for _, c := range []struct {
		cells, task, want string
	}{
		{"u,u,u", "", `t.csv: column "y" has one class only, "u": there is nothing to predict`},
		{"1,1.0,01", "classification", `t.csv: column "y" has one class only, "1": there is nothing to predict`},
		{three + "w", "", `t.csv:8:9: column "y": the class "w" occurs only once: give at least 3 rows of each class, ` +
			`so that it can be trained on and tested, or leave its rows out, or join it with another class`},
		{"w," + three + "w", "", `t.csv:2:3: column "y": the class "w" occurs only twice: give`},
		{three + "w,x,x", "", `t.csv:8:9: column "y": the classes "w", "x" occur only once or twice: give`},
		{"1,2,1,2,1,2.5", "classification",
			`column "y": "2.5" is not a whole number of at most 15 digits, and so not a class: set task: regression`},
		{"1e15,2,1,2", "classification", `t.csv:2:3: column "y": "1e15" is not a whole number`},
		{strings.Join(many, ","), "",
			`column "y" has more than 1000 classes: choose another target (data.target), or set task: regression to predict numbers`},
		{"u,v,7", "", `t.csv:2:3: column "y": "u" is not a plain decimal number: correct it, ` +
			`or list it in data.na if it marks a missing value, ` +
			`or set task: classification to predict classes ("7" in a later row is not a category)`},
		{"7,8,u", "", `t.csv:4:5: column "y": "u" is not a plain decimal number: correct it, ` +
			`or list it in data.na if it marks a missing value, or set task: classification`},
		{"u,v", "regression", `t.csv:2:3: column "y": "u" is not a plain decimal number: correct it`},
		{"u,,v", "", `t.csv:3:4: column "y": the cell is blank: give it a value, or set data.missing to drop`},
		{"u,v\xff,u", "", `column "y": "v\xff" is not valid UTF-8`},
	} {
		_, err := read(strings.NewReader(rowsOfTarget(",", strings.Split(c.cells, ",")...)), "t.csv", table.Options{Target: "y", Task: c.task})
		testenv.FailsAs[*table.Error](t, err, c.want)
	}
}

// A table is read by known classes: others are an error, also where reading is lenient.
func TestReadKnownClasses(t *testing.T) {
	numbers := table.Schema{Columns: []table.Column{{Name: "a", Encoding: table.Numeric}}, Target: "y", Classes: []string{"1", "2", "10"}}
	words := table.Schema{Columns: []table.Column{{Name: "a", Encoding: table.Numeric}}, Target: "y", Classes: []string{"low", "high"}}
	for _, c := range []struct {
		schema table.Schema
		cells  []string
		y      []float64
		want   string
	}{
		{numbers, []string{"10", "01", "2.0"}, []float64{2, 0, 1}, ""},
		{numbers, []string{"10", "3"}, nil, `t.csv:3:4: column "y": "3" is not one of its classes ("1", "2", "10")`},
		{words, []string{"high", " low", ""}, []float64{1, 0}, ""},
		{words, []string{"high", "hihg"}, nil, `t.csv:3:4: column "y": "hihg" is not one of its classes; did you mean "high"? ("low", "high")`},
	} {
		path := writeFile(t, "t.csv", rowsOfTarget(",", c.cells...))
		d, err := ReadAs(path, c.schema, table.Options{Lenient: true})
		switch {
		case c.want == "" && (err != nil || !reflect.DeepEqual(d.Y, c.y) || d.Validate() != nil):
			t.Errorf("%v, %v, want %v", d, err, c.y)
		case c.want != "" && (err == nil || !strings.HasSuffix(err.Error(), c.want)):
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

func TestReadTargets(t *testing.T) {
	opts := table.Options{Target: "y2", Others: []string{"y1"}, Units: map[string]string{"y1": "kW"}, Missing: "drop"}
	d := mustRead(t, "y1;a;y2\n1,5;2;3\n2;;4\n;5;6\n3;7;?\n4;8;9\n", opts)
	want := table.Schema{Columns: []table.Column{{Name: "a", Encoding: table.Numeric}}, Target: "y2",
		Others: []table.Other{{Name: "y1", Unit: "kW"}}}
	if !reflect.DeepEqual(d.Schema, want) || !reflect.DeepEqual(d.Y, []float64{3, 9}) || !reflect.DeepEqual(d.Others, [][]float64{{1.5, 4}}) {
		t.Errorf("%+v, want the schema %+v", d, want)
	}
	if !reflect.DeepEqual(d.Commas, []string{"y1"}) || d.Missing.Columns["y1"] != 1 || d.Missing.Columns["y2"] != 1 {
		t.Errorf("commas in %q, missing %+v", d.Commas, d.Missing)
	}
	path := writeFile(t, "t.csv", "a,y2,x,y1\n1,2,3,4\n5,6,7,8\n")
	again, err := ReadAs(path, d.Schema, table.Options{})
	if err != nil || !reflect.DeepEqual(again.Y, []float64{2, 6}) || !reflect.DeepEqual(again.Others, [][]float64{{4, 8}}) {
		t.Errorf("%+v, %v", again, err)
	}
	if _, err := ReadAs(writeFile(t, "t.csv", "a,y2\n1,2\n"), d.Schema, table.Options{}); err == nil ||
		!strings.Contains(err.Error(), `the target: the table has no column "y1"`) {
		t.Errorf("%v", err)
	}
}

func TestTaskFaults(t *testing.T) {
	for _, c := range []struct {
		opts table.Options
		want string
	}{
		{table.Options{Target: "y", Task: "clasification"}, `task: "clasification": want auto, regression or classification`},
		{table.Options{Target: "y", Others: []string{"z"}, Task: "classification"},
			"task: classification of 2 targets: classes are predicted of one target"},
		{table.Options{Target: "y", Others: []string{"y"}}, `data.target: column "y" is given twice`},
		{table.Options{Target: "y", Others: []string{""}}, "data.target: name the column to predict"},
		{table.Options{Target: "y", Others: []string{"z"}, Ignore: []string{"z"}}, `data.ignore: column "z" is already named by data.target`},
		{table.Options{Target: "y", Others: []string{"z"}, Features: []string{"z"}}, `data.features: column "z" is already named by data.target`},
		{table.Options{Target: "y", Others: []string{"z"}, Weight: "z"}, `data.weight: column "z" is already named by data.target`},
		{table.Options{Target: "y", Others: []string{"z"}, Group: "z"}, `data.group: column "z" is already named by data.target`},
		{table.Options{Target: "y", Others: make([]string, table.MaxTargets)}, "data.target: 101 targets: at most 100"},
	} {
		testenv.FailsWith(t, second(Read("none.csv", c.opts)), c.want)
	}
	_, err := read(strings.NewReader("a,y,z\n1,2,u\n"), "t.csv", table.Options{Target: "y", Others: []string{"z"}})
	want := `t.csv:2:5: column "z": "u" is not a plain decimal number: correct it, or list it in data.na if it marks a missing value`
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// The parts of a table of classes, and of one with two targets, are copied unchanged, and a change is found.
func TestWritePartsOfTargets(t *testing.T) {
	for _, c := range []struct {
		opts                  table.Options
		before, change, after string
	}{
		{table.Options{Target: "y"}, "a,y\n1,u\n2,v\n3,u\n4,v\n5,u\n6,v\n", "3,u", "3,v"},
		{table.Options{Target: "y", Task: "classification"}, "a,y\n1,1.0\n2,2\n3,1\n4,2\n5,1\n6,02\n", "1.0", "2.0"},
		{table.Options{Target: "y", Others: []string{"z"}}, "a,y,z\n1,1,5\n2,2,6\n3,1,7\n4,2,8\n5,1,9\n", "7", "8"},
	} {
		s := Source{Path: writeFile(t, "t.csv", c.before), Options: c.opts, Split: Split{Kind: "random", Train: 1}}
		p := testenv.Must(s.Load(context.Background()))
		testenv.OK(t, s.WriteParts(t.TempDir(), p))
		s.Path = writeFile(t, "t.csv", strings.Replace(c.before, c.change, c.after, 1))
		testenv.FailsWith(t, s.WriteParts(t.TempDir(), p), "the table changed while it was used")
	}
}
