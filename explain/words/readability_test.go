package words

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// figures returns figures measured on a table.
func figures(fidelity, disagreement, idle, out float64, rules int) *Readability {
	r := &Readability{On: "the test part", IdleOn: "the training part"}
	r.Readability = model.Readability{Samples: 100, Rules: rules, Fidelity: &fidelity, Disagreement: &disagreement, Idle: idle,
		OutOfRange: out}
	return r
}

// tied makes figures those of rules that fire equally on a share of the rows.
func tied(r *Readability, share float64) *Readability {
	r.Tied = share
	return r
}

// several makes figures those of two targets.
func several(r *Readability) *Readability {
	r.Targets = 2
	return r
}

func TestReadabilityInSentences(t *testing.T) {
	for _, c := range []struct {
		*Readability
		lines, remark string
	}{
		{figures(1.04, 0.213, 0, 0, 8), `Read alone, the strongest rule errs 4% more than the model on the test part.
Where they fire, rules differ from the prediction by 0.21 standard deviations of the target.
Every rule decides: it is strongest for some row of the training part.
Every rule says, on average, a value within the target's range in training.`, ""},
		{figures(3.512, 2, 7.0/8, 1.0/8, 8), `Read alone, the strongest rule errs 3.5 times as much as the model on the test part.
Where they fire, rules differ from the prediction by 2 standard deviations of the target.
7 of 8 rules never decide: strongest for no row of the training part.
1 of 8 rules says, on average, a value outside the target's range in training.`,
			"Do not read these rules one by one: alone, the strongest errs 3.5 times as much as the model, 7 of 8 rules never decide, 1 of 8 " +
				"rules says what the target never is in training; preset: readable trains rules that can be."},
		{several(figures(1.04, 0.213, 0, 0, 8)), `Where they fire, rules differ from the prediction by 0.21 standard deviations of the targets.
Every rule decides: it is strongest for some row of the training part.
Every rule says, on average, values within the targets' ranges in training.`, ""},
		{several(figures(1.04, 0.213, 0, 2.0/8, 8)), "2 of 8 rules say, on average, a value outside its target's range in training.",
			"2 of 8 rules say what the target never is in training"},
		{figures(0.9, 0.2, 0, 0, 2), "errs 10% less than the model", ""},
		{figures(1.001, 0.2, 0, 0, 2), "errs as much as the model", ""},
		{figures(1.15, 0.2, 0, 0, 2), "errs 15% more than the model", ""},
		{figures(1.151, 0.2, 0, 0, 2), "errs 15% more than the model",
			"Do not read these rules one by one: alone, the strongest errs 15% more than the model; preset"},
		{figures(352, 0.2, 0, 0, 2), "errs 350 times as much as the model", "Do not read"},
		{tied(figures(1, 0.2, 1, 0, 32), 1),
			"32 of 32 rules never decide: alone the strongest for no row of the training part. On every row several rules fire equally, to " +
				"rounding.",
			"32 of 32 rules never decide (on every row several rules fire equally, to rounding)"},
		{tied(figures(1, 0.2, 0, 0, 4), 0.005), "some row of the training part.\nEvery rule says", ""},
		{tied(figures(1, 0.2, 0, 0, 4), 0.25),
			"Every rule decides: it is strongest for some row of the training part. On 25% of the rows several rules fire equally, " +
				"to rounding.", ""},
		{figures(1, 0.2, 1.0/32, 0, 32), "1 of 32 rules never decides", "1 of 32 rules never decides"},
	} {
		if got := c.String(); !strings.Contains(got, c.lines) {
			t.Errorf("%s\nwant\n%s", got, c.lines)
		}
		if got := c.Remark(); !strings.Contains(got, c.remark) || (got == "") != (c.remark == "") {
			t.Errorf("remark %q, want %q", got, c.remark)
		}
	}
}

