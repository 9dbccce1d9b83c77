package plot_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/plot"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/rules"
)

// table has two columns of numbers, one with an outlier, and a column of text.
const table = "a,b,kind,y\n" +
	"1,20,red,1\n2,30,blue,2\n3,10,red,4\n4,50,green,3\n5,40,blue,6\n6,25,red,5\n7,35,green,8\n8,15,blue,7\n9,45,red,9\n10,900,green,11\n"

func read(t *testing.T) *data.Dataset {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	return testenv.Must(data.Read(path, data.Options{Target: "y", Units: map[string]string{"a": "m/s", "y": "<kg>"}}))
}

func train(t *testing.T, d *data.Dataset, change func(*tskgraph.Recipe)) *tskgraph.Result {
	t.Helper()
	o := tskgraph.Paper()
	o.Model.Rules, o.Train.Iterations = 6, 30
	change(&o)
	return testenv.Must(tskgraph.Train(t.Context(), d, nil, o))
}

// texts returns a function that writes a figure as SVG, whose texts it returns, and as PNG, which must be 85 mm wide at 300 dots per inch.
func texts(t *testing.T) func(*plot.Figure, error) []string {
	return func(f *plot.Figure, err error) []string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return textsOf(t, f)
	}
}

// pictured has the names of the tests that wrote a PNG, which takes long: each writes its first.
var pictured = map[string]bool{}

func textsOf(t *testing.T, f *plot.Figure) []string {
	t.Helper()
	var svg, dots bytes.Buffer
	if err := f.Write(&svg, "svg"); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(svg.String(), "NaN") || strings.Contains(svg.String(), "Inf") {
		t.Error("the figure has coordinates that are not finite")
	}
	if !pictured[t.Name()] {
		pictured[t.Name()] = true
		if err := f.Write(&dots, "png"); err != nil {
			t.Fatal(err)
		}
		if width := testenv.Must(png.Decode(&dots)).Bounds().Dx(); math.Abs(float64(width)-85/25.4*300) > 1 {
			t.Errorf("the PNG is %d dots wide", width)
		}
	}
	var all []string
	for in := xml.NewDecoder(&svg); ; {
		token, err := in.Token()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok && strings.TrimSpace(string(text)) != "" {
			all = append(all, string(text))
		}
	}
}

func wantTexts(t *testing.T, got []string, want ...string) {
	t.Helper()
	all := "\n" + strings.Join(got, "\n") + "\n"
	for _, text := range want {
		if !strings.Contains(all, "\n"+text+"\n") {
			t.Errorf("the figure does not have %q but %q", text, got)
		}
	}
}

// draws returns a function that checks the texts of a figure.
func draws(t *testing.T, want ...string) func(*plot.Figure, error) {
	return func(f *plot.Figure, err error) {
		t.Helper()
		wantTexts(t, texts(t)(f, err), want...)
	}
}

// refused returns a function that checks that there is an error, with a text.
func refused(t *testing.T, what string, want ...string) func(*plot.Figure, error) {
	return func(_ *plot.Figure, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), strings.Join(want, "")) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestMemberships(t *testing.T) {
	d := read(t)
	m := train(t, d, func(*tskgraph.Recipe) {}).Model
	draws(t, "a [m/s]", "b", "kind", "red", "green", "grade", "2 more")(plot.Memberships(m, d, nil))
	if got := strings.Join(texts(t)(plot.Memberships(m, d, []string{"kind"})), " "); strings.Contains(got, "m/s") {
		t.Errorf("other features are drawn, too: %s", got)
	}
	var unknown *plot.FeatureError
	if _, err := plot.Memberships(m, d, []string{"kinds"}); !errors.As(err, &unknown) || unknown.Closest != "kind" {
		t.Errorf("an unknown feature: %v", err)
	}
}

// TestMembershipsOfComponents: principal components replace the features.
func TestMembershipsOfComponents(t *testing.T) {
	d := read(t)
	m := train(t, d, func(o *tskgraph.Recipe) { o.Model.PCA = 2 }).Model
	draws(t, "pc1", "pc2")(plot.Memberships(m, d, nil))
	refused(t, "a feature that is not an input of the rules was drawn")(plot.Memberships(m, d, []string{"a"}))
}

func TestMembershipsOfCommittee(t *testing.T) {
	d := read(t)
	m := train(t, d, func(o *tskgraph.Recipe) { o.Train.Members = 2 }).Model
	refused(t, "a committee was drawn")(plot.Memberships(m, d, nil))
	draws(t, "a [m/s]")(plot.Memberships(m.Members[1], d, nil))
	draws(t, "a [m/s]")(plot.Surface(m, d, "a", "b", 0))
}

