package page

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/data/series"
	tables "github.com/tskgraph/tskgraph/internal/data/table"
	"github.com/tskgraph/tskgraph/internal/test/browser"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
)

// TestForecasts: the figure has the rows of the first series with the forecasts, intervals and naive forecasts of the steps that the table
// has, also of a part that was written to a file and read again.
func TestForecasts(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	var b strings.Builder
	b.WriteString("day,site,y\n")
	for i := range 150 {
		for s, site := range []string{"<north>", "south"} {
			if i != 147 || s != 0 { // a gap
				day := time.Date(2024, 1, 1+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
				fmt.Fprintf(&b, "%s,%s,%.2f\n", day, site, 9*float64(s)+4*math.Sin(float64(i)*2*math.Pi/7)+math.Sin(float64(i*i)))
			}
		}
	}
	path := filepath.Join(dir, "t.csv")
	testenv.Must(0, os.WriteFile(path, []byte(b.String()), 0o600))
	spec := &series.Spec{Time: "day", Series: "site", Horizon: 1, Last: 3, Lags: []series.Lags{{Column: "y", Steps: []int{1, 7}}}}
	sites := map[string]data.Coding{"site": tables.NewCoding(nil, false)}
	source := data.Source{Path: path, Options: data.Options{Target: "y", Time: spec, Categorical: sites}, Split: data.Split{Calibration: 0.3}}
	parts := testenv.Must(source.Load(ctx))
	o := tskgraph.Paper()
	o.Model.Rules, o.Train.Iterations = 2, 40
	m := testenv.Must(tskgraph.Run{Recipe: o}.Train(ctx, parts.Train, nil)).Model
	testenv.Must(0, m.Calibrate(ctx, parts.Calibration, parts.Train))

	testenv.Must(0, source.WriteParts(dir, parts))
	file := filepath.Join(dir, "test.csv")
	d := testenv.Must(data.ReadAs(file, m.Schema, data.Options{}))
	if _, none := mustNew(t, Input{Model: m, Data: Part{"test.csv", d}}); strings.Contains(none, `id="forecasts"`) {
		t.Error("forecasts of rows whose times are not known")
	}
	d.Clock = testenv.Must(tables.ReadClock(tables.Input{Name: file}, "auto", m.Schema))
	p, html := mustNew(t, Input{Model: m, Data: Part{"test.csv", d}})
	if one, _ := mustNew(t, Input{Model: m, Data: Part{"test.csv", d.Subset([]int{4})}}); one.content.Forecasts != nil {
		t.Error("a figure of one time")
	}
	of, _ := mustNew(t, Input{Model: m, Data: Part{"test.csv", parts.Test}})
	if a, b := testenv.Must(json.Marshal(of.content.Forecasts)), testenv.Must(json.Marshal(p.content.Forecasts)); !bytes.Equal(a, b) {
		t.Errorf("the figure is of\n%s, from the file of the test part of\n%s", a, b)
	}
	for _, want := range []string{"1 day ahead", "2 days ahead", "3 days ahead", "steps of site &lt;north&gt;, the first series",
		"MASE, seasonal naive"} {
		if !strings.Contains(html, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	f := p.content.Forecasts
	last := len(f.Times) - 1
	if f.Times[last] != "2024-05-29" || f.Times[last-2] != "" || f.Observed[last-2] != nil || f.Steps[1].Values[last-1] != nil {
		t.Errorf("the last times are %q, observed %v", f.Times[last-3:], f.Observed[last-3:])
	}
	n := slices.IndexFunc(d.Rows, func(row int) bool { return f.place[row] == last && row > 2 })
	one := testenv.Must(m.Predict(d.X[n : n+1]))
	low, high, err := m.StepIntervals(one, 1, 0.9)
	got := []*float64{f.Observed[last], f.Naive[last], f.Steps[0].Values[last], f.Steps[0].Lower[last], f.Steps[0].Upper[last]}
	for i, want := range []float64{d.Y[n], d.X[n][slices.Index(d.Schema.Features(), "y 7 days before")], one.Values[0], low[0], high[0]} {
		if err != nil || got[i] == nil || *got[i] != rounded(want) {
			t.Errorf("number %d of the last row is %v, want %v (%v)", i, got[i], want, err)
		}
	}
	second := 0
	testenv.Must(0, m.Rolling(ctx, parts.Test, func(step int, p model.Predictions, part *data.Dataset) error {
		if e := f.Steps[step-1].Errors; e.RMSE != m.Measure(p, part).RMSE {
			t.Errorf("step %d: RMSE %v", step, e.RMSE)
		}
		second++
		return nil
	}))
	if second != 2 {
		t.Errorf("%d further steps", second)
	}
	inBrowser := browser.Open(t, written(t, Input{Model: m, Data: Part{"test.csv", d}}))
	var shown string
	inBrowser.Run(`const s = document.querySelector("#forecast-controls select"); s.value = 2; s.dispatchEvent(new Event("change"))`)
	inBrowser.Evaluate(`document.querySelector("#forecast-chart figcaption").textContent +
		document.querySelectorAll("#forecast-chart path").length + document.querySelector("#forecast-legend").textContent`, &shown)
	if shown != "Forecasts 3 days ahead3 seasonal naive observed forecast interval" {
		t.Errorf("the figure shows %q", shown)
	}
	sound(t, inBrowser, "forecasts")
}