// TestReadabilityIsNotFinite: what cannot be measured is no reason to read the rules one by one.
func TestReadabilityIsNotFinite(t *testing.T) {
	r := figures(1, 1, 0, 0, 4)
	r.Fidelity, r.Disagreement = nil, nil
	if got := r.String(); !strings.Contains(got, "errs beyond all numbers") || !strings.Contains(got, "cannot be measured") {
		t.Error(got)
	}
	r.Uncovered = 100
	if got := r.String(); !strings.Contains(got, "no row is covered") || !strings.Contains(got, "Left out: 100 rows") {
		t.Error(got)
	}
	if r.Remark() == "" {
		t.Error("no remark")
	}
}

// TestRemarkOfReadable: of rules of the preset that the remark names otherwise, it names the key.
func TestRemarkOfReadable(t *testing.T) {
	r := figures(1.3, 1, 0, 0, 4)
	r.Preset = "readable"
	if got := r.Remark(); got != "Do not read these rules one by one: alone, the strongest errs 30% more than the model; a lower "+
		"train.fidelity, such as 1.05, prefers settings whose rules are truer." {
		t.Error(got)
	}
}

// TestReadabilityOfMembers: sentences about a committee say what they average over.
func TestReadabilityOfMembers(t *testing.T) {
	r := figures(1.3, 1, 0, 0, 40)
	r.Members = 5
	if got := r.Lines()[0]; got != "Read alone, the strongest rule of a member errs 30% more than that member on the test part (mean of "+
		"5 members)." {
		t.Error(got)
	}
}

