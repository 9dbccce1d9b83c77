package workbench

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/internal/config"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// odd is a table whose columns call for all kinds of remedies: claims per exposure, days in order, a size far out, a year that is none.
func odd() string {
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("when,size,half,exposure,region,grade,year,broker,claims\n")
	for i := range 600 {
		size, year := fmt.Sprintf("%.1f", 50+8*rng.NormFloat64()), fmt.Sprint(1950+rng.IntN(60))
		switch {
		case i == 17:
			size = "99000"
		case i%30 == 4:
			size = ""
		case i == 5:
			year = "19"
		}
		exposure := 0.1 + math.Round(90*rng.Float64())/100
		claims := rng.IntN(3) * rng.IntN(2)
		if rng.Float64() < exposure {
			claims++
		}
		fmt.Fprintf(&b, "2020-%02d-%02d,%s,%v,%.2f,%s,%s,%s,%d,%d\n", i/28%12+1, i%28+1, size, float64(i%10)/2, exposure,
			[]string{"north", "south", "east"}[i%3], []string{"low", "mid", "high"}[rng.IntN(3)], year, i/20, claims)
	}
	return b.String()
}

// TestProposals: each proposal can be taken by itself, and together they are in the configuration, as what the page sets of columns is.
func TestProposals(t *testing.T) {
	b := bench(t)
	if _, err := b.Upload("odd.csv", strings.NewReader(odd())); err != nil {
		t.Fatal(err)
	}
	l, _ := ask[looked](t, b, "look", `{"table": "odd.csv"}`)
	labels := map[string]bool{}
	for _, p := range l.Proposals {
		labels[p.Label] = true
		args := map[string]any{"table": "odd.csv"}
		if p.Column == "" {
			args["set"] = p.Set
		} else {
			parts := map[string]map[string]string{}
			for key, part := range p.Set {
				parts[key] = map[string]string{p.Column: part}
			}
			args["columns"] = parts
		}
		text, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		taken, _ := ask[looked](t, b, "look", string(text))
		for key := range p.Set {
			_, own, _ := strings.Cut(key, ".")
			if strings.Contains(taken.Config, "\n  "+own+": ") == (p.Label == "Remove the limits") {
				t.Errorf("%s: no %s in\n%s", p.Label, key, taken.Config)
			}
		}
		if p.Text == "" || strings.Contains(p.Why, "data.") {
			t.Errorf("%s: because %q, %q", p.Label, p.Text, p.Why)
		}
	}
	for _, want := range []string{"Take loss poisson", "Predict per unit of exposure", "Limit it to at most 160", "Read 19 as missing",
		"Remove the limits", "Let the mean stand in", "Leave these rows out"} {
		if !labels[want] {
			t.Errorf("%q is not among %v", want, labels)
		}
	}
	chosen, _ := ask[looked](t, b, "look", `{"table": "odd.csv", "leave_out": ["when", "broker"], "set": {"data.group": "broker"}, "columns": {
		"data.categorical": {"grade": ["low", "mid", "high"], "half": "onehot"}, "data.na": {"year": "[\"19\"]", "half": ["0.5"]},
		"model.roles": {"size": "if"}, "model.monotone": {"year": "increasing"}}}`)
	want := map[string]column{"when": {Type: unused}, "broker": {Type: asGroup},
		"grade": {Type: asOrdered, Order: []string{"low", "mid", "high"}},
		"half":  {Type: asCategory, NA: []string{"0.5"}}, "size": {Type: asNumber, Role: "if"}, "region": {Type: asCategory},
		"year": {Type: asNumber, Direction: "increasing", NA: []string{"19"}}}
	for _, c := range chosen.Columns {
		if w, has := want[c.Name]; has && (c.Type != w.Type || !slices.Equal(c.Order, w.Order) || c.Role != w.Role ||
			c.Direction != w.Direction || !slices.Equal(c.NA, w.NA) || !slices.Contains(c.Types, c.Type)) {
			t.Errorf("%s: %+v, want %+v", c.Name, c, w)
		}
	}
	if c, err := config.Load(config.Source{Text: []byte(chosen.Config)}); err != nil || !slices.Equal(c.Data.Ignore, []string{"when"}) ||
		chosen.Inputs != 6 {
		t.Errorf("%v, %d inputs:\n%s", err, chosen.Inputs, chosen.Config)
	}
	fault(t, b, "look", `{"table": "odd.csv", "columns": {"data.path": {"size": "/etc/passwd"}}}`, "config", "no parts of columns")
	fault(t, b, "look", `{"table": "odd.csv", "columns": {"model.roles": {"size": "never"}}}`, "config", "model.roles")
	fault(t, b, "look", `{"table": "builtin:iris", "columns": {"model.roles": {"size": "if"}}}`, "usage", "built-in")
}

