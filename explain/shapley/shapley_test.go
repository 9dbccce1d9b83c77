package shapley

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// numbers returns a model with R Gaussian rules over numeric columns, and a thousand rows.
func numbers(t testing.TB, columns, R int) (*model.Model, *data.Dataset) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(columns), uint64(R)))
	d := &data.Dataset{Schema: data.Schema{Target: "y"}}
	for m := range columns {
		d.Schema.Columns = append(d.Schema.Columns, data.Column{Name: string(rune('a' + m)), Encoding: data.Numeric})
	}
	for range 1000 {
		row := make([]float64, columns)
		for m := range row {
			row[m] = rng.NormFloat64()
		}
		d.X, d.Y = append(d.X, row), append(d.Y, 10*rng.NormFloat64())
	}
	return ruled(t, fit(t, d), d, membership.Gaussian{}, R, 0.4, rng), d
}

// table returns 40 rows with a categorical, an ordinal, a constant and four numeric columns, and
// missing values that the model fills with means.
func table(rng *rand.Rand) *data.Dataset {
	d := &data.Dataset{Missing: data.Missing{Policy: "mean"}, Schema: data.Schema{Target: "rings", Columns: []data.Column{
		{Name: "sex", Encoding: data.OneHot, Levels: []string{"F", "I", "M"}},
		{Name: "size", Encoding: data.Ordinal, Levels: []string{"small", "large"}},
		{Name: "length", Encoding: data.Numeric}, {Name: "flat", Encoding: data.Numeric}, {Name: "weight", Encoding: data.Numeric},
		{Name: "height", Encoding: data.Numeric}, {Name: "age", Encoding: data.Numeric},
	}}}
	for n := range 40 {
		row := []float64{0, 0, 0, 1 + float64(n%2), 100 + 10*rng.NormFloat64(), 3, 1e-3 * rng.ExpFloat64(), rng.NormFloat64(),
			math.Round(3 * rng.Float64())}
		row[rng.IntN(3)] = 1
		if n%7 == 0 {
			row[6] = math.NaN()
		}
		d.X, d.Y = append(d.X, row), append(d.Y, 20+3*rng.NormFloat64())
	}
	return d
}

func fit(t testing.TB, d *data.Dataset) model.Preprocessing {
	t.Helper()
	return testenv.Must(model.Fit(context.Background(), d))
}

// ruled returns a model of R random rules, each of at least the given spread, on a data set.
func ruled(t testing.TB, p model.Preprocessing, d *data.Dataset, shape membership.Function, R int, spread float64,
	rng *rand.Rand) *model.Model {
	t.Helper()
	c := &rules.Clusters{}
	for range R {
		centers, spreads := make([]float64, len(p.Inputs())), make([]float64, len(p.Inputs()))
		for m := range centers {
			centers[m], spreads[m] = rng.NormFloat64(), spread*(1+2*rng.Float64())
		}
		c.Centers, c.Spreads, c.Targets = append(c.Centers, centers), append(c.Spreads, spreads), append(c.Targets, 5*rng.NormFloat64())
	}
	rb := rules.New(shape, c)
	for _, w := range rb.Consequents {
		for m := range w {
			w[m] += 3 * rng.NormFloat64()
		}
	}
	return testenv.Must(model.New(context.Background(), p, rb, d.X, nil, model.Training{Samples: d.Len()}))
}

// bend adds random curves to the rules of a model, shared or own of each.
func bend(t testing.TB, m *model.Model, d *data.Dataset, own bool) {
	t.Helper()
	scaled := testenv.Must(m.Scale(d.X))
	for n, row := range scaled {
		scaled[n] = m.RuleBase.ThenPart(row)
	}
	columns, err := rules.SortColumns(context.Background(), scaled, nil)
	if err != nil {
		t.Fatal(err)
	}
	rules.AddCurves(m.RuleBase, columns.Knots(8), own)
	rng := rand.New(rand.NewPCG(9, 10))
	for _, values := range m.RuleBase.Curves {
		for q := range values {
			values[q] = 3 * rng.NormFloat64()
		}
	}
}

func attributor(t testing.TB, m *model.Model, d *data.Dataset) *Attributor {
	t.Helper()
	return testenv.Must(New(m, d, 1))
}

