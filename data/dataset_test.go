package data

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// A Dataset made by hand that training could stumble over is an *Error.
func TestValidate(t *testing.T) {
	sound := func() *Dataset {
		return &Dataset{
			Schema: table.Schema{Columns: []table.Column{{Name: "a", Encoding: table.Numeric},
				{Name: "c", Encoding: table.OneHot, Levels: []string{"u", "v"}}}, Target: "y"},
			X: [][]float64{{1, 0, 1}, {2, 1, 0}}, Y: []float64{1, 2},
		}
	}
	for want, break_ := range map[string]func(*Dataset){
		"":                                          func(d *Dataset) {},
		"no columns":                                func(d *Dataset) { d.Schema.Columns = nil },
		"target: the name is empty":                 func(d *Dataset) { d.Schema.Target = "" },
		"0 rows of x and 0 of y":                    func(d *Dataset) { d.X, d.Y = nil, nil },
		"2 rows of x and 1 of y":                    func(d *Dataset) { d.Y = d.Y[:1] },
		"row 2 has 2 values, want 3":                func(d *Dataset) { d.X[1] = d.X[1][:2] },
		`row 1, "c=u": NaN is not finite`:           func(d *Dataset) { d.X[0][1] = math.NaN() },
		`row 1, "a": +Inf is not finite`:            func(d *Dataset) { d.X[0][0], d.Missing.Policy = math.Inf(1), "mean" },
		`row 2, "y": NaN is not finite`:             func(d *Dataset) { d.Y[1], d.Missing.Policy = math.NaN(), "mean" },
		"1 groups for 2 rows":                       func(d *Dataset) { d.Groups = []int{1} },
		"1 row numbers for 2 rows":                  func(d *Dataset) { d.Rows = []int{1} },
		"groups cannot be combined with samples in": func(d *Dataset) { d.Groups, d.Ordered = []int{1, 1}, true },
		"3 weights for 2 rows":                      func(d *Dataset) { d.Weights = []float64{1, 1, 1} },
		"row 2: the weight -1":                      func(d *Dataset) { d.Weights = []float64{1, -1} },
		"the sum of the sample weights is 0":        func(d *Dataset) { d.Weights = []float64{0, 0} },
	} {
		d := sound()
		break_(d)
		err := d.Validate()
		if want == "" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		testenv.FailsAs[*table.Error](t, err, want)
	}
	d := sound()
	if d.X[0][0], d.Missing.Policy = math.NaN(), "mean"; d.Validate() != nil {
		t.Errorf("a missing cell: %v", d.Validate())
	}
}

// Whatever training can see changes the fingerprint, and nothing else does.
func TestFingerprint(t *testing.T) {
	sound := func() *Dataset {
		return &Dataset{
			Schema: table.Schema{Columns: []table.Column{{Name: "a", Encoding: table.Numeric}, {Name: "b", Encoding: table.Numeric}}, Target: "y"},
			X:      [][]float64{{1, 2}, {3, 4}}, Y: []float64{5, 6}, Weights: []float64{1, 2}, Groups: []int{1, 1}, Rows: []int{1, 2},
		}
	}
	seen := map[string]int{sound().Fingerprint(): -1}
	for i, change := range []func(*Dataset){
		func(d *Dataset) { d.Schema.Columns[0].Name = "c" },
		func(d *Dataset) { d.Schema.Columns[0].Encoding = table.Ordinal },
		func(d *Dataset) { d.Schema.Target = "z" },
		func(d *Dataset) { d.X[1][0] = math.Nextafter(3, 4) },
		func(d *Dataset) { d.Y[1] = math.Nextafter(6, 7) },
		func(d *Dataset) { d.X[0], d.X[1] = d.X[1], d.X[0] },
		func(d *Dataset) { d.X[1][1], d.Y[1] = d.Y[1], d.X[1][1] },
		func(d *Dataset) { d.Weights[0] = 3 },
		func(d *Dataset) { d.Weights = nil },
		func(d *Dataset) { d.Groups[0] = 2 },
		func(d *Dataset) { d.Ordered = true },
		func(d *Dataset) { d.Missing.Policy = "mean" },
		func(d *Dataset) { d.Schema.Classes = []string{"no", "yes"} },
		func(d *Dataset) { d.Schema.Others = []table.Other{{Name: "z"}} },
		func(d *Dataset) { d.Schema.Others, d.Others = []table.Other{{Name: "z"}}, [][]float64{{7, 8}} },
		func(d *Dataset) { d.Schema.Others, d.Others = []table.Other{{Name: "z"}}, [][]float64{{7, 9}} },
		func(d *Dataset) { d.X, d.Y = d.X[:1], d.Y[:1] },
	} {
		d := sound()
		change(d)
		if before, ok := seen[d.Fingerprint()]; ok {
			t.Errorf("change %d has the fingerprint of %d", i, before)
		}
		seen[d.Fingerprint()] = i
	}
	same := sound()
	same.Rows = []int{7, 9}
	if _, ok := seen[same.Fingerprint()]; !ok {
		t.Error("row numbers change the fingerprint")
	}
	if x := same.X[0]; cap(x) != 2 {
		t.Error("the data set was changed")
	}
}

