package data

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/internal/data/series"
	"github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// shops writes a table of two series, one after the other, of days from the first of January; the second begins some days later.
func shops(t *testing.T, days, later int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("when,shop,y,w\n")
	for s := range 2 {
		for day := s * later; day < days; day++ {
			fmt.Fprintf(&b, "%s,s%d,%d,1\n", time.Date(2024, 1, 1+day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), s, 1000*s+day)
		}
	}
	path := filepath.Join(t.TempDir(), "shops.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTimeParts: samples of one time, of all series, are in one part, in splits and folds, and parts and folds go forward.
func TestTimeParts(t *testing.T) {
	s := Source{Path: shops(t, 30, 5), Options: table.Options{Target: "y", Weight: "w", Units: map[string]string{"y": "kg"},
		Ignore: []string{"w2"},
		Time:   &series.Spec{Time: "when", Series: "shop", Horizon: 1, Lags: []series.Lags{{Column: "y", Steps: []int{1, 2}}}}},
		Split: Split{Train: 0.62, Validation: 0.13, Calibration: 0.17}}
	if _, err := s.Load(context.Background()); err == nil || !strings.Contains(err.Error(), "w2") {
		t.Fatalf("an unknown column is ignored: %v", err)
	}
	s.Ignore = nil
	p := testenv.Must(s.Load(context.Background()))
	before := -1
	for _, part := range []*Dataset{p.Train, p.Calibration, p.Validation, p.Test} {
		first, last := part.Clock.Steps[part.Rows[0]-1], part.Clock.Steps[part.Rows[part.Len()-1]-1]
		if first <= before || !part.Ordered {
			t.Errorf("a part begins at %d, the one before ends at %d", first, before)
		}
		before = last
	}
	for _, folds := range [][]Fold{testenv.Must(p.Train.Folds(3, nil)), p.Train.HoldOut(2, 0.3, nil)} {
		for _, f := range folds {
			last, next := p.Train.Rows[f.Train[len(f.Train)-1]]-1, p.Train.Rows[f.Held[0]]-1
			if p.Train.Clock.Steps[last] >= p.Train.Clock.Steps[next] {
				t.Errorf("a fold trains on a time that it holds out: %v", f)
			}
		}
	}
	d := p.Train
	want := []string{"shop=s0", "shop=s1", "y 1 day before", "y 2 days before"}
	testenv.Equal(t, fmt.Sprint(d.Schema.Features()), fmt.Sprint(want), "features")
	if d.Schema.Columns[1].Unit != "kg" || d.Schema.Time.Step != "day" {
		t.Errorf("%+v", d.Schema)
	}
	for n, x := range d.X {
		if x[2] != d.Y[n]-1 || x[3] != d.Y[n]-2 {
			t.Errorf("sample %d of %v has %v", n, d.Y[n], x)
		}
	}
	dir := t.TempDir()
	if err := s.WriteParts(dir, p); err != nil {
		t.Fatal(err)
	}
	again := testenv.Must(ReadAs(dir+"/test.csv", d.Schema, Options{}))
	testenv.Equal(t, fmt.Sprint(again.X, again.Y), fmt.Sprint(p.Test.X, p.Test.Y), "the samples of test.csv")
}

// TestTimeOfModel: faults of a table that a model reads are those of the table, without keys of training.
func TestTimeOfModel(t *testing.T) {
	schema := Schema{Target: "y", Columns: []Column{{Name: "y 1 day before", Encoding: table.Numeric}},
		Time: &series.Spec{Time: "when", Step: "day", Horizon: 1, Lags: []series.Lags{{Column: "y", Steps: []int{1}}}}}
	for text, want := range map[string]string{
		"when,z\n2024-01-01,1\n":                  `t.csv: the table has no column "y"`,
		"when,y\n2024-01-01,1\n":                  "the longest series has 1: no sample is left: give more rows",
		"when,y\n2024-01-01,1\n2060-01-01,1\n":    "t.csv: more than 1000 times as many steps",
		"when,y\n2024-01-02,1\n2024-01-01,1\n":    "t.csv:3: column \"when\": \"2024-01-01\" comes after",
		"when,y\n2024-01-02,1\n2024-01-02,1\n":    "t.csv:3: column \"when\": \"2024-01-02\" is the time of line 2, too",
		"when,y\n2024-01-02,a\n2024-01-03,1\n":    `t.csv:3: column "y 1 day before": "a" is not a plain decimal number`,
		"when,y\n2024-01-02,1\n2024-01-03,1\n":    "",
		"y 1 day before,when\n-,2024-01-02\n":     `"-" is not a plain decimal number: correct it, or leave it blank`,
		"y 1 day before,when\n1_000,2024-01-02\n": `"1_000" has thousands separators: write it without them`,
	} {
		r, err := NewReader(Input{Name: "t.csv", Reader: strings.NewReader(text)}, schema, ReaderOptions{Lenient: true})
		if err == nil {
			var b Batch
			if err = r.Next(&b); err == nil {
				err = b.Parse()
			}
		}
		var fault *Error
		if want == "" && err == nil {
			continue
		}
		if !errors.As(err, &fault) || want == "" || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "data.") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestTimeRefuses: what a table of time stamps cannot be combined with.
func TestTimeRefuses(t *testing.T) {
	for key, change := range map[string]func(*Source){
		"data.split":     func(s *Source) { s.Split.Kind = "random" },
		"data.test_path": func(s *Source) { s.TestPath = "t.csv" },
		"data.group":     func(s *Source) { s.Group = "g" },
		"data.target":    func(s *Source) { s.Task = "classification" },
		"data.lags":      func(s *Source) { s.Time.Lags[0].Steps = []int{0} },
		"data.time":      func(s *Source) { s.Path, s.Builtin, s.Target = "", "sinc", "" },
	} {
		s := Source{Path: "x.csv", Options: table.Options{Target: "y",
			Time: &series.Spec{Time: "when", Horizon: 1, Lags: []series.Lags{{Column: "y", Steps: []int{1}}}}}}
		change(&s)
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), key+": ") {
			t.Errorf("%s: %v", key, err)
		}
	}
}