func attributed(t testing.TB, a *Attributor, x [][]float64) []Attribution {
	t.Helper()
	all := testenv.Must(a.Attribute(context.Background(), x))
	for n, e := range all {
		sum := e.Mean
		for _, v := range e.Values {
			sum += v
		}
		if !(math.Abs(sum-e.Prediction) <= 1e-9) {
			t.Errorf("row %d: the parts sum to %v, not to the prediction %v", n, sum, e.Prediction)
		}
	}
	return all
}

// byPermutations returns the Shapley values of the used columns of the schema as the mean change
// over all orders in which they can join, with each worth predicted by the model.
func byPermutations(t *testing.T, m *model.Model, background [][]float64, weights, x []float64) []float64 {
	t.Helper()
	var columns, firsts []int
	first := 0
	for i, c := range m.Schema.Columns {
		if !c.Unused {
			columns, firsts = append(columns, i), append(firsts, first)
		}
		first += c.Width()
	}
	worth := make([]float64, 1<<len(columns))
	for set := range worth {
		rows := make([][]float64, len(background))
		for b, row := range background {
			rows[b] = slices.Clone(row)
			for k, i := range columns {
				if set>>k&1 == 1 {
					width := m.Schema.Columns[i].Width()
					copy(rows[b][firsts[k]:firsts[k]+width], x[firsts[k]:])
				}
			}
		}
		p := testenv.Must(m.Predict(rows))
		for b, v := range p.Values {
			worth[set] += weights[b] * v
		}
	}
	values, orders := make([]float64, len(m.Schema.Columns)), 0
	var join func(set int, order []int)
	join = func(set int, order []int) {
		if len(order) == len(columns) {
			orders++
			before := 0
			for _, k := range order {
				values[columns[k]] += worth[before|1<<k] - worth[before]
				before |= 1 << k
			}
			return
		}
		for k := range columns {
			if set>>k&1 == 0 {
				join(set|1<<k, append(order, k))
			}
		}
	}
	join(0, make([]int, 0, len(columns)))
	for i := range values {
		values[i] /= float64(orders)
	}
	return values
}

// furthest returns the largest difference of two lists of values.
func furthest(a, b []float64) float64 {
	most := 0.0
	for i := range a {
		most = max(most, math.Abs(a[i]-b[i]))
	}
	return most
}

// models returns models of every kind on the rows of a table.
func models(t *testing.T) (map[string]*model.Model, *data.Dataset) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 6))
	d := table(rng)
	plain := fit(t, d)
	all := map[string]*model.Model{}
	for _, name := range membership.Names() {
		shape := testenv.Must(membership.Lookup(name))
		all[name] = ruled(t, plain, d, shape, 5, 0.3, rng)
		if name == "trapezoid" {
			continue // it covers too few rows for both limits to be reached
		}
		all[name].Target.Margin = 0.01
	}
	all["narrow rules"] = ruled(t, plain, d, membership.Gaussian{}, 5, 0.015, rng)
	all["one rule"] = ruled(t, plain, d, membership.Gaussian{}, 1, 0.3, rng)
	straight := fit(t, d)
	straight.Straighten(context.Background(), d.X, nil)
	all["transform"] = ruled(t, straight, d, membership.Gaussian{}, 5, 0.3, rng)
	components := fit(t, d)
	components.Standardise(d)
	for k := range 2 {
		loadings := make([]float64, len(components.Used()))
		loadings[k], loadings[k+2], loadings[k+4] = 0.6, 0.64, 0.48
		components.Components = append(components.Components, model.Component{Loadings: loadings, SD: 1, Min: -3, Max: 3})
	}
	all["components"] = ruled(t, components, d, membership.Gaussian{}, 5, 0.5, rng)
	for name, own := range map[string]bool{"shared curves": false, "own curves": true} {
		all[name] = ruled(t, straight, d, membership.Gaussian{}, 5, 0.3, rand.New(rand.NewPCG(7, 8)))
		bend(t, all[name], d, own)
	}
	all["curves of components"] = ruled(t, components, d, membership.Trapezoid{}, 5, 0.5, rand.New(rand.NewPCG(7, 8)))
	bend(t, all["curves of components"], d, true)
	for _, norm := range inference.TNorms() {
		for _, by := range inference.Defuzzifications() {
			for _, shape := range []membership.Function{membership.Gaussian{}, membership.Triangular{}} {
				m := ruled(t, plain, d, shape, 5, 0.5, rand.New(rand.NewPCG(7, 8)))
				m.RuleBase.TNorm, m.RuleBase.Defuzzification = norm, by
				all[norm.Name()+", "+by.Name()+", "+shape.Name()] = m
			}
		}
	}
	var err error
	members := []*model.Model{all["gaussian"], all["components"], all["triangular"], all["own curves"]}
	if all["committee"], err = model.NewCommittee(plain, members, model.Training{Samples: d.Len()}); err != nil {
		t.Fatal(err)
	}
	return all, d
}

