package page

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/test/browser"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/page"
	"github.com/tskgraph/tskgraph/rules"
)

// subject is an untrained model with data.
type subject struct {
	name  string
	model *model.Model
	data  *data.Dataset
}

// table returns n samples with a unit, categories, ranks, a skewed column, a column of two values, and a constant one.
func table(n int) *data.Dataset {
	rng := rand.New(rand.NewPCG(1, 1))
	d := &data.Dataset{Missing: data.Missing{Policy: "error"}, Schema: data.Schema{Target: "y", TargetUnit: "MPa", Columns: []data.Column{
		{Name: "length", Unit: "mm", Encoding: data.Numeric},
		{Name: "sex", Encoding: data.OneHot, Levels: []string{"F", "I", "M"}},
		{Name: "grade", Encoding: data.Ordinal, Levels: []string{"low", "middle", "high"}},
		{Name: "income", Encoding: data.Numeric},
		{Name: "urban", Encoding: data.Numeric},
		{Name: "same", Encoding: data.Numeric},
	}}}
	for i := range n {
		x := []float64{100 + 20*rng.NormFloat64(), 0, 0, 0, float64(1 + rng.IntN(3)), math.Exp(2 * rng.NormFloat64()), float64(rng.IntN(2)), 7}
		x[1+rng.IntN(3)] = 1
		d.X, d.Y, d.Rows = append(d.X, x), append(d.Y, x[0]/10+3*x[1]-x[4]+math.Log(x[5])+0.1*rng.NormFloat64()), append(d.Rows, i+1)
	}
	return d
}

// untrained returns a model of R rules of a shape, centred on rows of the data, with random consequents.
func untrained(t testing.TB, shape membership.Function, d *data.Dataset, R int, change func(*model.Preprocessing)) *model.Model {
	t.Helper()
	p := testenv.Must(model.Fit(context.Background(), d))
	if change != nil {
		change(&p)
	}
	x := testenv.Must(p.Scale(d.X))
	rng := rand.New(rand.NewPCG(2, 3))
	M := len(p.Inputs())
	rb := &rules.RuleBase{Shape: shape, SpreadFloor: 1e-3, Parameters: rules.NewParameters(len(shape.Params()), R, M)}
	for r := range R {
		for m := range M {
			for j, v := range shape.Place(x[r%len(x)][m], 0.2+rng.Float64()) {
				rb.Antecedents[j][r][m] = v * (1 + 0.05*rng.Float64())
			}
			rb.Consequents[r][m+1] = rng.NormFloat64()
		}
		rb.Consequents[r][0] = rng.NormFloat64()
	}
	rb.Project()
	if rules.CanBeFlat(shape) && M > 1 {
		rb.Flatten(0, 1)
	}
	return testenv.Must(model.New(context.Background(), p, rb, d.X, nil, model.Training{Samples: d.Len()}))
}

func lookup(t testing.TB, name string) membership.Function {
	t.Helper()
	return testenv.Must(membership.Lookup(name))
}

