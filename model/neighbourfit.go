package model

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/base/parallel"
)

const (
	leastGain         = 0.005  // of the leave-one-out RMSE, as a share, for which neighbours are kept
	sensitivitySample = 2000   // most training samples of which the sensitivities are measured
	leaveOneOutSample = 20_000 // most training samples that choose K, Power and Weight
	sensitivityStep   = 0.5    // half the difference of z-scores: wide, so that a steep border counts as its rise
)

const (
	mostNearFeatures = 500 // used features, beyond which there are no neighbours: their distances say little
	sensitivityCost  = 1e8 // limit of features squared times samples
)

// neighbourCounts are the candidates for Neighbours.K.
var neighbourCounts = []int{3, 5, 10, 20, 40}

// FitNeighbours returns the neighbours that lower the leave-one-out error of a model on the samples of its training part d most, or nil
// if none lowers the RMSE by half a percent, or if the model uses more than 500 features. The sensitivity of a feature is the root mean
// square, over at most 2000 samples (fewer for more than 200 features), of the change of the prediction over one standard deviation of
// the feature, relative to the largest. K, Power and Weight are those of the least error over at most 20,000 samples, each predicted
// without itself among the neighbours. Samples of weight zero and those that no rule covers are not stored. rng draws the samples. If ctx
// ends, FitNeighbours returns its error.
func FitNeighbours(ctx context.Context, m *Model, d *data.Dataset, rng *rand.Rand) (*Neighbours, error) {
	alone := m.WithoutNeighbours()
	if err := alone.Validate(); err != nil {
		return nil, err
	}
	d, err := measurable(m.Preprocessing, d)
	if err != nil {
		return nil, err
	}
	M := len(m.Used())
	if M > mostNearFeatures {
		return nil, nil
	}
	d = m.Fill(d)
	n := &Neighbours{prep: plain(m.Preprocessing)}
	if err := n.store(ctx, alone, d); err != nil || len(n.Rows) < 2 {
		return nil, err
	}
	if n.Sensitivity, err = sensitivities(ctx, alone, sampled(n.Rows, min(sensitivitySample, sensitivityCost/max(1, M*M)),
		rng)); err != nil || n.Sensitivity == nil {
		return nil, err
	}
	if err := n.prepare(ctx, alone); err != nil {
		return nil, err
	}
	if better, err := n.choose(ctx, rng); !better {
		return nil, err
	}
	return n, nil
}

// store stores the covered samples.
func (n *Neighbours) store(ctx context.Context, alone *Model, d *data.Dataset) error {
	_, how, err := predictAll(ctx, alone, d.X)
	if err != nil {
		return err
	}
	for i, row := range d.X {
		if how[i].uncovered {
			continue
		}
		n.Rows, n.Targets = append(n.Rows, imputed(n.prep, row)), append(n.Targets, d.Y[i])
		if d.Weights != nil {
			n.Weights = append(n.Weights, d.Weights[i])
		}
	}
	return nil
}

// imputed returns a copy of a row with missing values replaced by their training mean.
func imputed(p Preprocessing, row []float64) []float64 {
	row = slices.Clone(row)
	for m, v := range row {
		if math.IsNaN(v) {
			row[m] = p.Features[m].Mean
		}
	}
	return row
}

// sampled returns at most n rows at random, in their order.
func sampled[T any](rows []T, n int, rng *rand.Rand) []T {
	if len(rows) <= n {
		return rows
	}
	chosen := rng.Perm(len(rows))[:n]
	slices.Sort(chosen)
	some := make([]T, n)
	for i, row := range chosen {
		some[i] = rows[row]
	}
	return some
}

// sensitivities returns the sensitivities [M] of the used features, nil if the prediction does not
// depend on any or if a derivative overflows.
func sensitivities(ctx context.Context, alone *Model, rows [][]float64) ([]float64, error) {
	var all []float64
	largest := 0.0
	for m, f := range alone.Features {
		if f.Constant {
			continue
		}
		var moved [2][]float64
		for side, step := range []float64{-sensitivityStep, sensitivityStep} {
			x := make([][]float64, len(rows))
			for i, row := range rows {
				x[i] = slices.Clone(row)
				x[i][m] += float64(step * f.SD)
			}
			var err error
			if moved[side], _, err = predictAll(ctx, alone, x); err != nil {
				return nil, err
			}
		}
		length := 0.0
		for i, v := range moved[1] {
			length = math.Hypot(length, v-moved[0][i])
		}
		all, largest = append(all, length), max(largest, length)
	}
	if !(largest > 0) || !numeric.Finite(largest) {
		return nil, nil
	}
	for m := range all {
		all[m] /= largest
	}
	return all, nil
}