// TestValuesAreThoseOfPermutations holds the values against all orders of joining.
func TestValuesAreThoseOfPermutations(t *testing.T) {
	all, d := models(t)
	for name, m := range all {
		a := attributor(t, m, d)
		x := append(slices.Clone(d.X[:3]), slices.Clone(d.X[5]))
		x[3][4] += 200 // far from all rules
		for n, e := range attributed(t, a, x) {
			want := byPermutations(t, m, a.background, a.weights, x[n])
			if got := furthest(e.Values, want); got > 1e-10*max(1, math.Abs(e.Prediction)) || e.Errors != nil {
				t.Errorf("%s, row %d: values %v, want %v", name, n, e.Values, want)
			}
		}
	}
}

func TestTenColumns(t *testing.T) {
	testenv.SkipRace(t)
	m, d := numbers(t, 10, 6)
	a := attributor(t, m, d.Subset([]int{1, 2, 3}))
	e := attributed(t, a, d.X[7:8])[0]
	if want := byPermutations(t, m, a.background, a.weights, d.X[7]); furthest(e.Values, want) > 1e-9 { // 10! sums round
		t.Errorf("values %v, want %v", e.Values, want)
	}
}

// TestMutantsAreCaught breaks an attributor in ways that its results must show.
func TestMutantsAreCaught(t *testing.T) {
	all, d := models(t)
	m := all["gaussian"]
	limited := attributed(t, attributor(t, m, d), d.X)
	for name, mutate := range map[string]func(a *Attributor){
		"without limits":         func(a *Attributor) { a.members[0].(*factored).high = math.Inf(1) },
		"a category as a player": func(a *Attributor) { a.players[0].width = 1 },
		"the last player alone":  func(a *Attributor) { a.members[0].(*factored).inputs[2] = a.members[0].(*factored).inputs[1] },
		"another background":     func(a *Attributor) { slices.Reverse(a.background) },
		"a wrong slope":          func(a *Attributor) { a.members[0].(*factored).rows[0].term[0]++ },
	} {
		a := attributor(t, m, d)
		mutate(a)
		broken := testenv.Must(a.Attribute(context.Background(), d.X))
		most := 0.0
		for n, e := range broken {
			most = max(most, furthest(e.Values, limited[n].Values))
		}
		if most < 1e-6 {
			t.Errorf("%s: values differ by %v at most", name, most)
		}
	}
}

// TestDummyAndSymmetry: a column that no rule mentions gets zero, and one that the table repeats gets the same value.
func TestDummyAndSymmetry(t *testing.T) {
	m, d := numbers(t, 4, 3)
	for r := range 3 {
		m.RuleBase.Flatten(r, 1)
		m.RuleBase.Consequents[r][2] = 0
		m.RuleBase.Flatten(r, 2)
		m.RuleBase.Consequents[r][3] = 0
		for _, p := range m.RuleBase.Antecedents {
			p[r][3] = p[r][0]
		}
		m.RuleBase.Consequents[r][4] = m.RuleBase.Consequents[r][1]
	}
	m.RuleBase.Consequents[2][3] = 1
	m.Features[3].Mean, m.Features[3].SD = m.Features[0].Mean, m.Features[0].SD
	for _, row := range d.X {
		row[3] = row[0]
	}
	for n, e := range attributed(t, attributor(t, m, d), d.X[:20]) {
		if e.Values[1] != 0 {
			t.Errorf("row %d: a column that the rules do not mention has %v", n, e.Values[1])
		}
		if e.Values[2] == 0 {
			t.Errorf("row %d: a column that a THEN part mentions has nothing", n)
		}
		if math.Abs(e.Values[0]-e.Values[3]) > 1e-11 {
			t.Errorf("row %d: equal columns have %v and %v", n, e.Values[0], e.Values[3])
		}
	}
}

