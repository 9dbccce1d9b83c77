package prediction_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/prediction"
	"github.com/tskgraph/tskgraph/internal/data/series"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
)

// write writes n hours of a series of which only the first known have a target, and returns the path.
func write(t *testing.T, n, known int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("when,sun,y\n")
	for i := range n {
		y, sun := "", math.Round(100*math.Sin(float64(i*i)))/100
		if i < known {
			y = fmt.Sprintf("%.2f", 5*math.Sin(float64(i)/4)+3*sun+math.Sin(float64(i*i)*1.7))
		}
		fmt.Fprintf(&b, "%s,%.2f,%s\n", time.Date(2024, 1, 1, i, 0, 0, 0, time.UTC).Format("2006-01-02 15:04"), sun, y)
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestForecast: forecasts from an origin are, to the bit, those that the test part was measured and the intervals calibrated by; they read
// no target after the origin; the model file keeps all of it.
func TestForecast(t *testing.T) {
	const rows, steps = 300, 4
	path, ctx := write(t, rows, rows), context.Background()
	spec := &series.Spec{Time: "when", Horizon: 1, Last: steps, Calendar: []string{"hour"},
		Lags: []series.Lags{{Column: "y", Steps: []int{1, 2, 24}}, {Column: "sun", Steps: []int{0, 1}}}}
	p := testenv.Must(data.Source{Path: path, Options: data.Options{Target: "y", Time: spec}, Split: data.Split{Calibration: 0.3}}.Load(ctx))
	o := tskgraph.Paper()
	o.Model.Rules, o.Train.Iterations = 2, 60
	m := testenv.Must(tskgraph.Run{Recipe: o}.Train(ctx, p.Train, nil)).Model
	if err := m.Calibrate(ctx, p.Calibration, p.Train); err != nil {
		t.Fatal(err)
	}
	if n := len(m.Calibration.Steps); n != steps-1 {
		t.Fatalf("%d further steps are calibrated, want %d", n, steps-1)
	}
	file := filepath.Join(t.TempDir(), "model.json")
	if err := m.Save(file); err != nil {
		t.Fatal(err)
	}
	m = testenv.Must(model.Load(file))
	explain := func(row int) (fmt.Stringer, error) {
		return prediction.Explain(ctx, io.Discard, m, "", path, data.Input{Name: path}, data.ReaderOptions{}, row)
	}
	said, cells := testenv.Must(explain(100)).String(), strings.Split(strings.Split(string(testenv.Must(os.ReadFile(path))), "\n")[100], ",")
	if actual := cells[2]; !strings.Contains(said, "the table says "+actual) {
		t.Errorf("row 100 of the table is %s, explained is\n%s", actual, said)
	}
	_, err := explain(24)
	testenv.FailsWith(t, err, "none of the 276 samples")
	o.Train.Members = 2
	if of := testenv.Must(tskgraph.Run{Recipe: o}.Train(ctx, p.Train, nil)).Model; len(of.Members) != 2 {
		t.Errorf("a committee of %d", len(of.Members))
	}
	tested := 0
	err = m.Rolling(ctx, p.Test, func(step int, of model.Predictions, part *data.Dataset) error {
		for _, i := range []int{0, part.Len() / 2, part.Len() - 1} {
			at := part.Clock.Steps[part.Rows[i]-1]
			f := testenv.Must(prediction.ForecastTable(ctx, m, data.Input{Name: write(t, rows, at-step+1)}, step, 0.9))[0]
			if got := f.Values[step-1]; got != of.Values[i] {
				t.Errorf("%d steps ahead at %d: %v, measured %v", step, at, got, of.Values[i])
			}
			if !(f.Lower[step-1] < f.Values[step-1] && f.Values[step-1] < f.Upper[step-1]) {
				t.Errorf("%v outside its interval", f.Values[step-1])
			}
			tested++
		}
		return nil
	})
	if err != nil || tested != 3*(steps-1) {
		t.Errorf("%d forecasts tested: %v", tested, err)
	}
}