// TestDeviations: one is singular, and what is nearly none has no exponent.
func TestDeviations(t *testing.T) {
	for v, want := range map[float64]string{
		0: "less than 0.001 standard deviations", 2e-43: "less than 0.001 standard deviations", 0.076: "0.076 standard deviations",
		1.001: "one standard deviation", 2: "2 standard deviations",
	} {
		if got := inDeviations(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}

func TestTwinsInASentence(t *testing.T) {
	for _, c := range []struct {
		twins, rows int
		want        string
	}{
		{94, 480, "94 of 480 rows of the test part have the features of a training row: RMSE 0.66123 without, 0.5 with."},
		{1, 9, "1 of 9 rows of the test part has the features of a training row: RMSE 0.66123 without, 0.5 with."},
		{9, 9, "Each row of the test part (9 in all) has the features of a training row: no row shows how the model predicts new ones."},
	} {
		twins := Twins{On: "the test part", Rows: c.rows, Metric: "RMSE", Loss: 0.5, Samples: c.twins}
		if c.twins < c.rows {
			twins.Without = &model.Metrics{Loss: 0.661234567}
		}
		if got := twins.String(); got != c.want {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
	}
}

// TestNoPartsNoTwins: where a part does not exist there is nothing to measure.
func TestNoPartsNoTwins(t *testing.T) {
	if twins, err := MeasureTwins(t.Context(), nil, Part{}, Part{}, model.Metrics{}); twins != nil || err != nil {
		t.Errorf("%+v, %v", twins, err)
	}
}

// trained returns a model of a number, a category of two levels, and another number.
func trained(t *testing.T) *model.Model {
	t.Helper()
	d := &data.Dataset{Schema: data.Schema{Target: "y", Columns: []data.Column{
		{Name: "a", Encoding: data.Numeric}, {Name: "c", Encoding: data.OneHot, Levels: []string{"p", "q"}}, {Name: "b", Encoding: data.Numeric},
	}}, X: [][]float64{{1, 0, 1, 1}, {2, 1, 0, 2}, {6, 0, 1, 3}}, Y: []float64{1, 2, 4}}
	p := testenv.Must(model.Fit(t.Context(), d))
	rb := &rules.RuleBase{Shape: membership.Gaussian{}, Parameters: rules.NewParameters(2, 1, 4), SpreadFloor: 1e-3}
	for i := range 4 {
		rb.Flatten(0, i)
	}
	return testenv.Must(model.New(t.Context(), p, rb, d.X, nil, model.Training{Samples: d.Len()}))
}

func measured(t *testing.T, m *model.Model, d, training *data.Dataset) (*Twins, error) {
	return MeasureTwins(t.Context(), m, Part{Dataset: d}, Part{Dataset: training}, model.Metrics{})
}

// TestMeasureTwins: of five samples two have the features of a training sample, whatever the targets; errors are measured
// on the other three.
func TestMeasureTwins(t *testing.T) {
	m := trained(t)
	nan := math.NaN()
	part := func(x [][]float64, y []float64) *data.Dataset {
		return &data.Dataset{Schema: m.Schema, Missing: data.Missing{Policy: "mean"}, X: x, Y: y}
	}
	training := part([][]float64{{1, 0, 1, 1}, {2, 1, 0, 2}, {nan, 0, 1, 3}}, []float64{1, 2, 4})
	d := part([][]float64{{1, 0, 1, 1}, {1, 1, 0, 1}, {nan, 0, 1, 3}, {2, 1, 0, 3}, {5, 0, 1, 3}}, []float64{9, 1, 4, 2, 8})
	got, err := measured(t, m, d, training)
	if err != nil || got == nil || got.Samples != 2 {
		t.Fatalf("%+v, %v; want two twins", got, err)
	}
	want, err := m.Evaluate(t.Context(), d.Subset([]int{1, 3, 4}))
	if err != nil || !reflect.DeepEqual(*got.Without, want) {
		t.Errorf("%+v without twins, %v; want %+v", got.Without, err, want)
	}
	if !math.IsNaN(d.X[2][0]) || !math.IsNaN(training.X[2][0]) {
		t.Error("a data set has changed")
	}
	if got, err := measured(t, m, d.Subset([]int{1, 3}), training); got != nil || err != nil {
		t.Errorf("without twins: %+v, %v", got, err)
	}
	if got, err := measured(t, m, d.Subset([]int{0, 2}), training); err != nil || got == nil || got.Samples != 2 || got.Without != nil {
		t.Errorf("only twins: %+v, %v", got, err)
	}
}

// TestTwinsOfWeightZero: samples of weight zero neither have twins nor are twins.
func TestTwinsOfWeightZero(t *testing.T) {
	m := trained(t)
	d := &data.Dataset{Schema: m.Schema, X: [][]float64{{1, 0, 1, 1}, {2, 1, 0, 2}, {6, 0, 1, 3}}, Y: []float64{1, 2, 4},
		Weights: []float64{1, 2, 0}}
	training := &data.Dataset{Schema: m.Schema, X: d.X, Y: d.Y, Weights: []float64{0, 1, 1}}
	got, err := measured(t, m, d, training)
	if err != nil || got == nil || got.Samples != 1 || got.Without.Samples != 1 {
		t.Fatalf("%+v, %v; want a twin of two samples", got, err)
	}
}

// TestTwinsOfOtherColumns: a part with other columns is refused.
func TestTwinsOfOtherColumns(t *testing.T) {
	m := trained(t)
	d := &data.Dataset{Schema: m.Schema, X: [][]float64{{1, 0, 1, 1}}, Y: []float64{1}}
	other := testenv.Must(data.New([]string{"b"}, "y", [][]float64{{1}}, []float64{1}))
	var fault *data.Error
	if _, err := measured(t, m, d, other); !errors.As(err, &fault) {
		t.Errorf("other columns in training: %v, want a *data.Error", err)
	}
	if _, err := measured(t, m, other, d); !errors.As(err, &fault) {
		t.Errorf("other columns: %v, want a *data.Error", err)
	}
}

// TestPartition: one number is not several, and the price follows the partition, a line each.
func TestPartition(t *testing.T) {
	one := &Partition{Numbers: 1, Price: &Price{Lines: []string{"A.", "B."}}}
	testenv.Equal(t, one.String(),
		"Of every row exactly one IF holds: what is printed is what is computed. There is 1 number to read.\nA.\nB.")
	testenv.Equal(t, (&Readability{Page: one}).Lines()[1:], []string{"A.", "B."})
	testenv.Equal(t, one.Subject(), "this page of 1 number errs")
	testenv.Equal(t, (&Partition{Numbers: 24, Members: 2}).Subject(), "the mean of these 2 pages, of 24 numbers, errs")
}