// TestPictures: bars count all rows, and their means are those of the target.
func TestPictures(t *testing.T) {
	b := bench(t)
	if _, err := b.Upload("odd.csv", strings.NewReader(odd())); err != nil {
		t.Fatal(err)
	}
	p, _ := ask[pictured](t, b, "pictures", `{"table": "odd.csv", "target": {"name": "claims"}, "columns": [{"name": "half"}, {"name": "size"},
		{"name": "grade", "levels": true}, {"name": "year", "na": ["19"]}, {"name": "broker", "levels": true}, {"name": "claims"}]}`)
	half, size, grade, year, broker, claims := p.Columns[0], p.Columns[1], p.Columns[2], p.Columns[3], p.Columns[4], p.Columns[5]
	if p.Rows != 600 || p.Drawn != 600 || len(half.Bins) != 10 || half.Width != 0.5 || half.From != -0.25 {
		t.Errorf("%+v", p)
	}
	for _, bar := range half.Bins {
		if bar.Rows != 60 || bar.Mean == nil || !(*bar.Low < *bar.Mean && *bar.Mean < *bar.High) {
			t.Errorf("%+v", bar)
		}
	}
	if size.Above != 2 || size.Below != 0 || size.High > 80 || size.Missing.Rows != 20 || rowsOf(size) != 600 {
		t.Errorf("%+v", size)
	}
	if year.Missing.Rows != 1 || year.Low != 1950 || rowsOf(grade) != 600 || !slices.Equal(grade.Levels, []string{"high", "low", "mid"}) {
		t.Errorf("%+v, %+v", year, grade)
	}
	if len(broker.Bins) != shownBars || rowsOf(broker) != 600 || broker.Levels[2] != "2" || broker.Others.Rows != 600-20*shownBars {
		t.Errorf("%+v", broker)
	}
	if claims.Bins[0].Mean != nil || rowsOf(claims) != 600 {
		t.Errorf("%+v", claims)
	}
	of, _ := ask[pictured](t, b, "pictures", `{"table": "odd.csv", "target": {"name": "region", "levels": true}, "columns": [{"name": "grade",
		"levels": true}]}`)
	if bar := of.Columns[0].Bins[0]; of.Class != "east" || len(of.Classes) != 3 ||
		math.Abs(math.Remainder(*bar.Mean*float64(bar.Rows), 1)) > 1e-9 {
		t.Errorf("%+v", of)
	}
	iris, _ := ask[pictured](t, b, "pictures", `{"table": "builtin:iris", "target": {"name": "species", "levels": true}, "columns": [{"name":
		"petal_length"}]}`)
	if len(iris.Classes) != 3 || rowsOf(iris.Columns[0]) != 150 {
		t.Errorf("%+v", iris)
	}
	shares := 0.0
	for _, class := range of.Classes {
		one, _ := ask[pictured](t, b, "pictures", `{"table": "odd.csv", "target": {"name": "region", "levels": true}, "class": "`+class+`",
			"columns": [{"name": "grade", "levels": true}]}`)
		shares += *one.Columns[0].Bins[0].Mean
	}
	if math.Abs(shares-1) > 1e-12 {
		t.Errorf("the shares of %q are %v together", of.Classes, shares)
	}
	fault(t, b, "pictures", `{"table": "odd.csv", "target": {"name": "no"}}`, "usage", "no column")
	fault(t, b, "pictures", `{"table": "odd.csv", "target": {"name": "region", "levels": true}, "class": "west"}`, "usage", "no class")
}