// TestSurface: every pair of columns can be drawn, also with missing values.
func TestSurface(t *testing.T) {
	d := read(t)
	m := train(t, d, func(*tskgraph.Recipe) {}).Model
	for _, pair := range [][2]string{{"a", "b"}, {"kind", "a"}, {"b", "kind"}} {
		draws(t, "y [<kg>]")(plot.Surface(m, d, pair[0], pair[1], 0))
	}
	refused(t, "a surface over one feature was drawn")(plot.Surface(m, d, "a", "a", 0))
	m.ImputeMeans = true
	d.Missing.Policy = "mean"
	d.X[0][0] = math.NaN()
	draws(t)(plot.Surface(m, d, "a", "b", 0))
}

func TestResiduals(t *testing.T) {
	d := read(t)
	m := train(t, d, func(*tskgraph.Recipe) {}).Model
	e := testenv.Must(m.Evaluate(t.Context(), d))
	got := texts(t)(plot.Residuals(m, d, 0))
	wantTexts(t, got, "predicted y [<kg>]", "observed", "residual")
	if e.Samples != 10 || !strings.HasSuffix(got[0], " over 10 samples") {
		t.Errorf("the errors are missing: %q", got)
	}
	other := testenv.Must(data.New([]string{"z"}, "y", [][]float64{{1}}, []float64{1}))
	refused(t, "a table of other features was drawn")(plot.Residuals(m, other, 0))
}

// TestOneSample: figures of data without any variation are drawn.
func TestOneSample(t *testing.T) {
	d := read(t)
	m := train(t, d, func(*tskgraph.Recipe) {}).Model
	one := d.Subset([]int{3})
	draws(t)(plot.Memberships(m, one, nil))
	draws(t)(plot.Surface(m, one, "a", "b", 0))
	draws(t)(plot.Residuals(m, one, 0))
}

// TestManySamples: of more than 2000 samples, 2000 are drawn.
func TestManySamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	x, y := make([][]float64, 2500), make([]float64, 2500)
	for i := range x {
		x[i] = []float64{rng.NormFloat64(), rng.NormFloat64()}
		y[i] = x[i][0] + 0.1*rng.NormFloat64()
	}
	d := testenv.Must(data.New([]string{"u", "v"}, "y", x, y))
	m := train(t, d, func(*tskgraph.Recipe) {}).Model
	if got := strings.Join(texts(t)(plot.Residuals(m, d, 0)), "\n"); !strings.Contains(got, "over 2500 samples") ||
		!strings.Contains(got, "; 2000 are drawn") {
		t.Errorf("it says %s", got)
	}
}

func metrics(members, iterations int) []optim.Metrics {
	var all []optim.Metrics
	for k := range members {
		for i := range iterations {
			v := 1 / float64(i+1)
			m := optim.Metrics{Iteration: i + 1, Batch: 2 * v, Validation: &v}
			if members > 1 {
				m.Member = k + 1
			}
			all = append(all, m)
		}
	}
	return all
}

func TestLearning(t *testing.T) {
	draws(t, "RMSE of y [MPa]", "update", "100", "mini-batch",
		"validation")(plot.Learning(metrics(1, 100), 0, nil, "y", "MPa"))
	draws(t, "mini-batch", "validation", "a line for each of 3 members")(plot.Learning(metrics(3, 100), 0, nil, "y", ""))
	draws(t, "mini-batch")(plot.Learning(metrics(3, 100), 2, nil, "y", ""))
	draws(t, "rules pruned", "80")(plot.Learning(metrics(1, 80), 0, []int{60}, "y", ""))
	// every sample of the first mini-batch was skipped
	draws(t)(plot.Learning([]optim.Metrics{{Iteration: 1, Batch: 0}, {Iteration: 2, Batch: 1}}, 0, nil, "y", ""))
	for _, of := range []struct {
		metrics []optim.Metrics
		member  int
	}{{nil, 0}, {metrics(3, 5), 4}, {[]optim.Metrics{{Iteration: 1}}, 0}} {
		if _, err := plot.Learning(of.metrics, of.member, nil, "y", ""); err == nil {
			t.Errorf("no error for member %d", of.member)
		}
	}
}

