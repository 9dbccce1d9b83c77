package page

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/report"
	"github.com/tskgraph/tskgraph/internal/test/browser"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/baseline"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
)

// TestMain gives all tests one browser.
func TestMain(m *testing.M) { browser.Main(m) }

// mustNew returns the page and its HTML.
func mustNew(t *testing.T, in Input) (*Page, string) {
	t.Helper()
	p := testenv.Must(New(in))
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return p, b.String()
}

func TestNewRefuses(t *testing.T) {
	if _, err := New(Input{}); err == nil {
		t.Error("a page without a model")
	}
	other := testenv.Must(data.New([]string{"a"}, "y", [][]float64{{1}, {2}}, []float64{1, 2}))
	var fault *data.Error
	d := table(30)
	_, err := New(Input{Model: untrained(t, lookup(t, "gaussian"), d, 2, nil), Data: Part{"other.csv", other}})
	if !errors.As(err, &fault) || !strings.Contains(err.Error(), "other.csv") {
		t.Errorf("other features: %v", err)
	}
}

// TestNothingFromElsewhere: the page refers to no other file and no server.
func TestNothingFromElsewhere(t *testing.T) {
	d := table(30)
	_, html := mustNew(t, Input{Model: untrained(t, lookup(t, "gaussian"), d, 2, nil), Data: Part{"test.csv", d}})
	for _, reference := range []string{"src=", "url(", "@import", "http://", "https://", "fetch(", "import("} {
		if at := strings.Index(strings.ReplaceAll(html, "http://www.w3.org/2000/svg", ""), reference); at >= 0 {
			t.Errorf("%s in the page", reference)
		}
	}
	again, twice := mustNew(t, Input{Model: untrained(t, lookup(t, "gaussian"), d, 2, nil), Data: Part{"test.csv", d}})
	if html != twice || len(again.Scores) == 0 {
		t.Error("the same input gives different pages")
	}
}

// TestSize: a committee of five with 32 rules each over 100 features stays below 2 MB.
func TestSize(t *testing.T) {
	if testenv.CaseNumber(0, 0, 1) == 0 {
		t.Skip("a lot of arithmetic: make matrix")
	}
	d := &data.Dataset{Missing: data.Missing{Policy: "error"}, Schema: data.Schema{Target: "y"}}
	for m := range 100 {
		d.Schema.Columns = append(d.Schema.Columns, data.Column{Name: strings.Repeat("c", 1+m), Encoding: data.Numeric})
	}
	for i := range 3000 {
		x := make([]float64, 100)
		for m := range x {
			x[m] = math.Sin(float64(i*m + i + m))
		}
		d.X, d.Y = append(d.X, x), append(d.Y, x[0]/3)
	}
	var members []*model.Model
	for range 5 {
		members = append(members, untrained(t, lookup(t, "trapezoid"), d, 32, nil))
	}
	p := testenv.Must(model.Fit(context.Background(), d))
	committee := testenv.Must(model.NewCommittee(p, members, model.Training{Samples: d.Len()}))
	written, html := mustNew(t, Input{Model: committee, Data: Part{"test.csv", d}})
	if len(html) > 2e6 {
		t.Errorf("%d bytes", len(html))
	}
	if n := len(written.content.Points.Rows); n != maxPoints || written.content.Points.Of != 3000 {
		t.Errorf("%d of %d points", n, written.content.Points.Of)
	}
	if n := len(written.content.Rows.Rows); n != 100 {
		t.Errorf("%d rows", n)
	}
	if strings.Contains(html, "<li data-rule=") || !strings.Contains(html, "too long for this page") {
		t.Error("the rules' text is there, or it is not said that it is not")
	}
}

