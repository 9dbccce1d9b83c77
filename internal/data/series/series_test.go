package series

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// start is the first time of the tables of tests.
var start = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

// read makes a history of rows of cells; a line without a value in the last column has no target.
func read(spec Spec, columns []string, rows [][]string) (*History, error) {
	spec.Blank = func(cell string) bool { return cell == "" }
	n := 0
	return New(spec, columns, func() ([]string, int, error) {
		if n == len(rows) {
			return nil, 0, nil
		}
		n++
		return rows[n-1], n + 1, nil
	})
}

// design is a table and how its rows become samples, drawn at random.
type design struct {
	spec    Spec
	rows    [][]string
	columns []string
}

// draw returns a design: of one or two series, with gaps, columns known in advance and others, and any horizon.
func draw(rng *rand.Rand) design {
	h := 1 + rng.IntN(6)
	d := design{columns: []string{"when", "shop", "known", "seen", "y"},
		spec: Spec{Time: "when", Series: "shop", Target: "y", Horizon: h, Calendar: []string{"hour"}}}
	if rng.IntN(2) == 0 {
		d.spec.Last = h + rng.IntN(4)
	}
	from := func(least int) (steps []int) {
		for range 1 + rng.IntN(3) {
			if lag := least + rng.IntN(8); !slices.Contains(steps, lag) {
				steps = append(steps, lag)
			}
		}
		return steps
	}
	d.spec.Lags = []Lags{{"y", from(h)}, {"known", append(from(1), 0)}, {"seen", from(d.spec.Steps())}}
	for s := range 1 + rng.IntN(2) {
		for p := range 40 {
			if p == 0 || p == 1 || rng.IntN(12) > 0 {
				at := start.Add(time.Duration(p) * time.Hour).Format("2006-01-02 15:04")
				d.rows = append(d.rows, []string{at, strconv.Itoa(s), cell("known", s, p), cell("seen", s, p), cell("y", s, p)})
			}
		}
	}
	return d
}

// cell names a cell by column, series and position.
func cell(column string, series, p int) string { return fmt.Sprintf("%s/%d/%d", column, series, p) }