// subjects returns models of every shape, and models with every optional part.
func subjects(t testing.TB) []subject {
	var all []subject
	for _, name := range membership.Names() {
		all = append(all, subject{name, untrained(t, lookup(t, name), table(60), 6, nil), table(60)})
	}
	for _, f := range []membership.Formula{
		{Name: "mine", Expr: "1/(1+((x-c)/s)^2) * min(1, abs(sqrt(x^2+e)))^1.5",
			Params: []membership.FormulaParam{{Name: "c", Init: "center"}, {Name: "s", Init: "spread"}}},
		{Name: "cosine", Expr: "clamp(0.5+0.5*cos(x-c), -0.5, relu(tanh(s)))*sigmoid(s*x)",
			Params: []membership.FormulaParam{{Name: "c", Init: "center - 0.5*spread"}, {Name: "s", Init: "spread"}}},
		{Name: "logged", Expr: "exp(-(x-c)^4)", LogExpr: "-(x-c)^4", Params: []membership.FormulaParam{{Name: "c", Init: "center"}}},
	} {
		shape := testenv.Must(f.Shape())
		all = append(all, subject{"formula " + f.Name, untrained(t, shape, table(60), 6, nil), table(60)})
	}
	gaussian, trapezoid := lookup(t, "gaussian"), lookup(t, "trapezoid")
	d := table(60)
	straight := func(p *model.Preprocessing) {
		p.Straighten(context.Background(), d.X, nil)
		p.Standardise(d)
		p.Target.Margin = 0.01
	}
	all = append(all, subject{"transformed, limited", untrained(t, gaussian, d, 6, straight), d})
	all = append(all, subject{"bounded below", untrained(t, gaussian, d, 6, func(p *model.Preprocessing) {
		low := p.Target.Mean - 0.1*(p.Target.Max-p.Target.Min)
		p.Target.Low = &low
	}), d})
	all = append(all, subject{"components", untrained(t, trapezoid, d, 6, components), d})
	missing := table(60)
	missing.Missing = data.Missing{Policy: "mean", Imputed: 5, Cells: 5}
	missing.X[3][0], missing.X[4][5], missing.X[4][6] = math.NaN(), math.NaN(), math.NaN()
	missing.X[5][1], missing.X[5][2], missing.X[5][3] = math.NaN(), math.NaN(), math.NaN()
	all = append(all, subject{"missing values", untrained(t, gaussian, missing, 6, nil), missing})
	narrow := untrained(t, trapezoid, d, 3, nil)
	for j := range narrow.RuleBase.Antecedents {
		for r := range 3 {
			narrow.RuleBase.Antecedents[j][r][0] = float64(r) + 0.1*float64(j)
		}
	}
	all = append(all, subject{"uncovered", narrow, d})
	all = append(all, subject{"shared curves, transformed", bent(t, untrained(t, gaussian, d, 6, straight), d, false), d})
	all = append(all, subject{"own curves, missing values", bent(t, untrained(t, gaussian, missing, 6, nil), missing, true), missing})
	for i, norm := range inference.TNorms() {
		for j, by := range inference.Defuzzifications() {
			shape := []membership.Function{gaussian, trapezoid}[(i+j)%2] // with a logarithm and without
			m := untrained(t, shape, d, 6, nil)
			m.RuleBase.TNorm, m.RuleBase.Defuzzification = norm, by
			all = append(all, subject{norm.Name() + ", " + by.Name() + ", " + shape.Name(), m, d})
		}
	}
	p := testenv.Must(model.Fit(context.Background(), d))
	committee, err := model.NewCommittee(p, []*model.Model{
		untrained(t, gaussian, d, 4, straight), untrained(t, trapezoid, d, 5, nil),
		bent(t, untrained(t, gaussian, d, 3, components), d, true), narrow,
	}, model.Training{Samples: 60})
	if err != nil {
		t.Fatal(err)
	}
	if err := committee.Calibrate(t.Context(), d, d); err != nil {
		t.Fatal(err)
	}
	return append(all, subject{"committee, calibrated", committee, d}, subject{"page", paged(t, d), d})
}

// paged returns the model of a page with a ramp, a rule for several levels, a capped term, and tables.
func paged(t testing.TB, d *data.Dataset) *model.Model {
	t.Helper()
	p, top := testenv.Must(model.Fit(context.Background(), d)), 10.0
	ramp := &page.Border{At: 100, From: 90, To: 115}
	pg := &page.Page{Target: "y", Unit: "MPa", Low: -20, High: 14, Samples: 60,
		Columns: []page.Column{{Name: "length", Unit: "mm", Low: 60, High: 140}, {Name: "sex", Levels: []string{"F", "I", "M"}},
			{Name: "grade", Levels: []string{"low", "middle", "high"}}, {Name: "income", Low: 0.1, High: 50}},
		Rules: []page.Rule{
			{Conditions: []page.Condition{{Column: "sex", Levels: []string{"F", "M"}}, {Column: "length", AtMost: ramp}}, About: 8,
				Rows: 20, Mean: 8, Within: 3, Terms: []page.Term{{Column: "length", Slope: 0.1, At: 80},
					{Column: "income", Slope: 0.2, At: 2, To: &top}}},
			{Conditions: []page.Condition{{Column: "sex", Levels: []string{"F", "M"}}, {Column: "length", Above: ramp}}, About: 12,
				Rows: 20, Mean: 11.5, Within: 2},
			{Conditions: []page.Condition{{Column: "sex", Levels: []string{"F", "M"}, Not: true}}, About: 9.5, Rows: 20, Mean: 9, Within: 4,
				Terms: []page.Term{{Column: "grade", Level: "low", Yes: 1, No: -0.5}}},
		},
		Tables: []page.Table{{Column: "income", Knots: []float64{0.1, 2, 50}, Entries: []float64{-2, 0, 4}},
			{Column: "grade", Groups: [][]string{{"low", "high"}}, Entries: []float64{0.5, -0.25}}}}
	testenv.OK(t, p.PageLimits(pg))
	m := testenv.Must(model.New(context.Background(), p, testenv.Must(p.PageRules(pg)), d.X, nil, model.Training{Samples: d.Len()}))
	m.Pages = []*page.Page{pg}
	return m
}

