package model

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
)

// smallNear is small with four training samples as neighbours.
func smallNear(t testing.TB) *Model {
	t.Helper()
	return withNear(t, small())
}

// withNear adds neighbours, chosen by hand, to a model of one feature.
func withNear(t testing.TB, m *Model) *Model {
	t.Helper()
	n := &Neighbours{
		K: 2, Power: 1, Weight: 0.5, Sensitivity: []float64{1}, LeaveOneOut: 0.5, Without: 0.75,
		Rows: [][]float64{{7}, {9}, {9}, {13}}, Targets: []float64{2, 3, 4, 8},
	}
	noError(n.prepare(t.Context(), m))
	m.Neighbours = n
	return m
}

// TestNeighboursByHand: 8 is half a standard deviation from 7 and from the first 9; 9 equals two rows, whose weights are equal.
func TestNeighboursByHand(t *testing.T) {
	m := smallNear(t)
	alone := predict(t, m.WithoutNeighbours(), [][]float64{{7}, {9}, {8}}).Values
	r := []float64{2 - alone[0], 3 - alone[1], 4 - alone[1]}
	p := predict(t, m, [][]float64{{8}, {9}})
	for i, want := range []float64{alone[2] + (r[0]+r[1])/4, alone[1] + (r[1]+r[2])/4} {
		if math.Abs(p.Values[i]-want) > 1e-14 {
			t.Errorf("sample %d: %v, want %v", i, p.Values[i], want)
		}
	}
	m.Neighbours.K, m.Neighbours.Power = 3, 2
	u := []float64{1 / (1.001 * 1.001), 1e6, 1e6}
	want := alone[1] + 0.5*(u[0]*r[0]+u[1]*r[1]+u[2]*r[2])/(u[0]+u[1]+u[2])
	if got := predict(t, m, [][]float64{{9}}).Values[0]; math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestNeighboursAreLimited: the corrected prediction is clamped, and counted.
func TestNeighboursAreLimited(t *testing.T) {
	m := smallNear(t)
	m.Neighbours.Targets[0] = 1e6
	noError(m.Neighbours.prepare(t.Context(), m))
	m.Target.Margin = 0.5
	if p := predict(t, m, [][]float64{{7}}); p.Values[0] != 8+3.5 || p.Limited != 1 {
		t.Errorf("%+v", p)
	}
}

// TestUncoveredIsNotCorrected: a sample that no rule covers is predicted by the training mean.
func TestUncoveredIsNotCorrected(t *testing.T) {
	m := withNear(t, smallTrapezoid())
	p := predict(t, m, [][]float64{{15}, {11}})
	if p.Values[0] != m.Target.Mean || p.Uncovered != 1 || p.Values[1] == predict(t, m.WithoutNeighbours(), [][]float64{{11}}).Values[0] {
		t.Errorf("%+v", p)
	}
	if e := explain(t, m, []float64{15}); !e.Uncovered || e.Neighbours != nil || e.sum() != e.Prediction {
		t.Errorf("%+v", e)
	}
}

// bumpy returns a model and a weighted training part of its table whose residuals depend on the
// features, with duplicates, missing values and rows of weight zero.
func bumpy(t *testing.T, shape membership.Function, seed uint64) (*Model, *data.Dataset) {
	t.Helper()
	m, x := random(t, shape, seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	d := &data.Dataset{Schema: m.Schema, Missing: data.Missing{Policy: "mean"}}
	d.Schema.Weight = "w"
	d.X = append(d.X, x[:60]...)
	for range 100 {
		row := slices.Clone(x[rng.IntN(60)])
		row[4] += 0.3 * rng.NormFloat64()
		d.X = append(d.X, row)
	}
	for i, v := range predict(t, m, d.X).Values {
		d.Y = append(d.Y, v+3*math.Sin(d.X[i][4])+0.1*rng.NormFloat64())
		d.Weights = append(d.Weights, float64(rng.IntN(4)))
	}
	return m, d
}

// fitNear returns the neighbours that improve a model.
func fitNear(t *testing.T, m *Model, d *data.Dataset) *Neighbours {
	t.Helper()
	n := testenv.Must(FitNeighbours(t.Context(), m, d, rand.New(rand.NewPCG(1, 2))))
	if n == nil {
		t.Fatal("no neighbours")
	}
	return n
}

// distances returns the squared distances of a point to stored rows by the definition.
func (n *Neighbours) distances(t *testing.T, m *Model, x []float64) []found {
	t.Helper()
	var all []found
	for j, row := range n.Rows {
		sum, used := 0.0, 0
		for i, f := range m.Features {
			if f.Constant {
				continue
			}
			v := x[i]
			if math.IsNaN(v) {
				v = f.Mean
			}
			d := n.Sensitivity[used] * ((v - row[i]) / f.SD)
			sum, used = sum+d*d, used+1
		}
		all = append(all, found{sum, j})
	}
	slices.SortStableFunc(all, func(a, b found) int {
		if math.Abs(a.squared-b.squared) < 1e-12*a.squared {
			return 0
		}
		return map[bool]int{true: -1, false: 1}[a.squared < b.squared]
	})
	return all
}

// correction returns Weight 1 times the correction by the definition.
func (n *Neighbours) correction(near []found) float64 {
	sum, residuals := 0.0, 0.0
	for _, f := range near {
		u := n.Weights[f.row] * math.Pow(math.Sqrt(f.squared)+0.001, -float64(n.Power))
		sum, residuals = sum+u, residuals+u*n.residuals[f.row]
	}
	return residuals / sum
}

// TestNeighboursByDefinition holds predictions, and the choice of K, Power and Weight, against the definition, by all distances.
func TestNeighboursByDefinition(t *testing.T) {
	testenv.SkipRace(t)
	for _, shape := range []membership.Function{membership.Gaussian{}, membership.Trapezoid{}} { // all samples covered, and not
		m, d := bumpy(t, shape, 7)
		n := fitNear(t, m, d)
		whole := *m
		whole.Neighbours = n
		if slices.Contains(n.Weights, 0) || len(n.Rows) >= 140 || len(n.Rows) < 20 {
			t.Fatalf("%d rows of weights %v", len(n.Rows), n.Weights)
		}
		alone := predict(t, m, d.X)
		for i, v := range predict(t, &whole, d.X).Values {
			want := alone.Values[i]
			if one := predict(t, m, d.X[i:i+1]); one.Uncovered == 0 {
				want += n.Weight * n.correction(n.distances(t, m, d.X[i])[:n.K])
			}
			if math.Abs(v-want) > 1e-9 {
				t.Fatalf("sample %d: %v, want %v", i, v, want)
			}
		}
		checkChoice(t, m, n)
	}
}

// checkChoice holds K, Power, Weight and the errors against leaving out each row in turn.
func checkChoice(t *testing.T, m *Model, n *Neighbours) {
	t.Helper()
	try, least := *n, math.Inf(1)
	var best Neighbours
	others := make([][]found, len(n.Rows))
	for i, row := range n.Rows {
		others[i] = slices.DeleteFunc(n.distances(t, m, row), func(f found) bool { return f.row == i })
	}
	for _, k := range neighbourCounts {
		for try.Power = 1; try.Power <= 2; try.Power++ {
			var c, total, rr, cr, cc, sse float64
			for pass := range 2 {
				total, rr = 0, 0
				for i := range n.Rows {
					c = try.correction(others[i][:k])
					r, w := n.residuals[i], n.Weights[i]
					total, rr = total+w, rr+w*r*r
					if pass == 0 {
						cr, cc = cr+w*c*r, cc+w*c*c
					} else {
						sse += w * (r - try.Weight*c) * (r - try.Weight*c)
					}
				}
				try.Weight = max(0, min(1, cr/cc))
			}
			if rmse := math.Sqrt(sse / total); rmse < least {
				least = rmse
				best = Neighbours{K: k, Power: try.Power, Weight: try.Weight, LeaveOneOut: rmse, Without: math.Sqrt(rr / total)}
			}
		}
	}
	if n.K != best.K || n.Power != best.Power || math.Abs(n.Weight-best.Weight) > 1e-9 || math.Abs(n.LeaveOneOut-best.LeaveOneOut) > 1e-9 ||
		math.Abs(n.Without-best.Without) > 1e-9 {
		t.Errorf("k %d, power %d, weight %v, %v of %v; want %+v", n.K, n.Power, n.Weight, n.LeaveOneOut, n.Without, best)
	}
}

// TestEvaluateTraining: the training error is the leave-one-out error, with one of two equal rows left out.
func TestEvaluateTraining(t *testing.T) {
	m, d := bumpy(t, membership.Gaussian{}, 8)
	d.X[61], d.Y[61], d.Weights[60], d.Weights[61] = slices.Clone(d.X[60]), d.Y[60], 1, 1
	m.Neighbours = fitNear(t, m, d)
	e, err := m.EvaluateTraining(t.Context(), d)
	if err != nil || math.Abs(e.RMSE-m.Neighbours.LeaveOneOut) > 1e-9 {
		t.Errorf("%v, leave one out %v; %v", e.RMSE, m.Neighbours.LeaveOneOut, err)
	}
	plain, err := m.Evaluate(t.Context(), d)
	if err != nil || !(plain.RMSE < 0.9*e.RMSE) {
		t.Errorf("%v, with themselves among the neighbours %v; %v", e.RMSE, plain.RMSE, err)
	}
}

func TestLeastHarm(t *testing.T) {
	for _, c := range []struct{ cr, cc, want float64 }{
		{1, 4, 0.25}, {5, 4, 1}, {-1, 4, 0}, {0, 0, 0}, {0, 1, 0}, {math.NaN(), 1, 0}, {1, math.NaN(), 0},
	} {
		if got := leastHarm(c.cr, c.cc); got != c.want {
			t.Errorf("c.r %v, c.c %v: %v, want %v", c.cr, c.cc, got, c.want)
		}
	}
}

// TestNoNeighbours: without a gain, or a feature that the prediction depends on, there are none.
func TestNoNeighbours(t *testing.T) {
	m, d := bumpy(t, membership.Gaussian{}, 9)
	noise := *d
	noise.Y = slices.Clone(d.Y)
	rng := rand.New(rand.NewPCG(3, 4))
	for i, v := range predict(t, m, d.X).Values {
		noise.Y[i] = v + rng.NormFloat64()
	}
	exact := *d
	exact.Y = predict(t, m, d.X).Values
	flat, _ := bumpy(t, membership.Gaussian{}, 9)
	for _, w := range flat.RuleBase.Consequents {
		clear(w)
	}
	for name, c := range map[string]struct {
		m *Model
		d *data.Dataset
	}{"noise": {m, &noise}, "exact": {m, &exact}, "constant": {flat, d}} {
		if n, err := FitNeighbours(context.Background(), c.m, c.d, rng); n != nil || err != nil {
			t.Errorf("%s: %+v, %v", name, n, err)
		}
	}
}

// TestNeighboursKeepTheirBits: neighbours and predictions do not depend on the number of workers, and a file keeps them.
func TestNeighboursKeepTheirBits(t *testing.T) {
	m, d := bumpy(t, membership.Gaussian{}, 10)
	for range 12 { // several blocks
		d.X, d.Y, d.Weights = append(d.X, d.X[:160]...), append(d.Y, d.Y[:160]...), append(d.Weights, d.Weights[:160]...)
	}
	var files [][]byte
	var values [][]float64
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, workers := range []int{1, 3} {
		runtime.GOMAXPROCS(workers)
		n := fitNear(t, m, d)
		whole := *m
		whole.Neighbours = n
		files, values = append(files, encode(t, &whole)), append(values, predict(t, &whole, d.X).Values)
	}
	values = append(values, predict(t, decode(t, files[0]), d.X).Values)
	if !bytes.Equal(files[0], files[1]) || !sameBits(values[0], values[1]) || !sameBits(values[0], values[2]) {
		t.Error("the number of workers or the file changes bits")
	}
}

// TestExplainNeighbours: the parts sum to the prediction, and the shares and residuals give the contribution.
func TestExplainNeighbours(t *testing.T) {
	committee := smallCommittee(t)
	committee.Neighbours = smallNear(t).Neighbours
	noError(committee.Neighbours.prepare(t.Context(), committee.WithoutNeighbours()))
	bump, d := bumpy(t, membership.Gaussian{}, 11)
	bump.Target.Margin = 0.001
	bump.Neighbours = fitNear(t, bump, d)
	rows := [][]float64{{8}, {9}, {10.3}, {700}}
	limited := 0
	for _, c := range []struct {
		m *Model
		x [][]float64
	}{{smallNear(t), rows}, {committee, rows}, {bump, d.X}} {
		alone, whole := predict(t, c.m.WithoutNeighbours(), c.x), predict(t, c.m, c.x)
		for i, x := range c.x {
			e := explain(t, c.m, x)
			n := e.Neighbours
			if e.Prediction != whole.Values[i] || n.Before != alone.Values[i] || e.sum() != e.Prediction || len(n.Rows) != c.m.Neighbours.K {
				t.Fatalf("%+v sums to %v, want %v", e, e.sum(), whole.Values[i])
			}
			sum, shares := 0.0, 0.0
			for j, row := range n.Rows {
				shares += row.Share
				sum += row.Share * row.Residual
				if j > 0 && row.Distance < n.Rows[j-1].Distance {
					t.Errorf("%+v is out of order", n.Rows)
				}
				if before := predict(t, c.m.WithoutNeighbours(), [][]float64{row.X}).Values[0]; row.Target-before != row.Residual {
					t.Errorf("%+v: predicted %v", row, before)
				}
			}
			if math.Abs(shares-1) > 1e-12 || math.Abs(n.Weight*sum-n.Contribution) > 1e-12*max(1, math.Abs(sum)) {
				t.Errorf("%+v", n)
			}
			limited += count(e.Limit != 0)
		}
	}
	if limited == 0 {
		t.Error("no prediction is limited")
	}
}

// TestNeighboursOfMembers: only the committee has neighbours; a model has those fitted to it.
func TestNeighboursOfMembers(t *testing.T) {
	m := smallCommittee(t)
	m.Members[1] = smallNear(t)
	if _, err := NewCommittee(m.Preprocessing, m.Members, m.Training); err == nil {
		t.Error("a member has neighbours")
	}
	other, _ := random(t, membership.Gaussian{}, 1)
	other.Neighbours = smallNear(t).Neighbours
	if other.Validate() == nil {
		t.Error("neighbours of another model are valid")
	}
	other.Neighbours = &Neighbours{}
	if other.Validate() == nil {
		t.Error("neighbours that are not prepared are valid")
	}
}

// TestNearestIsExact holds the search against all distances, to the bit and with equally near
// points in the order of their rows. Coordinates of few values give many of these.
func TestNearestIsExact(t *testing.T) {
	testenv.SkipRace(t)
	rng := rand.New(rand.NewPCG(1, 2))
	ties := 0
	for range 300 {
		n, M, k := 1+rng.IntN(400), 1+rng.IntN(6), 1+rng.IntN(41)
		values := []float64{2, 5, 1e6}[rng.IntN(3)]
		point := func() []float64 {
			p := make([]float64, M)
			for m := range p {
				p[m] = 0.1 * math.Round(values*rng.NormFloat64())
			}
			return p
		}
		points := make([][]float64, n)
		for i := range points {
			points[i] = point()
		}
		tree, _ := newKDTree(t.Context(), points)
		search := tree.newSearch(k)
		for range 20 {
			query := point()
			var want []found
			for row, p := range points {
				sum := 0.0
				for m, v := range query {
					d := v - p[m]
					sum += float64(d * d)
				}
				want = append(want, found{sum, row})
			}
			slices.SortFunc(want, func(a, b found) int { return cmp.Or(cmp.Compare(a.squared, b.squared), a.row-b.row) })
			ties += count(k < n && want[min(k, n-1)].squared == want[min(k, n)-1].squared)
			if got := search.nearest(query); !slices.Equal(got, want[:min(k, n)]) {
				t.Fatalf("%d points of %d coordinates, k %d: %v, want %v", n, M, k, got, want[:min(k, n)])
			}
		}
	}
	if ties < 100 {
		t.Errorf("only %d searches with ties", ties)
	}
}

// Points at an infinite distance are not found.
func TestNearestFar(t *testing.T) {
	tree, _ := newKDTree(t.Context(), [][]float64{{0}, {1}, {1e200}})
	search := tree.newSearch(2)
	if got := search.nearest([]float64{1e200}); !slices.Equal(got, []found{{0, 2}}) {
		t.Errorf("%v", got)
	}
	if got := search.nearest([]float64{-1e200}); len(got) != 0 {
		t.Errorf("%v", got)
	}
}