// TestPermute: columns on which the target depends are important, others are not, and constant
// ones are left out; the features of a category are permuted together.
func TestPermute(t *testing.T) {
	d := table(200)
	m := untrained(t, lookup(t, "gaussian"), d, 1, nil)
	clear(m.RuleBase.Consequents[0])
	m.RuleBase.Consequents[0][1], m.RuleBase.Consequents[0][2] = 3, 1 // length, sex=F
	for i, x := range d.X {
		d.Y[i] = predict(t, m, x)
	}
	all, rows, err := Permute(m, d)
	if err != nil {
		t.Fatal(err)
	}
	if rows != 200 || len(all) != 5 {
		t.Fatalf("%d rows, %+v", rows, all)
	}
	if all[0].Name != "length" || all[1].Name != "sex" || all[1].Mean <= 0 || all[0].Mean <= all[1].Mean {
		t.Errorf("the most important: %+v", all[:2])
	}
	for _, i := range all[2:] {
		if i.Mean != 0 || i.SD != 0 {
			t.Errorf("an irrelevant column: %+v", i)
		}
	}
	// The rise of the RMSE of a linear model: slope times the standard deviation of the difference of two values, sqrt(2) times that of one.
	if want := 3 * math.Sqrt2; math.Abs(all[0].Mean-want) > 0.15*want {
		t.Errorf("length: %v, want about %v", all[0].Mean, want)
	}
	again, _, err := Permute(m, d)
	if err != nil || again[0] != all[0] {
		t.Errorf("the second time %+v, %v", again[0], err)
	}
}

func predict(t *testing.T, m *model.Model, x []float64) float64 {
	t.Helper()
	p := testenv.Must(m.Predict([][]float64{x}))
	return p.Values[0]
}

