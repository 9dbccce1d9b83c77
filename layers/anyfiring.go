package layers

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/membership"
)

// anyFiring computes firing levels of any shape that is [Fusable] with a t-norm from the batched
// methods of both, function by function: a column of the batch at a time, without the samples
// whose levels are not needed.
type anyFiring struct {
	B, M, R   int
	logSpace  bool
	least     float64 // a sample whose kept levels sum to at most least uses all rules
	grades    func(dst, x, p []float64)
	gradients func(dst [][]float64, x, p []float64)
	join      func(f, mu []float64)
	byGrades  func(dst, mu []float64) // of one sample; nil: the product, whose derivatives are products

	columns []float64    // x, [M,B]
	mu      []float64    // grades, [R,M,B]; unused for the product in log space
	levels  []float64    // firing levels of a rule
	p       []float64    // parameters of a function
	column  []float64    // a feature of the kept samples, or its grades
	others  []float64    // derivatives by the grades, for the product those of the others, [M,B]; unused as mu
	one     [2][]float64 // grades of a sample and the derivatives by these, [M]
	kept    []int        // the kept samples of a rule
	weight  []float64    // dL/df of these
	byParam [][]float64  // of the function by its parameters, [P][B]
	sized   [][]float64  // byParam, of the length of kept
	probe   [3]float64
}

func newAnyFiring(shape membership.Function, t inference.TNorm, logs bool, B, M, R int, least float64) *anyFiring {
	k := &anyFiring{B: B, M: M, R: R, least: least, logSpace: logs}
	product := t == inference.Product{}
	if logs {
		norm := t.(inference.LogTNorm)
		k.grades, k.join, k.byGrades = shape.(membership.LogFunction).LogGrades, norm.JoinLogs, norm.LogGradient
		k.gradients = shape.(membership.LogGradients).LogGradients
	} else {
		k.grades, k.join, k.byGrades = shape.Grades, t.Join, t.Gradient
		k.gradients = shape.(membership.Gradients).Gradients
	}
	if !logs || !product {
		k.mu, k.others = make([]float64, R*M*B), make([]float64, M*B)
		k.one = [2][]float64{make([]float64, M), make([]float64, M)}
	}
	if product {
		k.byGrades = nil
	}
	P := len(shape.Params())
	k.columns, k.levels, k.column = make([]float64, M*B), make([]float64, B), make([]float64, B)
	k.p, k.kept, k.weight = make([]float64, P), make([]int, B), make([]float64, B)
	k.byParam, k.sized = make([][]float64, P), make([][]float64, P)
	for j := range k.byParam {
		k.byParam[j] = make([]float64, B)
	}
	return k
}

// function returns the parameters of rule r for feature m.
func (k *anyFiring) function(p [][]float64, r, m int) []float64 {
	for j := range k.p {
		k.p[j] = p[j][m*k.R+r]
	}
	return k.p
}

// slab returns the grades of rule r for feature m, [B].
func (k *anyFiring) slab(r, m int) []float64 {
	at := (r*k.M + m) * k.B
	return k.mu[at : at+k.B]
}

// forward computes the kept rules only, half of them under DropRule. The levels of the
// others are zero, unless the sample uses all rules because the kept ones do not fire.
func (k *anyFiring) forward(f, x, mask []float64, p [][]float64) {
	for b := range k.B {
		for m, v := range x[b*k.M : (b+1)*k.M] {
			k.columns[m*k.B+b] = v
		}
	}
	clear(f)
	for r := range k.R {
		k.rule(f, r, k.nonzero(mask, r), p)
	}
	if k.logSpace {
		return
	}
	if dark := k.dark(f); len(dark) > 0 {
		for r := range k.R {
			k.rule(f, r, dark, p)
		}
	}
}

// nonzero lists the samples for which v [B,R] is not zero at rule r. It has no branch,
// since random masks would mispredict it half the time.
func (k *anyFiring) nonzero(v []float64, r int) []int {
	n := 0
	for b := range k.B {
		k.kept[n] = b
		n += kernel.NotZero(v[b*k.R+r])
	}
	return k.kept[:n]
}

// dark lists the samples for which no rule fires.
func (k *anyFiring) dark(f []float64) []int {
	n := 0
	for b := range k.B {
		sum := 0.0
		for _, v := range f[b*k.R : (b+1)*k.R] {
			sum += v
		}
		if !(sum > k.least) {
			k.kept[n] = b
			n++
		}
	}
	return k.kept[:n]
}