func TestPruning(t *testing.T) {
	v := func(x float64) *float64 { return &x }
	steps := []tskgraph.PathStep{
		{Metric: "RMSE", Rules: 3, LossTrain: 1, LossValidation: v(2), StandardError: v(0.1)},
		{Metric: "RMSE", Rules: 2, LossTrain: 1.1, LossValidation: v(1.9), StandardError: v(0.1)},
		{Metric: "RMSE", Rules: 1, LossTrain: 1.5, LossValidation: v(2.5), StandardError: v(0.2)},
	}
	draws(t, "RMSE of y [MPa]", "rules", "validation \u00b1 1 SE", "training",
		"chosen: 2 rules")(plot.PruningPath(steps, 2, "y", "MPa"))
	if got := strings.Join(texts(t)(plot.PruningPath(steps, 2, "y", "MPa")), "\n"); strings.Contains(got, "fidelity") {
		t.Errorf("no step has a fidelity: %s", got)
	}
	steps[0].Fidelity, steps[1].Fidelity = v(3), v(1.5)
	draws(t, "RMSE of y [MPa]", "fidelity (strongest rule alone)", "rules", "chosen: 2 rules")(plot.PruningPath(steps, 2, "y", "MPa"))
	for i := range steps {
		steps[i].LossValidation, steps[i].StandardError = nil, nil
	}
	if got := strings.Join(texts(t)(plot.PruningPath(steps, 1, "y", "")), "\n"); strings.Contains(got, "validation") {
		t.Errorf("there is no validation part: %s", got)
	}
	// 7 rules, as a file may have it
	if got := strings.Join(texts(t)(plot.PruningPath(steps[2:], 7, "y", "")), "\n"); strings.Contains(got, "chosen") {
		t.Errorf("no step was chosen: %s", got)
	}
	rounds := []tskgraph.PruneRound{{Pruning: rules.Pruning{Before: 8, After: 5}, RemovedByFiring: 2, RemovedBySimilarity: 1}}
	draws(t, "kept", "merged into a similar rule", "removed: low firing level", "round of pruning")(plot.PruningRounds(rounds))
	refused(t, "no steps were drawn")(plot.PruningPath(nil, 1, "y", ""))
	refused(t, "no rounds were drawn")(plot.PruningRounds(nil))
}

// TestHostileName: a name is escaped.
func TestHostileName(t *testing.T) {
	steps := []tskgraph.PathStep{{Metric: "RMSE", Rules: 2, LossTrain: 1}, {Metric: "RMSE", Rules: 1, LossTrain: 2}}
	draws(t, `RMSE of \x1b[31m<script>\u202e`)(plot.PruningPath(steps, 1, "\x1b[31m<script>\u202e", ""))
}

func TestFormat(t *testing.T) {
	d := read(t)
	m := train(t, d, func(*tskgraph.Recipe) {}).Model
	f := testenv.Must(plot.Residuals(m, d, 0))
	if err := f.Write(io.Discard, "gif"); err == nil {
		t.Error("a GIF was written")
	}
}

// TestMembershipsAtPlaces: levels and few distinct values are labels of the axis, and their grades are points.
func TestMembershipsAtPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	d := &data.Dataset{Missing: data.Missing{Policy: "error"}, Schema: data.Schema{Target: "y", Columns: []data.Column{
		{Name: "day", Encoding: data.OneHot, Levels: []string{"weekend", "workday"}}, {Name: "doors", Encoding: data.Numeric},
		{Name: "length", Encoding: data.Numeric},
	}}}
	for i := range 60 {
		work := float64(i % 2)
		d.X = append(d.X, []float64{1 - work, work, float64(3 + 2*rng.IntN(2)), rng.NormFloat64()})
		d.Y = append(d.Y, work+d.X[i][2]+d.X[i][3])
	}
	m := train(t, d, func(*tskgraph.Recipe) {}).Model
	for name, want := range map[string][]string{"day": {"weekend", "workday"}, "doors": {"3", "5"}, "length": {"0"}} {
		f := testenv.Must(plot.Memberships(m, d, []string{name}))
		got := textsOf(t, f)
		wantTexts(t, got, append(want, name)...)
		var svg bytes.Buffer
		if err := f.Write(&svg, "svg"); err != nil {
			t.Fatal(err)
		}
		const legend = 3 // of the four rules, all but the first are dashed
		if dashed := strings.Count(svg.String(), "stroke-dasharray"); (dashed > legend) != (name == "length") {
			t.Errorf("%s: %d dashed lines, %d of them in the legend", name, dashed, legend)
		}
		if name == "doors" && strings.Contains("\n"+strings.Join(got, "\n")+"\n", "\n4\n") {
			t.Errorf("a value that no row has is a label: %q", got)
		}
	}
}

// TestReproducible: a model and its data give the same bytes in every figure.
func TestReproducible(t *testing.T) {
	d := read(t)
	m := train(t, d, func(*tskgraph.Recipe) {}).Model
	for name, draw := range map[string]func() (*plot.Figure, error){
		"memberships": func() (*plot.Figure, error) { return plot.Memberships(m, d, nil) },
		"surface":     func() (*plot.Figure, error) { return plot.Surface(m, d, "a", "b", 0) },
		"residuals":   func() (*plot.Figure, error) { return plot.Residuals(m, d, 0) },
		"learning":    func() (*plot.Figure, error) { return plot.Learning(metrics(2, 50), 0, []int{30}, "y", "") },
	} {
		var first bytes.Buffer
		for i := range testenv.CaseNumber(2, 5, 5) {
			f, err := draw()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var svg bytes.Buffer
			if err := f.Write(&svg, "svg"); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if i == 0 {
				first = svg
			} else if !bytes.Equal(svg.Bytes(), first.Bytes()) {
				t.Errorf("%s: drawn again, the bytes differ", name)
				break
			}
		}
	}
}
