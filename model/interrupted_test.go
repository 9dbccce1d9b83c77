package model

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/contexttest"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// TestPassesEndWithTheContext: preprocessing and what follows training hear their context in every pass over the samples, in blocks of them
// or feature by feature.
func TestPassesEndWithTheContext(t *testing.T) {
	const N, M, blocks = 3 * blockRows, 4, 3
	rng := rand.New(rand.NewPCG(1, 1))
	d := &data.Dataset{Schema: data.Schema{Target: "y"}, X: make([][]float64, N), Y: make([]float64, N)}
	for m := range M {
		d.Schema.Columns = append(d.Schema.Columns, data.Column{Name: string(rune('a' + m)), Encoding: data.Numeric})
	}
	for n := range N {
		d.X[n] = make([]float64, M)
		for m := range M {
			d.X[n][m] = math.Exp(rng.NormFloat64())
		}
		d.Y[n] = math.Sin(3*d.X[n][0]) + d.X[n][1]
	}
	prep := must(Fit(t.Context(), d))
	z := must(prep.Scale(d.X))
	rb := rules.New(membership.Gaussian{}, must(rules.KMeans(t.Context(), rules.Samples{X: z, Y: prep.Targets(d)}, 3, rng)))
	m := must(New(t.Context(), prep, rb, d.X, nil, Training{}))
	for name, c := range map[string]struct {
		least int
		work  func(context.Context) error
	}{
		"Fit":        {M, func(ctx context.Context) error { _, err := Fit(ctx, d); return err }},
		"Straighten": {M, func(ctx context.Context) error { p := prep; return p.Straighten(ctx, d.X, nil) }},
		"New":        {blocks, func(ctx context.Context) error { _, err := New(ctx, prep, rb, d.X, nil, Training{}); return err }},
		"Round": {2 * blocks, func(ctx context.Context) error {
			_, err := Round(ctx, prep, rb, 3, z, prep.Targets(d), nil)
			return err
		}},
		"FitNeighbours": {N, func(ctx context.Context) error {
			_, err := FitNeighbours(ctx, m, d, rand.New(rand.NewPCG(1, 1)))
			return err
		}},
		"MeasureReadability": {2 * blocks, func(ctx context.Context) error { _, err := MeasureReadability(ctx, m, d, d); return err }},
		"HeldOutLosses":      {blocks, func(ctx context.Context) error { _, _, err := HeldOutLosses(ctx, m, d, 1); return err }},
	} {
		contexttest.Ends(t, name, c.least, c.work)
	}
}