// rule computes the firing levels of rule r for some samples.
func (k *anyFiring) rule(f []float64, r int, samples []int, p [][]float64) {
	levels, mu := k.levels[:len(samples)], k.column[:len(samples)]
	if k.logSpace {
		clear(levels)
	}
	for m := range k.M {
		one := k.function(p, r, m)
		if k.mu == nil && k.flat(one) {
			continue
		}
		k.gather(mu, m, samples)
		k.grades(mu, mu, one)
		if m == 0 && !k.logSpace {
			copy(levels, mu)
		} else {
			k.join(levels, mu)
		}
		if k.mu != nil {
			slab := k.slab(r, m)
			for i, b := range samples {
				slab[b] = mu[i]
			}
		}
	}
	for i, b := range samples {
		f[b*k.R+r] = levels[i]
	}
}

// flat reports, in log space, whether a function is one everywhere, as
// rules.RuleBase.Flatten makes it: it has a parameter that is far away, and the logarithms
// of its grades are zero. Its derivatives are zero. Rules of a tree have many.
func (k *anyFiring) flat(p []float64) bool {
	const far, farthest = 1e100, 1e6
	if !k.logSpace || !slices.ContainsFunc(p, func(v float64) bool { return math.Abs(v) > far }) {
		return false
	}
	k.probe = [...]float64{-farthest, 0, farthest}
	k.grades(k.probe[:], k.probe[:], p)
	return k.probe == [3]float64{}
}

// gather writes feature m of some samples to x.
func (k *anyFiring) gather(x []float64, m int, samples []int) {
	all := k.columns[m*k.B : (m+1)*k.B]
	for i, b := range samples {
		x[i] = all[b]
	}
}

// backward processes only the samples with a gradient, half of them under DropRule.
func (k *anyFiring) backward(g [][]float64, grad, _, _ []float64, p [][]float64) {
	for r := range k.R {
		kept := k.nonzero(grad, r)
		weight, x := k.weight[:len(kept)], k.column[:len(kept)]
		for i, b := range kept {
			weight[i] = grad[b*k.R+r]
		}
		for j := range k.sized {
			k.sized[j] = k.byParam[j][:len(kept)]
		}
		switch {
		case k.byGrades != nil:
			k.sampleBySample(r, kept)
		case !k.logSpace:
			k.leaveOneOut(r, kept)
		}
		for m := range k.M {
			one := k.function(p, r, m)
			if k.flat(one) {
				for j := range g {
					g[j][m*k.R+r] = 0
				}
				continue
			}
			k.gather(x, m, kept)
			k.gradients(k.sized, x, one)
			for j, d := range k.sized {
				g[j][m*k.R+r] = k.sum(weight, d, m)
			}
		}
	}
}

// sum returns the weighted sum of the derivatives d of the function for feature m.
func (k *anyFiring) sum(weight, d []float64, m int) float64 {
	total := 0.0
	d = d[:len(weight)]
	if k.others == nil {
		return dot(weight, d)
	}
	others := k.others[m*k.B:][:len(weight)]
	for i, w := range weight {
		total += float64(w * others[i] * d[i])
	}
	return total
}

// dot returns the sum of the products of v and w, in their order.
func dot(v, w []float64) float64 {
	sum := 0.0
	for ; len(v) >= 4 && len(w) >= 4; v, w = v[4:], w[4:] {
		sum += float64(v[0] * w[0])
		sum += float64(v[1] * w[1])
		sum += float64(v[2] * w[2])
		sum += float64(v[3] * w[3])
	}
	for i, a := range v {
		sum += float64(a * w[i])
	}
	return sum
}

// sampleBySample computes the derivatives of rule r by its grades.
func (k *anyFiring) sampleBySample(r int, kept []int) {
	mu, by := k.one[0], k.one[1]
	for i, b := range kept {
		for m := range mu {
			mu[m] = k.slab(r, m)[b]
		}
		k.byGrades(by, mu)
		for m, d := range by {
			k.others[m*k.B+i] = d
		}
	}
}

// leaveOneOut computes, for every m, the product of the grades of rule r without that for
// feature m, as the product of those before and those after it. There is no division by a
// grade that may be zero.
func (k *anyFiring) leaveOneOut(r int, kept []int) {
	running := k.levels[:len(kept)]
	for i := range running {
		running[i] = 1
	}
	for m := range k.M {
		mu, others := k.slab(r, m), k.others[m*k.B:]
		for i, b := range kept {
			others[i] = running[i]
			running[i] *= mu[b]
		}
	}
	for i := range running {
		running[i] = 1
	}
	for m := k.M - 1; m >= 0; m-- {
		mu, others := k.slab(r, m), k.others[m*k.B:]
		for i, b := range kept {
			others[i] *= running[i]
			running[i] *= mu[b]
		}
	}
}