// TestLeaks draws 50 designs in which each cell names its place: no feature of a sample is of another series, or of a time that is not
// known at the origin of its forecast, and all features are what their names say. Then it breaks the rule in each design, which Check
// must refuse.
func TestLeaks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	cells, directs := 0, 0
	for n := range 50 {
		d := draw(rng)
		direct := d.spec
		if direct.Target, direct.Way = "y", Direct; n%2 == 1 && direct.Check("y") == nil {
			d.spec = *direct.Chosen()
			directs++
		}
		if f := d.spec.Check("y"); f != nil {
			t.Fatalf("design %d: %v", n, f[0])
		}
		h, err := read(d.spec, d.columns, d.rows)
		if err != nil {
			t.Fatalf("design %d: %v", n, err)
		}
		all, err := h.Samples(true)
		if err != nil {
			t.Fatalf("design %d: %v", n, err)
		}
		for i, sample := range all.Cells {
			series, now := h.Series[all.Clock.Series[i]].Name, all.Clock.Steps[i]
			for k, name := range all.Columns {
				parts := strings.Split(sample[k], "/")
				if len(parts) != 3 || name == "y" {
					continue
				}
				cells++
				column, at := parts[0], must(strconv.Atoi(parts[2]))
				ahead := column == "known" && at <= now
				if parts[1] != series || !ahead && at > now-d.spec.Horizon || column == "seen" && at > now-d.spec.Steps() {
					t.Errorf("design %d: the sample of %d of series %s has %s in %q", n, now, series, sample[k], name)
				}
				if want := h.Spec.Name(column, now-at); name != want {
					t.Errorf("design %d: %s at %d is named %q, want %q", n, sample[k], now, name, want)
				}
			}
		}
		for i, leak := range []int{d.spec.Horizon - 1, -1, d.spec.Steps() - 1} { // into y, known and seen
			bad := d.spec
			bad.Lags = slices.Clone(d.spec.Lags)
			bad.Lags[i].Steps = append(slices.Clone(bad.Lags[i].Steps), leak)
			if i == 2 && leak == 0 {
				continue // declares that it is known in advance
			}
			if bad.Check("y") == nil {
				t.Errorf("design %d: lag %d of %s is not refused: %+v", n, leak, bad.Lags[i].Column, bad)
			}
		}
	}
	if cells < 5000 || directs == 0 {
		t.Errorf("only %d cells were looked at, and %d designs of direct forecasts", cells, directs)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// table returns rows of stamps with the values 0, 1, ...
func table(stamps ...string) (rows [][]string) {
	for i, s := range stamps {
		rows = append(rows, []string{s, strconv.Itoa(i)})
	}
	return rows
}

// TestStamps reads formats and finds steps; faults name row and remedy.
func TestStamps(t *testing.T) {
	for _, c := range []struct{ stamps, want string }{
		{"2024-03-01 00:00,2024-03-01 01:00,2024-03-01 02:00", "hour"},
		{"2024-03-01T00:00:00Z,2024-03-01T00:15:00Z,2024-03-01T00:30:00Z", "15 minutes"},
		{"2024-03-30T00:00:00+01:00,2024-03-31T00:00:00+01:00,2024-04-01T00:00:00+02:00", "day"},
		{"2024-02-26,2024-03-04,2024-03-11", "week"},
		{"29.02.2024,01.03.2024,02.03.2024", "day"},
		{"01/02/2024,01/03/2024,01/04/2024,01/13/2024", "day"},
		{"13/01/2024,14/01/2024,15/01/2024", "day"},
		{"01/01/2024,02/01/2024,03/01/2024,05/01/2024", "month"},
		{"2024-01-31,2024-02-29,2024-03-31", "month"},
		{"1749-01,1749-02,1749-04", "month"},
		{"2024-Q1,2024-Q2,2025-Q1", "quarter"},
		{"1990,1991,1992", "year"},
		{"2024-03-01,2024-03-03,2024-03-02", "line 4: column \"when\": \"2024-03-02\" comes after \"2024-03-03\" in line 3"},
		{"2024-03-01,2024-03-02,2024-03-02", "line 4: column \"when\": \"2024-03-02\" is the time of line 3, too"},
		{"2024-03-01,2024-03-02,someday", "line 4: column \"when\": \"someday\" is no time stamp"},
		{"2024-03-01 00:00,2024-03-01 01:00,2024-03-01 02:00,2024-03-01 02:30",
			"line 5: column \"when\": \"2024-03-01 02:30\" is not in steps of 1 hour"},
		{"2024-03-01", "no step is found"},
	} {
		h, err := read(Spec{Time: "when", Target: "y", Horizon: 1, Lags: []Lags{{"y", []int{1}}}}, []string{"when", "y"},
			table(strings.Split(c.stamps, ",")...))
		got := ""
		if f, ok := err.(*Fault); ok && f.Line > 0 {
			got = fmt.Sprintf("line %d: %s", f.Line, f.Message)
		} else if err != nil {
			got = err.Error()
		} else {
			got = h.Spec.Step
		}
		if !strings.Contains(got, c.want) || err == nil && got != c.want {
			t.Errorf("%s: %q, want %q", c.stamps, got, c.want)
		}
		if err == nil && parseStep(got).String() != got {
			t.Errorf("%q is read as %q", got, parseStep(got))
		}
	}
}

// TestSamples makes samples over a gap and of rows after the last target.
func TestSamples(t *testing.T) {
	spec := Spec{Time: "when", Target: "y", Horizon: 1, Lags: []Lags{{"y", []int{1, 2}}}, Calendar: []string{"weekday", "month"}}
	rows := table("2024-03-01", "2024-03-02", "2024-03-03", "2024-03-05", "2024-03-06", "2024-03-07", "2024-03-08", "2024-03-09")
	rows[6][1], rows[7][1] = "", ""
	h := must(read(spec, []string{"when", "y"}, rows))
	for _, c := range []struct {
		learn bool
		want  string
	}{
		{true, "[2024-03-03 1 0 7 3 2] [2024-03-07 4 3 4 3 5]"},
		{false, "[2024-03-03 1 0 7 3 2] [2024-03-07 4 3 4 3 5] [2024-03-08 5 4 5 3 ]"},
	} {
		all := must(h.Samples(c.learn))
		if got := strings.Trim(fmt.Sprint(all.Cells), "[]"); got != strings.Trim(c.want, "[]") {
			t.Errorf("learn %v: %s, want %s", c.learn, got, c.want)
		}
		if all.Clock.Start != 2 || all.Clock.Left != 2 || !strings.Contains(all.Clock.Notes[1], "1 day after 2024-03-03 (line 5)") {
			t.Errorf("%+v", all.Clock)
		}
	}
	if got := fmt.Sprint(h.Columns()); got != "[when y 1 day before y 2 days before weekday month y]" {
		t.Error(got)
	}
	of := Spec{Time: "month", Lags: []Lags{{"hour", []int{0}}}, Calendar: []string{"hour", "weekday", "month"}}
	if got := fmt.Sprint(of.Features()); got != "[hour calendar hour weekday calendar month]" {
		t.Error(got)
	}
	spec.Lags[0].Steps = []int{9}
	h = must(read(spec, []string{"when", "y"}, rows))
	if _, err := h.Samples(true); err == nil || !strings.Contains(err.Error(), "the longest lag is 9 steps") {
		t.Error(err)
	}
}

// TestCheck refuses values of keys, and names the key.
func TestCheck(t *testing.T) {
	good := Spec{Time: "when", Horizon: 2, Last: 4, Lags: []Lags{{"y", []int{2}}, {"wind", []int{4}}, {"sun", []int{0, 1}}}}
	if f := good.Check("y"); f != nil {
		t.Error(f[0])
	}
	direct := good
	direct.Target, direct.Way, direct.Lags = "y", Direct, []Lags{{"y", []int{2, 4, 3, 9}}, {"wind", []int{4}}}
	if got := direct.Chosen(); got.Check("y") != nil || got.HorizonText() != "4" || fmt.Sprint(got.Lags) != "[{y [4 9]} {wind [4]}]" {
		t.Errorf("direct forecasts have %+v", got)
	}
	direct.Way = Recursive
	if got := direct.Chosen(); got.HorizonText() != "2..4" || len(got.Lags[0].Steps) != 4 {
		t.Errorf("recursive forecasts have %+v", got)
	}
	for key, change := range map[string]func(*Spec){
		"data.time: name the column":               func(s *Spec) { s.Time = "" },
		"data.time: column \"y\" is the target":    func(s *Spec) { s.Time = "y" },
		"data.series: column \"y\"":                func(s *Spec) { s.Series = "y" },
		"data.horizon: 0..4: want":                 func(s *Spec) { s.Horizon = 0 },
		"data.season: -1":                          func(s *Spec) { s.Season = -1 },
		"data.lags: name past values":              func(s *Spec) { s.Lags = nil },
		"data.lags: column \"y\": lag 0 of the":    func(s *Spec) { s.Lags = []Lags{{"y", []int{0}}} },
		"data.lags: column \"y\": lag 1 is not":    func(s *Spec) { s.Lags = []Lags{{"y", []int{1}}} },
		"data.lags: column \"wind\": lag 3 is not": func(s *Spec) { s.Lags = []Lags{{"wind", []int{3}}} },
		"data.lags: column \"y\": lag 3 is given":  func(s *Spec) { s.Lags = []Lags{{"y", []int{3, 3}}} },
		"data.lags: column \"when\" is given":      func(s *Spec) { s.Lags = []Lags{{"when", []int{9}}} },
		"data.forecast: direct: no lag of \"y\"":   func(s *Spec) { s.Way = Direct },
		"data.forecast: recursive: applies to a":   func(s *Spec) { s.Way, s.Last = Recursive, 0 },
		"data.calendar: \"noon\"":                  func(s *Spec) { s.Calendar = []string{"noon"} },
	} {
		bad := good
		change(&bad)
		if f := bad.Check("y"); f == nil || !strings.HasPrefix(f[0].Key+": "+f[0].Message, key) {
			t.Errorf("want %s, got %v", key, f)
		}
	}
}