func TestWarnings(t *testing.T) {
	train, test := table(60), table(60)
	test.X, test.Y, test.Rows = test.X[40:], test.Y[40:], nil
	for i := range test.Y {
		test.X[i] = slices.Clone(test.X[i])
		test.X[i][0] += 1e-6 // not the training rows
	}
	m := untrained(t, lookup(t, "trapezoid"), train, 3, func(p *model.Preprocessing) { p.Target.Margin = 0.01 })
	in := Input{Model: m, Data: Part{"test.csv", test}, Train: &Part{"train.csv", train}}
	if got := testenv.Must(New(in)).Warnings; len(got) != 2 || !strings.HasPrefix(got[0],
		"WARNING: the model is no better than the training mean on test.csv: RMSE ") || got[1] != "Not used because constant in training: same." {
		t.Errorf("sound data, a model without training: %q", got)
	}
	test.Missing = data.Missing{Policy: "mean", Cells: 2, Columns: map[string]int{"sex": 2}, Unknown: map[string]int{"grade": 1},
		First: "test.csv:2"}
	test.X[3][0] = 1e6 // outside, not covered
	test.X[4][4] = 9   // an ordinal is outside, too
	test.X[5], test.Y[5] = test.X[6], test.Y[6]
	test.X[7], test.Y[7] = train.X[2], train.Y[2]
	train.X[1], train.Y[1] = train.X[2], train.Y[2]
	in.Summary = &report.Summary{Missing: data.Missing{Cells: 4, Dropped: 3, Imputed: 1, Columns: map[string]int{"sex": 1, "income": 3}}}
	got := strings.Join(testenv.Must(New(in)).Warnings, "\n")
	for _, want := range []string{
		"Missing values: 4, in income (3), sex (1). Rows left out for them: 3; cells filled with the training mean: 1.",
		"Missing cells of test.csv: sex (2); the training mean, most frequent category or median level stands in.",
		"Categories of test.csv that the model does not know: grade (1); read as none of the known ones, or as the median level of an " +
			"ordinal column.",
		"1 of 20 rows of test.csv has the features of a training row: RMSE ",
		"Rows of train.csv that repeat an earlier one, including the target: 1.",
		"Rows of test.csv with a value outside the training range: 2 (10.0%), by feature: grade (1), length (1).",
		"Rows of test.csv that no rule covers: 1.",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	m.Target.Min, m.Target.Max = 0, 1
	if got := strings.Join(testenv.Must(New(in)).Warnings, "\n"); !strings.Contains(got,
		"Predictions for test.csv kept within the limits of the target: ") {
		t.Errorf("limited: %s", got)
	}
}

// TestReadabilityOnThePage:
// the figures are those of the data, idle rules those of the training part; a box says if the rules should not be read one by one, without
// advice for the preset that it would name.
func TestReadabilityOnThePage(t *testing.T) {
	train, test := table(60), table(60)
	test.X, test.Y, test.Rows = test.X[40:], test.Y[40:], nil
	m := untrained(t, lookup(t, "gaussian"), train, 3, func(*model.Preprocessing) {})
	m.RuleBase.Consequents[1][0] += 1000
	in := Input{Model: m, Data: Part{"test.csv", test}, Train: &Part{"train.csv", train}, Summary: &report.Summary{}}
	want, err := model.MeasureReadability(context.Background(), m, test, train)
	if err != nil || want.Readable() {
		t.Fatalf("%+v, %v", want, err)
	}
	for preset, advice := range map[string]bool{"robust": true, "readable": false} {
		in.Summary.Readability = &words.Readability{Preset: preset}
		p, html := mustNew(t, in)
		if got := p.Readability; *got.Fidelity != *want.Fidelity || got.Idle != want.Idle || got.On != "test.csv" || got.IdleOn != "train.csv" {
			t.Errorf("%+v, want %+v", got, want)
		}
		box := `<p class="warning" role="note">Do not read these rules one by one: `
		if !strings.Contains(html, box) || !strings.Contains(html, " on test.csv.</p>") ||
			strings.Contains(html, "trains rules that can be") != advice {
			t.Errorf("preset %s: box %v", preset, strings.Contains(html, box))
		}
	}
}

// TestScores: the model's errors are those of Evaluate; without a training part there are none of least squares.
func TestScores(t *testing.T) {
	train, test := table(60), table(30)
	m := untrained(t, lookup(t, "gaussian"), train, 3, nil)
	p, _ := mustNew(t, Input{Model: m, Data: Part{"test.csv", test}, Train: &Part{"train.csv", train}})
	e := testenv.Must(m.Evaluate(t.Context(), test))
	b := testenv.Must(baseline.Measure(t.Context(), m, train, test))
	if len(p.Scores) != 4 || !reflect.DeepEqual(p.Scores[1].Metrics, e) || !reflect.DeepEqual(p.Scores[2].Metrics, *b.Linear) ||
		!reflect.DeepEqual(p.Scores[3].Metrics, b.Constant) {
		t.Errorf("%+v", p.Scores)
	}
	p, _ = mustNew(t, Input{Model: m, Data: Part{"test.csv", test}})
	if len(p.Scores) != 2 || !reflect.DeepEqual(p.Scores[0].Metrics, e) || p.Scores[1].RMSE != b.Constant.RMSE {
		t.Errorf("without a training part: %+v", p.Scores)
	}
}

func TestLearning(t *testing.T) {
	var metrics []optim.Metrics
	for i := range 4000 {
		m := optim.Metrics{Member: 1 + i/2000, Iteration: 1 + i%2000, Batch: float64(1 + i%2)}
		if i%100 == 99 {
			v := float64(i)
			m.Validation = &v
		}
		metrics = append(metrics, m)
	}
	curves := learning(metrics)
	if len(curves) != 2 || curves[1].Member != 2 || len(curves[1].Batch) != maxCurve {
		t.Fatalf("%d curves, %+v", len(curves), curves[0])
	}
	c := curves[1]
	if last := len(c.Updates) - 1; c.Updates[last] != 2000 || c.Validation[last] == nil || *c.Validation[last] != 3999 ||
		c.Validation[0] != nil {
		t.Errorf("the end is %+v", c)
	}
	if c.Batch[1] != rounded(math.Sqrt(2.5)) { // of ones and twos
		t.Errorf("the mean of the second point is %v", c.Batch[1])
	}
	for updates, points := range map[int]int{3: 3, 60: 50, 800: 100} {
		if c := newCurve(0, metrics[:updates]); len(c.Batch) != points {
			t.Errorf("%d updates make %d points, not %d", updates, len(c.Batch), points)
		}
	}
	if learning(nil) != nil {
		t.Error("curves without metrics")
	}
}

// TestNotFinite: a number that is not finite is an error, not a broken page.
func TestNotFinite(t *testing.T) {
	d := table(30)
	p, _ := mustNew(t, Input{Model: untrained(t, lookup(t, "gaussian"), d, 2, nil), Data: Part{"test.csv", d}})
	p.content.Importance.Columns[0].Mean = math.Inf(1)
	if err := p.Write(io.Discard); err == nil || !strings.Contains(err.Error(), "Inf") {
		t.Errorf("an infinite importance: %v", err)
	}
}

func TestFigures(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 1234.5: "1234", 0.99996: "1.000", 12345.6: "12,346", 1372000: "1.372 M",
		-0.012345: "\u22120.01235", 1e9: "1e+09", 3e-7: "3e\u221207"} {
		if got := figure(v); got != want {
			t.Errorf("%v is shown as %q, not %q", v, got, want)
		}
	}
	for v, want := range map[float64]string{0: "0", 779.32: "779.32", -433014: "\u2212433,014", -5.4: "\u22125.4", 1.23456789: "1.23457",
		2.5e-9: "2.5e\u221209"} {
		if got := value(v); got != want {
			t.Errorf("the value %v is shown as %q, not %q", v, got, want)
		}
	}
	for v, want := range map[float64]string{1822: "1820", -18219: "\u221218,200", 182190: "182,000", 1821900: "1.82 M"} {
		if got := threeDigits(v); got != want {
			t.Errorf("%v is %q in three digits, want %q", v, got, want)
		}
	}
}

