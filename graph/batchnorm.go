package graph

import (
	"fmt"
	"math"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/tskgraph/tskgraph/layers"
	"github.com/tskgraph/tskgraph/rules"
)

// Moments are the means and the variances of the features of the consequents [M] over the
// training samples.
type Moments struct{ Mean, Variance []float64 }

// normEpsilon is added to variances, as in PyTorch's BatchNorm1d.
const normEpsilon = 1e-5

// batchNorm normalises the features z of the linear part of the consequents (Y. Cui, D. Wu,
// J. Huang, Optimize TSK fuzzy systems for classification problems: minibatch gradient descent
// with uniform regularization and batch normalization, IEEE Transactions on Fuzzy Systems 28,
// 2020), before they are multiplied by the slopes:
//
//	z'_m = gamma_m (z_m - mean_m) / sqrt(variance_m + epsilon) + beta_m
//
// gamma, from one, and beta, from zero, are trained. Mean and variance are those of the
// mini-batch in training, and those of all training samples, which running averages would
// estimate, in predictions and in the rulebase, whose consequents contain the normalisation.
type batchNorm struct {
	all          Moments
	scale, shift *tensor.Dense // gamma and beta, [1,M]
}

func newBatchNorm(m Moments) *batchNorm {
	M := len(m.Mean)
	ones := make([]float64, M)
	for i := range ones {
		ones[i] = 1
	}
	return &batchNorm{m, newTensor(ones, M), newTensor(make([]float64, M), M)}
}

// normalInput are the inputs of a net for batch normalisation.
type normalInput struct {
	input                       // (z - mean) / sqrt(variance + epsilon), [B,M]
	scaling      gorgonia.Nodes // gamma and beta
	mean, square []float64      // of a batch
}

// addNormal adds the inputs of batch normalisation; none for nil.
func addNormal(n *net, b *batchNorm) {
	if b == nil {
		return
	}
	n.normal = &normalInput{input: n.newInput("normalised z", n.B, n.M), mean: make([]float64, n.M), square: make([]float64, n.M)}
	n.normal.scaling = gorgonia.Nodes{n.builder.Input("scale", b.scale), n.builder.Input("shift", b.shift)}
}

// linear returns the inputs of the linear part of the consequents, [B,M].
func linear(n *net) *gorgonia.Node {
	if n.normal == nil {
		return n.z.node
	}
	return n.add("batch normalisation", func(b *layers.Builder) *gorgonia.Node {
		return layers.Affine(b, n.normal.node, n.normal.scaling[0], n.normal.scaling[1])
	})
}

// setBatch sets the normalised features by the moments of the mini-batch.
func (i *normalInput) setBatch(z []float64) {
	M := len(i.mean)
	B := float64(len(z) / M)
	clear(i.mean)
	clear(i.square)
	for k, v := range z {
		i.mean[k%M] += v / B
	}
	for k, v := range z {
		d := v - i.mean[k%M]
		i.square[k%M] += float64(d * d / B)
	}
	i.set(z, Moments{i.mean, i.square})
}

// set sets the normalised features by the given moments.
func (i *normalInput) set(z []float64, m Moments) {
	M, cells := len(i.mean), i.value.Float64s()
	for k, v := range z {
		cells[k] = (v - m.Mean[k%M]) / math.Sqrt(m.Variance[k%M]+normEpsilon)
	}
}

// fold multiplies the normalisation into the consequents of a rulebase.
func (b *batchNorm) fold(rb *rules.RuleBase) {
	gamma, beta := b.scale.Float64s(), b.shift.Float64s()
	for c := range rb.OutputCount() {
		for _, w := range rb.Output(c).Consequents {
			for m := range gamma {
				k := gamma[m] / math.Sqrt(b.all.Variance[m]+normEpsilon)
				w[0] += float64(w[m+1] * (beta[m] - float64(k*b.all.Mean[m])))
				w[m+1] *= k
			}
		}
	}
}

// trainable returns gamma and beta with their gradients.
func (b *batchNorm) trainable(gradients []*output) []gorgonia.ValueGrad {
	return []gorgonia.ValueGrad{
		&parameter{name: "scale", value: b.scale, gradient: gradients[0]}, &parameter{name: "shift", value: b.shift, gradient: gradients[1]},
	}
}

// checkStock returns an error for options that only the stock engine has, if the engine is
// another one, and for wrong values of these.
func (o Options) checkStock(M int) error {
	if o.RuleDropout < 0 || o.RuleDropout > 1 {
		return fmt.Errorf("%w: rule dropout %v: must be between 0 and 1", ErrGraph, o.RuleDropout)
	}
	if o.BatchNorm != nil && (len(o.BatchNorm.Mean) != M || len(o.BatchNorm.Variance) != M) {
		return fmt.Errorf("%w: batch normalisation: %d means and %d variances of %d features", ErrGraph, len(o.BatchNorm.Mean),
			len(o.BatchNorm.Variance), M)
	}
	if o.Engine == fused && (o.RuleDropout > 0 || o.BatchNorm != nil) {
		return fmt.Errorf("%w: engine fused has no Rule Dropout and no batch normalisation: choose autodiff", ErrGraph)
	}
	return nil
}