// TestPeriods: dates have bins of the periods of a calendar, also where there are no rows, in the order of day and month that fits.
func TestPeriods(t *testing.T) {
	b := bench(t)
	begin := time.Date(2023, 11, 25, 13, 50, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		step               time.Duration
		rows               int
		layout             string
		period, first, end string
		bins, empty, below int
	}{
		"seconds":  {time.Second, 200, time.DateTime, "minute", "2023-11-25 13:50", "2023-11-25 13:53", 4, 0, 0},
		"minutes":  {15 * time.Minute, 800, time.RFC3339, "6 hours", "2023-11-25 12:00", "2023-12-03 18:00", 34, 0, 0},
		"hours":    {8 * time.Hour, 1200, "2/1/2006", "week", "2023-11-20", "2024-12-23", 58, 0, 0},
		"days":     {72 * time.Hour, 300, "02.01.2006", "quarter", "2023-10", "2026-04", 11, 0, 0},
		"months":   {30 * 24 * time.Hour, 60, "2006-01", "year", "2023", "2028", 6, 0, 0},
		"times":    {17 * time.Minute, 500, "15:04", "hour", "00:00", "23:00", 24, 0, 0},
		"gap":      {24 * time.Hour, 28, time.DateOnly, "week", "2023-11-20", "2024-02-05", 12, 6, 0},
		"sentinel": {24 * time.Hour, 400, time.DateOnly, "month", "2023-11", "2024-12", 14, 0, 1},
	} {
		var text strings.Builder
		text.WriteString("when,y\n")
		for i := range c.rows {
			at := begin.Add(time.Duration(i) * c.step)
			if name == "gap" && i >= 14 {
				at = at.AddDate(0, 0, 45)
			}
			if name == "sentinel" && i == 7 {
				at = at.AddDate(-124, 0, 0)
			}
			fmt.Fprintf(&text, "%s,%d\n", at.Format(c.layout), i)
		}
		text.WriteString(",3\nnone,4\n")
		_, err := b.Upload(name+".csv", strings.NewReader(text.String()))
		testenv.OK(t, err)
		p, _ := ask[pictured](t, b, "pictures", `{"table": "`+name+`.csv", "target": {"name": "y"},
			"columns": [{"name": "when", "dates": true}]}`)
		of, empty := p.Columns[0], 0
		for _, bin := range of.Bins {
			if bin.Rows == 0 {
				empty++
			}
		}
		got := fmt.Sprintln(of.Period, of.Bins[0].From, of.Bins[len(of.Bins)-1].From, len(of.Bins), empty, of.Below)
		testenv.Equal(t, got, fmt.Sprintln(c.period, c.first, c.end, c.bins, c.empty, c.below), name)
		if rowsOf(of) != c.rows+2 || of.Missing.Rows != 2 {
			t.Errorf("%s: %d rows, %+v missing", name, rowsOf(of), of.Missing)
		}
	}
}

func rowsOf(p picture) int {
	rows := p.Below + p.Above
	for _, bar := range append(p.Bins, part{Rows: rowsIn(p.Missing)}, part{Rows: rowsIn(p.Others)}) {
		rows += bar.Rows
	}
	return rows
}

func rowsIn(bar *part) int {
	if bar == nil {
		return 0
	}
	return bar.Rows
}

// TestBins: bins of numbers on a grid have as many places of it, whatever their range; those of others are equally wide.
func TestBins(t *testing.T) {
	uniform := func(n int, of func(i int) float64) (all []float64) {
		for i := range n {
			all = append(all, of(i))
		}
		return all
	}
	for name, c := range map[string]struct {
		values      []float64
		bins, empty int
		width       float64
	}{
		"hours":      {uniform(2400, func(i int) float64 { return float64(i % 24) }), 24, 0, 1},
		"months":     {uniform(1200, func(i int) float64 { return float64(i%12 + 1) }), 12, 0, 1},
		"quarters":   {uniform(400, func(i int) float64 { return float64(i%4) * 0.25 }), 4, 0, 0.25},
		"tenths":     {uniform(4810, func(i int) float64 { return float64(i%481)/10 - 20 }), 25, 0, 2},
		"percents":   {uniform(1010, func(i int) float64 { return float64(i % 101) }), 21, 0, 5},
		"hundreds":   {uniform(90, func(i int) float64 { return float64(i%3) * 100 }), 3, 0, 100},
		"0 or 1":     {uniform(90, func(i int) float64 { return float64(i % 2) }), 2, 0, 1},
		"constant":   {uniform(90, func(int) float64 { return 1e9 }), 1, 0, 1},
		"continuous": {uniform(5000, func(i int) float64 { return math.Sqrt(float64(i)) }), 15, 0, 5},
		"huge":       {uniform(500, func(i int) float64 { return float64(i-250) / 250 * math.MaxFloat64 }), 1, 0, 1},
		"none":       {[]float64{math.NaN()}, 0, 0, 0},
	} {
		var p picture
		p.draw(cells{values: c.values}, false, c.values, false)
		empty := 0
		for _, bar := range p.Bins {
			if bar.Rows == 0 {
				empty++
			}
		}
		if len(p.Bins) != c.bins || empty != c.empty || math.Abs(p.Width-c.width) > 1e-9*c.width || rowsOf(p) != len(c.values) {
			t.Errorf("%s: %d bins of %v, %d empty, %d rows; want %d of %v", name, len(p.Bins), p.Width, empty, rowsOf(p), c.bins, c.width)
		}
	}
}