// TestCurvesMatter: a column that only a curve mentions has a value, one whose curve is zero has none.
func TestCurvesMatter(t *testing.T) {
	for _, own := range []bool{false, true} {
		m, d := numbers(t, 4, 3)
		bend(t, m, d, own)
		for r := range 3 {
			for _, column := range []int{1, 2} {
				m.RuleBase.Flatten(r, column)
				m.RuleBase.Consequents[r][1+column] = 0
			}
		}
		first := len(m.RuleBase.Knots[0])
		for _, values := range m.RuleBase.Curves {
			clear(values[first:][:len(m.RuleBase.Knots[1])])
		}
		for n, e := range attributed(t, attributor(t, m, d), d.X[:20]) {
			if e.Values[1] != 0 || e.Values[2] == 0 {
				t.Errorf("own %v, row %d: values %v", own, n, e.Values)
			}
		}
	}
}

// TestWeights: a row of weight two counts twice in the background.
func TestWeights(t *testing.T) {
	m, d := numbers(t, 3, 4)
	weighty := d.Subset([]int{0, 1, 2})
	weighty.Weights = []float64{1, 2, 1}
	a, b := attributor(t, m, weighty), attributor(t, m, d.Subset([]int{0, 1, 1, 2}))
	one, other := attributed(t, a, d.X[9:10])[0], attributed(t, b, d.X[9:10])[0]
	if furthest(one.Values, other.Values) > 1e-12 || math.Abs(one.Mean-other.Mean) > 1e-12 {
		t.Errorf("%+v, with the row twice %+v", one, other)
	}
}

func TestRefuses(t *testing.T) {
	m, d := numbers(t, 3, 4)
	if _, err := New(m, &data.Dataset{Schema: data.Schema{Target: "y"}}, 1); err == nil {
		t.Error("a background without the features was accepted")
	}
	if _, err := New(&model.Model{}, d, 1); err == nil {
		t.Error("an untrained model was accepted")
	}
	if _, err := attributor(t, m, d).Attribute(context.Background(), [][]float64{{1, math.NaN(), 2}}); err == nil {
		t.Error("a missing value was accepted")
	}
}

func TestInterruptedAttribute(t *testing.T) {
	all, d := models(t)
	a := attributor(t, all["gaussian"], d)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := a.Attribute(ctx, d.X); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want it interrupted", err)
	}
}