// drawn returns the subjects of the names, and every n-th of the others: under CI=true every twelfth, by make matrix all.
func drawn(t testing.TB, n int, names ...string) []subject {
	var chosen, others []subject
	for _, s := range subjects(t) {
		if slices.Contains(names, s.name) {
			chosen = append(chosen, s)
		} else {
			others = append(others, s)
		}
	}
	return append(chosen, testenv.Draw(others, n, 12, 0)...)
}

// opened shows the page of a subject, in a page that is open or in a new one.
func opened(t testing.TB, p *browser.Page, s subject) *browser.Page {
	t.Helper()
	path := written(t, Input{Model: s.model, Data: Part{"test.csv", s.data}})
	if p == nil {
		return browser.Open(t, path)
	}
	p.Go(path)
	return p
}

// sound reports the faults of a page.
func sound(t testing.TB, p *browser.Page, name string) {
	t.Helper()
	if faults := p.Faults(); len(faults) > 0 {
		t.Errorf("%s: %s", name, faults)
	}
}

// bent adds random curves to the rules of a model: shared, or own of each rule.
func bent(t testing.TB, m *model.Model, d *data.Dataset, own bool) *model.Model {
	t.Helper()
	z := testenv.Must(m.Scale(d.X))
	for n, row := range z {
		z[n] = m.RuleBase.ThenPart(row)
	}
	columns, err := rules.SortColumns(context.Background(), z, nil)
	if err != nil {
		t.Fatal(err)
	}
	rules.AddCurves(m.RuleBase, columns.Knots(5), own)
	rng := rand.New(rand.NewPCG(6, 7))
	for _, values := range m.RuleBase.Curves {
		for q := range values {
			values[q] = rng.NormFloat64()
		}
	}
	return m
}

// components returns a model over two linear combinations of the features.
func components(p *model.Preprocessing) {
	M := len(p.Used())
	one, two := make([]float64, M), make([]float64, M)
	for m := range M {
		one[m] = 1 / math.Sqrt(float64(M))
	}
	two[0] = 1
	p.Components = []model.Component{{Loadings: one, SD: 1, Min: -3, Max: 3}, {Loadings: two, SD: 1, Min: -2, Max: 2}}
}

// written writes the page of a subject to a file.
func written(t testing.TB, in Input) string {
	t.Helper()
	p := testenv.Must(New(in))
	path := filepath.Join(t.TempDir(), "report.html")
	f := testenv.Must(os.Create(path))
	if err := p.Write(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// values returns a row in the form that the page's predict accepts.
func values(s data.Schema, row []float64) map[string]any {
	v := map[string]any{}
	first := 0
	for _, c := range s.Columns {
		switch {
		case math.IsNaN(row[first]):
			v[c.Name] = nil
		case c.Encoding == data.OneHot:
			for k, level := range c.Levels {
				if row[first+k] == 1 {
					v[c.Name] = level
				}
			}
		case c.Encoding == data.Ordinal:
			v[c.Name] = c.Levels[int(row[first])-1]
		default:
			v[c.Name] = row[first]
		}
		first += c.Width()
	}
	return v
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(b)) }

func differ(what string, got, want float64) string {
	return fmt.Sprintf("%s %v in the page, %v in the model", what, got, want)
}
