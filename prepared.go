package tskgraph

import (
	"math/rand/v2"
	"sync"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// prepared is a training part as rules see it, and where they may start. Trainings on
// the same part share it, if they differ in nothing but a [Setting]; they may run side
// by side. The data set must not change.
type prepared struct {
	train *data.Dataset
	prep  model.Preprocessing
	x     [][]float64 // [N][M] or [N][2M], the training samples, scaled
	y     []float64   // [N], centred

	mu     sync.Mutex
	starts map[string]*rules.Clusters // by initialiser
}

// prepare fits the preprocessing to the training part.
func (o Options) prepare(train *data.Dataset) (*prepared, error) {
	train, err := train.Weighed() // of a part of the training part the weights have a mean of their own
	if err != nil {
		return nil, err
	}
	prep, err := model.Fit(train)
	if err != nil {
		return nil, err
	}
	if prep.Components, err = principalComponents(prep, train.X, train.Weights, o.Model.PCA); err != nil {
		return nil, err
	}
	if o.Model.Transform == "yeo-johnson" {
		prep.Straighten(train.X, train.Weights)
	}
	if o.Train.Loss == "mean" {
		prep.Standardise(train.Y, train.Weights)
	}
	if err := prep.Target.Limit(o.Model.Margin, o.Model.Bounds); err != nil {
		return nil, err
	}
	return scaled(prep, train)
}

// scaled prepares the training part by preprocessing that is there already.
func scaled(prep model.Preprocessing, train *data.Dataset) (*prepared, error) {
	x, err := prep.Scale(train.X)
	if err != nil {
		return nil, &data.Error{Message: err.Error(), Err: err}
	}
	return &prepared{train: train, prep: prep, x: x, y: prep.Center(train.Y), starts: map[string]*rules.Clusters{}}, nil
}

// antecedents returns the training samples as antecedents see them, [N][M].
func (p *prepared) antecedents() [][]float64 {
	M := len(p.prep.Inputs())
	x := make([][]float64, len(p.x))
	for n, row := range p.x {
		x[n] = row[:M]
	}
	return x
}

// start returns the clusters of an initialiser, which it finds once.
func (p *prepared) start(o Options, init string) (*rules.Clusters, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.starts[init]; c != nil {
		return c, nil
	}
	c, err := initialisers[init](p.antecedents(), p.y, p.train.Weights, o.Model.Rules, rand.New(rand.NewPCG(o.Train.Seed, initStream)))
	if err == nil {
		p.starts[init] = c
	}
	return c, err
}

// initStream separates the initialiser's random stream from the others drawn
// from the same seed.
const initStream = 0x696e6974 // "init"