// TestHugeValues: sums of values near the largest number are finite.
func TestHugeValues(t *testing.T) {
	mean, sd := moments([]float64{1e300, -1e300, 1e300, -1e300})
	if mean != 0 || math.Abs(sd/1e300-math.Sqrt(4.0/3)) > 1e-12 {
		t.Errorf("mean %v, standard deviation %v", mean, sd)
	}
	metrics := make([]optim.Metrics, 100)
	for i := range metrics {
		metrics[i] = optim.Metrics{Iteration: i + 1, Batch: 1e300}
	}
	for _, v := range newCurve(0, metrics).Batch {
		if math.Abs(v/1e300-1) > 1e-3 {
			t.Fatalf("learning curve at %v", v)
		}
	}
}

// TestNeighboursOnThePage: the table of errors is with neighbours, all else without, and the page
// says so. It holds no interval, which would be around the wrong prediction.
func TestNeighboursOnThePage(t *testing.T) {
	d := table(200)
	train, test := d.Subset(numeric.Some(200, 100)), d
	m := untrained(t, membership.Gaussian{}, train, 3, nil)
	p := testenv.Must(m.Predict(d.X))
	for i, v := range p.Values {
		d.Y[i] = v + 5*math.Sin(d.X[i][0]/10)
	}
	train = d.Subset(numeric.Some(200, 100))
	if m.Neighbours = testenv.Must(model.FitNeighbours(context.Background(), m, train, rand.New(rand.NewPCG(1, 2)))); m.Neighbours == nil {
		t.Fatal("no neighbours")
	}
	if err := m.Calibrate(t.Context(), train, nil); err != nil {
		t.Fatal(err)
	}
	whole, html := mustNew(t, Input{Model: m, Data: Part{"test.csv", test}, Train: &Part{"train.csv", train}})
	alone, _ := mustNew(t, Input{Model: m.WithoutNeighbours(), Data: Part{"test.csv", test}, Train: &Part{"train.csv", train}})
	e := testenv.Must(m.Evaluate(t.Context(), test))
	training := testenv.Must(m.EvaluateTraining(t.Context(), train))
	if whole.Scores[0].RMSE != training.RMSE || whole.Scores[1].RMSE != e.RMSE || !(e.RMSE < 0.99*alone.Scores[1].RMSE) {
		t.Errorf("%+v, want %v and %v; without neighbours %+v", whole.Scores, training.RMSE, e.RMSE, alone.Scores)
	}
	for i, v := range alone.content.Points.Predicted[0] {
		if whole.content.Points.Predicted[0][i] != v {
			t.Fatalf("point %d: %v, want %v", i, whole.content.Points.Predicted[0][i], v)
		}
	}
	if len(whole.content.Model.Intervals) != 0 || whole.Neighbours == nil || alone.Neighbours != nil {
		t.Errorf("intervals %v, neighbours %v", whole.content.Model.Intervals, whole.Neighbours)
	}
	if text := "all figures of this page show the rules without them"; strings.Count(html, text) != 1 {
		t.Errorf("the page does not say that %s", text)
	}
}