// TestWeightlessRowsLeaveNoTrace: rows of weight zero, whatever is in them, change neither samples nor schema, nor
// how the rest is divided and copied. They are counted.
func TestWeightlessRowsLeaveNoTrace(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var with, without strings.Builder
	for _, b := range []*strings.Builder{&with, &without} {
		b.WriteString("a,c,w,g,y\n")
	}
	for i := range 60 {
		if rng.IntN(3) == 0 {
			with.WriteString([]string{"1e9,rare,0,alone,-1e9\n", ",,0.0,,\n", "odd,u,0,1,not a number\n"}[rng.IntN(3)])
		}
		row := fmt.Sprintf([]string{"%d,u,2,%d,3\n", "%d,v,1,%d,4\n", "%d,u,1.5,%d,7\n"}[i%3], i, i/4)
		with.WriteString(row)
		without.WriteString(row)
	}
	opts := table.Options{Target: "y", Weight: "w", Group: "g", Missing: "mean"}
	got, want := mustRead(t, with.String(), opts), mustRead(t, without.String(), opts)
	if got.Weightless == 0 || want.Weightless != 0 {
		t.Fatalf("%d and %d rows of weight zero", got.Weightless, want.Weightless)
	}
	alike := func(what string, got, want *Dataset) {
		t.Helper()
		g, w := *got, *want
		g.Rows, w.Rows, g.Weightless = nil, nil, 0
		testenv.Equal(t, g, w, "%s", what)
	}
	alike("table", got, want)
	for _, kind := range []string{"random", "chronological"} {
		var files [2][]byte
		var parts [2]*Parts
		for i, content := range []string{with.String(), without.String()} {
			s := Source{Path: writeFile(t, "t.csv", content), Options: opts, Split: Split{Kind: kind, Validation: 0.2, Calibration: 0.3}}
			if kind == "chronological" {
				s.Group = ""
			}
			var err error
			if parts[i], err = s.Load(context.Background()); err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			testenv.OK(t, s.WriteParts(dir, parts[i]))
			for _, name := range []string{"train.csv", "calibration.csv", "validation.csv", "test.csv"} {
				text := testenv.Must(os.ReadFile(filepath.Join(dir, name)))
				files[i] = append(files[i], text...)
			}
		}
		testenv.Equal(t, string(files[0]), string(files[1]), "%s: the files of the parts differ", kind)
		alike(kind+" train", parts[0].Train, parts[1].Train)
		alike(kind+" test", parts[0].Test, parts[1].Test)
	}
}

// TestWeightlessInMemory: the same of a data set that has them.
func TestWeightlessInMemory(t *testing.T) {
	d := numbered(t, 40)
	want := testenv.Must(d.Split(Split{}))
	rows := make([]int, 0, 80)
	for i := range 40 {
		rows = append(rows, i, i)
	}
	d = d.Subset(rows)
	d.Weights = make([]float64, 80)
	for i := 1; i < 80; i += 2 {
		d.Weights[i] = 1
	}
	got := testenv.Must(d.Split(Split{}))
	if !reflect.DeepEqual(got.Train.Y, want.Train.Y) || !reflect.DeepEqual(got.Test.Y, want.Test.Y) {
		t.Errorf("train %v, test %v; want %v and %v", got.Train.Y, got.Test.Y, want.Train.Y, want.Test.Y)
	}
	if w, err := d.Weighed(); err != nil || w.Len() != 40 || w.Weights != nil {
		t.Errorf("%d samples of weights %v, %v", w.Len(), w.Weights, err)
	}
}

// TestWeighed: a common factor changes no bit of the weights; they are of mean one, and those of whole numbers keep
// their ratios.
func TestWeighed(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	d := numbered(t, 500)
	d.Schema.Weight = "w"
	for _, draw := range []func() float64{rng.Float64, rng.ExpFloat64, func() float64 { return math.Exp(5 * rng.NormFloat64()) },
		func() float64 { return float64(1 + rng.IntN(9)) }} {
		weights := make([]float64, 500)
		for i := range weights {
			weights[i] = draw()
		}
		d.Weights = weights
		want := testenv.Must(d.Weighed())
		sum := 0.0
		for i, w := range want.Weights {
			sum += w
			if ratio := w / want.Weights[0] / (weights[i] / weights[0]); math.Abs(ratio-1) > 1e-8 {
				t.Fatalf("weights %v and %v became %v and %v", weights[0], weights[i], want.Weights[0], w)
			}
		}
		if math.Abs(sum-500) > 1e-9 || want.Schema.Weight != "w" {
			t.Errorf("the weights sum to %v, their name is %q", sum, want.Schema.Weight)
		}
		for _, factor := range []float64{0.01, 100, 1.0 / 3, math.Pi, 1e-200, 1e200} {
			d.Weights = slices.Clone(weights)
			for i := range d.Weights {
				d.Weights[i] *= factor
			}
			got, err := d.Weighed()
			if err != nil || !slices.Equal(got.Weights, want.Weights) {
				t.Errorf("the factor %v changes them, %v", factor, err)
			}
		}
		d.Weights = weights
	}
	again, err := d.Weighed()
	if err == nil {
		again, err = again.Weighed()
	}
	if first, _ := d.Weighed(); err != nil || !slices.Equal(again.Weights, first.Weights) {
		t.Errorf("weighed twice, they change, %v", err)
	}
	for i := range d.Weights {
		d.Weights[i] = 0.1 * 3
	}
	if w, err := d.Weighed(); err != nil || w.Weights != nil || w.Schema.Weight != "" || d.Schema.Weight != "w" {
		t.Errorf("equal weights became %v, %v", w.Weights, err)
	}
	d.Weights[0], d.Weights[1] = 5e-324, 1e300
	testenv.FailsWith(t, second(d.Weighed()), "too far", "weights too far apart")
}