// predictAll predicts samples [N][M'] by blocks, with their outcomes, until ctx ends.
func predictAll(ctx context.Context, m *Model, x [][]float64) ([]float64, []outcome, error) {
	values, how := make([]float64, len(x)), make([]outcome, len(x))
	err := eachRows(ctx, len(x), func(_, start, end int) error {
		r, err := predictSamples(m, x[start:end], start)
		if err == nil {
			copy(values[start:end], r.values[0])
			copy(how[start:end], r.how)
		}
		return err
	})
	return values, how, err
}

// prepare computes the residuals and the index from the stored samples.
func (n *Neighbours) prepare(ctx context.Context, alone *Model) error {
	n.prep = plain(alone.Preprocessing)
	values, _, err := predictAll(ctx, alone, n.Rows)
	if err != nil {
		return err
	}
	n.residuals = make([]float64, len(values))
	for i, v := range values {
		n.residuals[i] = n.Targets[i] - v
	}
	z, err := n.prep.scale(n.Rows, 0)
	if err != nil {
		return err
	}
	for _, row := range z {
		stretched(n.Sensitivity, row, row)
	}
	n.index, err = newKDTree(ctx, z)
	return err
}

// correctionSums are weighted sums over samples of products of the correction c and the residual r, in units of the largest residual.
type correctionSums struct{ cr, cc float64 }

// choose sets K, Power and Weight and reports whether they lower the error enough.
func (n *Neighbours) choose(ctx context.Context, rng *rand.Rand) (better bool, err error) {
	unit := 0.0
	for _, r := range n.residuals {
		unit = max(unit, math.Abs(r))
	}
	if unit == 0 || !numeric.Finite(unit) {
		return false, nil
	}
	places := make([]int, len(n.Rows)) // in the index: samples near each other follow one another
	for i := range places {
		places[i] = i
	}
	places = sampled(places, leaveOneOutSample, rng)
	rr, total := 0.0, 0.0
	for _, place := range places {
		row := n.index.rows[place]
		r := n.residuals[row] / unit
		rr += float64(n.weight(row) * (r * r))
		total += n.weight(row)
	}
	least := rr
	all, err := n.leaveOneOut(ctx, places, unit)
	if err != nil {
		return false, err
	}
	for at, s := range all {
		w := leastHarm(s.cr, s.cc)
		if sse := rr - float64(2*w*s.cr) + float64(w*w*s.cc); sse < least {
			least = sse
			n.K, n.Power, n.Weight = neighbourCounts[at/2], 1+at%2, w
		}
	}
	n.Without, n.LeaveOneOut = unit*math.Sqrt(rr/total), unit*math.Sqrt(max(0, least)/total)
	return n.LeaveOneOut < (1-leastGain)*n.Without, nil
}

// leastHarm returns the weight w in [0, 1] of the least sum of (r - w c)^2.
func leastHarm(cr, cc float64) float64 {
	if !(cr > 0) || !(cc > 0) {
		return 0
	}
	return min(1, cr/cc)
}

// leaveOneOut returns the sums over samples for each K, and each Power 1 and 2 of it, each sample without itself among the neighbours.
func (n *Neighbours) leaveOneOut(ctx context.Context, places []int, unit float64) ([]correctionSums, error) {
	blocks := make([][]correctionSums, parallel.Blocks(len(places), blockRows))
	err := parallel.Until(ctx, len(places), blockRows, func(block, start, end int) {
		blocks[block] = make([]correctionSums, 2*len(neighbourCounts))
		search := n.index.newSearch(neighbourCounts[len(neighbourCounts)-1] + 1)
		for _, place := range places[start:end] {
			if ctx.Err() != nil {
				return
			}
			row := n.index.rows[place]
			near := slices.DeleteFunc(search.nearest(n.index.point(place)), func(f found) bool { return f.row == row })
			n.add(blocks[block], near, n.weight(row), n.residuals[row]/unit, unit)
		}
	})
	all := make([]correctionSums, 2*len(neighbourCounts))
	for _, block := range blocks {
		for at, s := range block {
			all[at].cr += s.cr
			all[at].cc += s.cc
		}
	}
	return all, err
}

// add adds a sample of weight v with residual r, in the given unit, and its neighbours to sums.
func (n *Neighbours) add(to []correctionSums, near []found, v, r, unit float64) {
	for p := range 2 {
		sum, residuals, j := 0.0, 0.0, 0
		for at, k := range neighbourCounts {
			for ; j < min(k, len(near)); j++ {
				u := neighbourWeight(near[j].squared, 1+p, n.weight(near[j].row))
				sum += u
				residuals += float64(u * (n.residuals[near[j].row] / unit))
			}
			c := residuals / sum
			to[2*at+p].cr += float64(v * (c * r))
			to[2*at+p].cc += float64(v * (c * c))
		}
	}
}