// TestEdges: models that cannot predict, backgrounds of wrong weights and empty attributors are errors.
func TestEdges(t *testing.T) {
	m, d := numbers(t, 2, 2)
	row := d.X[:1]
	good := Background{Rows: row, Weights: []float64{1}}
	_ = testenv.Must(good.Attributor(m, 1))
	for name, c := range map[string]struct {
		m *model.Model
		b Background
	}{
		"no model": {nil, good}, "zero model": {&model.Model{}, good}, "empty": {m, Background{}}, "no weights": {m, Background{Rows: row}},
		"weight zero": {m, Background{Rows: row, Weights: []float64{0}}}, "NaN": {m, Background{Rows: row, Weights: []float64{math.NaN()}}},
	} {
		if _, err := c.b.Attributor(c.m, 1); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := New(m, nil, 1); err == nil {
		t.Error("no data set: no error")
	}
	for name, a := range map[string]*Attributor{"nil": nil, "zero": {}} {
		if _, err := a.Attribute(t.Context(), row); err == nil {
			t.Errorf("%s attributor: no error", name)
		}
	}
	if _, err := (Outputs{{}}).TableCells(t.Context(), row); err == nil {
		t.Error("zero output: no error")
	}
}

// TestNeighboursAreAPart: the values are those without neighbours, whose change is a part of its own.
func TestNeighboursAreAPart(t *testing.T) {
	m, d := numbers(t, 3, 4)
	p := testenv.Must(m.Predict(d.X))
	for i, v := range p.Values {
		d.Y[i] = v + 5*math.Sin(3*d.X[i][0])
	}
	whole := *m
	whole.Neighbours = testenv.Must(model.FitNeighbours(context.Background(), m, d, rand.New(rand.NewPCG(1, 2))))
	if whole.Neighbours == nil {
		t.Fatal("no neighbours")
	}
	few := &data.Dataset{Schema: d.Schema, X: d.X[:20], Y: d.Y[:20]}
	a, alone := attributor(t, &whole, few), attributor(t, m, few)
	want := attributed(t, alone, d.X[30:40])
	got := testenv.Must(a.Attribute(context.Background(), d.X[30:40]))
	cells := testenv.Must(a.TableCells(context.Background(), d.X[30:40]))
	if names := a.TableColumns(); !slices.Equal(names, []string{"shap_background", "shap_a", "shap_b", "shap_c", "shap_neighbours"}) {
		t.Errorf("%v", names)
	}
	for n, e := range got {
		sum := e.Mean + e.Neighbours
		for _, v := range e.Values {
			sum += v
		}
		if !slices.Equal(e.Values, want[n].Values) || e.Neighbours == 0 || math.Abs(sum-e.Prediction) > 1e-10 ||
			e.Prediction == want[n].Prediction {
			t.Errorf("%+v, without neighbours %+v", e, want[n])
		}
		if row := cells[n]; row[len(row)-1] != e.Neighbours || len(row) != 5 {
			t.Errorf("%v, want %v at the end", row, e.Neighbours)
		}
	}
}

// TestOutputs: the columns of several outputs are those of each, with its name.
func TestOutputs(t *testing.T) {
	m, d := numbers(t, 2, 3)
	other := *m
	other.Target.Mean++
	first, second := attributor(t, m, d), attributor(t, &other, d)
	both := Outputs{{"a", first}, {"b", second}}
	want := []string{}
	for _, one := range both {
		for _, name := range one.Attributor.TableColumns() {
			want = append(want, name+"_"+one.Name)
		}
	}
	if got := both.TableColumns(); !reflect.DeepEqual(got, want) || got[0] != "shap_background_a" {
		t.Errorf("%v, want %v", got, want)
	}
	cells := testenv.Must(both.TableCells(context.Background(), d.X[:3]))
	of := func(a *Attributor) [][]float64 {
		return testenv.Must(a.TableCells(context.Background(), d.X[:3]))
	}
	ones, twos := of(first), of(second)
	for n := range cells {
		if !reflect.DeepEqual(cells[n], append(ones[n], twos[n]...)) || ones[n][0] == twos[n][0] {
			t.Errorf("row %d: %v, want %v and %v", n, cells[n], ones[n], twos[n])
		}
	}
}

// TestTable: a cell for each name; the values sum to the prediction, and beyond twelve columns have standard errors.
func TestTable(t *testing.T) {
	all, mixed := models(t)
	wide, numbers := numbers(t, 14, 3)
	narrow := attributor(t, all["gaussian"], mixed)
	if got := strings.Join(narrow.TableColumns(),
		" "); got != "shap_background shap_sex shap_size shap_length shap_weight shap_height shap_age" {
		t.Errorf("columns %s", got)
	}
	sampled := attributor(t, wide, numbers)
	if names := sampled.TableColumns(); len(names) != 1+14+14 || names[15] != "shap_error_a" {
		t.Errorf("columns %q", names)
	}
	for _, c := range []struct {
		a *Attributor
		x [][]float64
	}{{narrow, mixed.X[:3]}, {sampled, numbers.X[:3]}} {
		cells := testenv.Must(c.a.TableCells(context.Background(), c.x))
		for n, e := range attributed(t, c.a, c.x) {
			want := []float64{e.Mean}
			for i, v := range e.Values {
				if !c.a.model.Schema.Columns[i].Unused {
					want = append(want, v)
				}
			}
			if want = append(want, e.Errors...); !slices.Equal(cells[n], want) || len(want) != len(c.a.TableColumns()) {
				t.Errorf("row %d: %v, want %v", n, cells[n], want)
			}
		}
	}
}