// TestSchemaWeight: a table is read with the schema's weights, where it has them.
func TestSchemaWeight(t *testing.T) {
	schema := mustRead(t, "a,w,y\n1,1,1\n2,2,2\n", table.Options{Target: "y", Weight: "w"}).Schema
	for content, want := range map[string][]float64{"y,w,a\n1,3,1\n1,0,1\n": {3}, "y,a\n1,1\n": nil} {
		d, err := ReadAs(writeFile(t, "t.csv", content), schema, table.Options{})
		if err != nil || !reflect.DeepEqual(d.Weights, want) {
			t.Errorf("weights %v of %q, %v", d.Weights, content, err)
		}
	}
	for weight, want := range map[string]string{"y": "is the target", "a": "used twice", " w": "blanks"} {
		schema.Weight = weight
		testenv.FailsWith(t, schema.Validate(), want, "weight %q", weight)
	}
}

// TestMedoid: the typical row is one of the table, near the others in numbers of any unit and in categories, and complete.
func TestMedoid(t *testing.T) {
	d := &Dataset{Schema: table.Schema{Target: "y", Columns: []table.Column{
		{Name: "km", Encoding: table.Numeric}, {Name: "mm", Encoding: table.Numeric},
		{Name: "kind", Encoding: table.OneHot, Levels: []string{"a", "b", "c"}}}}}
	for i := range 50 {
		v := float64(i%7 - 3)
		d.X = append(d.X, []float64{v, 1e6 * v, 1, 0, 0})
	}
	d.X[0] = []float64{0, math.NaN(), 1, 0, 0}
	d.X[1] = []float64{0, 0, 0, 1, 0}
	d.X[2] = []float64{0, 3e9, 1, 0, 0}
	d.Y = make([]float64, len(d.X))
	if got := d.Medoid(); d.X[got][0] != 0 || d.X[got][1] != 0 || d.X[got][2] != 1 {
		t.Errorf("row %d is typical: %v", got, d.X[got])
	}
}

// Under Missing own a missing cell is a level of a category, and beside a number a feature of its own, in the table that is learned from
// and in later ones; other columns are as under mean.
func TestOwn(t *testing.T) {
	nan := math.NaN()
	path := writeFile(t, "own.csv", "a,deck,full,size,grade,y\n1,,7,S,,1\n,u,8,,hi,2\n3,missing,9,L,lo,3\n")
	o := table.Options{Target: "y", Missing: table.MissingOwn, Categorical: map[string]table.Coding{
		"size": table.NewCoding([]string{"S", "L"}, true), "grade": table.NewCoding([]string{"missing", "lo", "hi"}, true)}}
	s := Source{Path: path, Split: Split{Train: 1}, Options: o}
	d := testenv.Must(s.Load(context.Background())).Train
	testenv.Equal(t, d.Schema.Features(), strings.Split("a,a=missing,deck=missing,deck=u,full,size,grade", ","), "features")
	rows := [][]float64{{1, 0, 1, 0, 7, 1, 1}, {nan, 1, 0, 1, 8, nan, 3}, {3, 0, 1, 0, 9, 2, 2}}
	for n, at := range d.Rows {
		if !same(d.X[n:n+1], rows[at-1:at]) {
			t.Errorf("row %d: %v, want %v", at, d.X[n], rows[at-1])
		}
	}
	testenv.Equal(t, d.Missing, table.Missing{Policy: "mean", Cells: 4, Imputed: 1, Own: 3,
		Columns: map[string]int{"a": 1, "deck": 1, "size": 1, "grade": 1}}, "counts")
	testenv.OK(t, d.Schema.Validate())

	later := writeFile(t, "later.csv", "a,deck,full,size,grade,y\n,,7,S,,1\n,w,8,S,w,2\n")
	read := testenv.Must(ReadAs(later, d.Schema, table.Options{Lenient: true}))
	if want := [][]float64{{nan, 1, 1, 0, 7, 1, 1}, {nan, 1, 0, 0, 8, 1, 1}}; !same(read.X, want) {
		t.Errorf("later: %v, want %v", read.X, want)
	}
	strict := writeFile(t, "strict.csv", "a,deck,full,size,grade,y\n,,7,S,,1\n,,,S,,2\n")
	testenv.FailsWith(t, second(ReadAs(strict, d.Schema, table.Options{})), `strict.csv:3:3: column "full": the cell is blank`, "strict")
}
