package rules

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
)

// oneSample computes the normalised firing levels [R] and the outputs [C] of one sample in plain loops, rule by rule and
// feature by feature.
func oneSample(rb *RuleBase, x, keep []float64) (f, y []float64) {
	norm, logs := inference.OrProduct(rb.TNorm), rb.LogSpace()
	grade, join, all := rb.Shape.Grades, norm.Join, 1.0
	if logs {
		grade, join, all = rb.Shape.(membership.LogFunction).LogGrades, norm.(inference.LogTNorm).JoinLogs, 0
	}
	f, p := make([]float64, rb.Rules()), make([]float64, len(rb.Antecedents))
	for r := range f {
		f[r] = all
		for m, v := range rb.IfPart(x) {
			mu := []float64{v}
			grade(mu, mu, rb.Function(p, r, m))
			join(f[r:r+1], mu)
		}
	}
	inference.Weigh(inference.OrTSK(rb.Defuzzification), f, rb.Features(), logs)
	if kept := normalised(f, keep, logs); kept != nil {
		f = kept
	} else if f = normalised(f, nil, logs); f == nil {
		f = make([]float64, rb.Rules())
	}
	z, C, width := rb.ThenPart(x), rb.OutputCount(), rb.Features()+1
	y = make([]float64, C)
	for r, level := range f {
		for c := range C {
			w := rb.Consequents[r][c*width:][:width]
			output, curves := w[0], 0.0
			for m, v := range z {
				output += float64(w[m+1] * v)
			}
			if rb.Curves != nil {
				values := rb.Curves[c]
				if len(rb.Curves) > C {
					values = rb.Curves[c*rb.Rules()+r]
				}
				for _, place := range Places(nil, rb.Knots, z) {
					curves += place.On(values)
				}
				output += curves
			}
			if level != 0 {
				y[c] += float64(level * output)
			}
		}
	}
	return f, y
}

// normalised returns firing levels, or logarithms of them, over the kept rules; nil if the sample is uncovered.
func normalised(levels, keep []float64, logs bool) []float64 {
	f, top, sum := append([]float64(nil), levels...), math.Inf(-1), 0.0
	for r := range f {
		if keep != nil && logs && keep[r] == 0 {
			f[r] = math.Inf(-1)
		} else if keep != nil && !logs {
			f[r] *= keep[r]
		}
		if f[r] > top {
			top = f[r]
		}
	}
	for r := range f {
		if logs {
			f[r] -= top
			kernel.Exp(f[r:r+1], f[r:r+1])
		}
		sum += f[r]
	}
	if logs && math.IsInf(top, 0) || !(sum > MinFiring) || math.IsInf(sum, 0) {
		return nil
	}
	for r := range f {
		f[r] /= sum
	}
	return f
}

// everyShape returns the registered shapes and two of formulas.
func everyShape() (shapes []membership.Function) {
	for _, name := range membership.Names() {
		shapes = append(shapes, testenv.Must(membership.Lookup(name)))
	}
	for _, f := range []membership.Formula{
		{Name: "tent", Expr: "max(0, 1 - abs(x-c)/s)", Params: []membership.FormulaParam{{Name: "c", Init: "center"},
			{Name: "s", Init: "3*spread"}}},
		{Name: "bell", Expr: "exp(-((x-c)/s)^2)", LogExpr: "-((x-c)/s)^2",
			Params: []membership.FormulaParam{{Name: "c", Init: "center"}, {Name: "s", Init: "spread"}}},
	} {
		shapes = append(shapes, testenv.Must(f.Shape()))
	}
	return shapes
}

// anyRules draws R rules of a shape over M features with C outputs, some functions of which are open.
func anyRules(rng *rand.Rand, shape membership.Function, R, M, C int) *RuleBase {
	c := &Clusters{Centers: matrix(R, M), Spreads: matrix(R, M), Targets: make([]float64, R*C)}
	for r := range R {
		for m := range M {
			c.Centers[r][m], c.Spreads[r][m] = rng.NormFloat64(), 0.3+rng.Float64()
		}
	}
	rb := New(shape, c)
	for r, w := range rb.Consequents {
		for i := range w {
			w[i] = rng.NormFloat64()
		}
		if between, ok := shape.(membership.Between); ok && r%3 == 0 {
			for j, v := range between.Between(math.Inf(-1), rng.NormFloat64(), 0.5) {
				rb.Antecedents[j][r][0] = v
			}
		}
	}
	return rb
}

// anySamples draws samples [N][2M], some of them far from all rules or not finite.
func anySamples(rng *rand.Rand, N, M int) [][]float64 {
	x := matrix(N, 2*M)
	for n, row := range x {
		for m := range row {
			row[m] = rng.NormFloat64()
		}
		if n > 64 && n%7 == 3 { // the first 64 are moderate
			row[rng.IntN(2*M)] = []float64{1e300, -1e300, 1e-310, 1e30, 40, math.NaN(), math.Inf(1), 0}[n/7%8]
		}
	}
	return x
}

// TestBlocks: firing levels and outputs are those of plain loops over one sample, to the bit, alone and in blocks of any
// size: for every shape, t-norm and defuzzification, with and without curves, masks and several outputs.
func TestBlocks(t *testing.T) {
	const N, M, R = 150, 5, 7
	shapes := everyShape()
	if testenv.Race {
		shapes = shapes[:1]
	}
	for _, shape := range shapes {
		for i, norm := range inference.TNorms() {
			for j, d := range inference.Defuzzifications() {
				rng := rand.New(rand.NewPCG(uint64(i), uint64(j)))
				C := 1 + (i+j)%2
				rb, x, mask := anyRules(rng, shape, R, M, C), anySamples(rng, N, M), matrix(N, R)
				rb.TNorm, rb.Defuzzification = norm, d
				if kind := (i + 2*j) % 3; kind > 0 {
					AddCurves(rb, [][]float64{{-1, 0, 0.5, 2}, nil, {-2, 0, 1}, nil, {-0.5, 0, 0.1, 0.2, 3}}, kind == 2)
					for _, values := range rb.Curves {
						for q := range values {
							values[q] = rng.NormFloat64()
						}
					}
				}
				for _, row := range mask {
					for r := range row {
						row[r] = float64(rng.IntN(2) * rng.IntN(2))
					}
				}
				if (i+j)%3 == 0 {
					for n, row := range x {
						x[n] = row[:M]
					}
				}
				t.Run(fmt.Sprint(shape.Name(), norm.Name(), d.Name()), func(t *testing.T) {
					testBlocks(t, rb, x, nil)
					testBlocks(t, rb, x, mask)
				})
			}
		}
	}
}

func testBlocks(t *testing.T, rb *RuleBase, x, mask [][]float64) {
	C := rb.OutputCount()
	levels, wanted := matrix(len(x), rb.Rules()), matrix(len(x), C)
	for n, row := range x {
		var keep []float64
		if mask != nil {
			keep = mask[n]
		}
		levels[n], wanted[n] = oneSample(rb, row, keep)
	}
	for _, size := range []int{1, 3, 64, 65, len(x)} {
		for start := 0; start < len(x); start += size {
			end := min(start+size, len(x))
			f := rb.FiringLevels(x[start:end], rowsFrom(mask, start, end))
			y, covered, _ := rb.Forward(x[start:end], rowsFrom(mask, start, end))
			for n := start; n < end; n++ {
				some := false
				for r, want := range levels[n] {
					some = some || want != 0
					if got := f[n-start][r]; math.Float64bits(got) != math.Float64bits(want) {
						t.Fatalf("blocks of %d: level of rule %d at %v is %v, want %v", size, r, x[n], got, want)
					}
				}
				for c, want := range wanted[n] {
					if got := y[(n-start)*C+c]; math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
						t.Fatalf("blocks of %d: output %d at %v is %v, want %v", size, c, x[n], got, want)
					}
				}
				testenv.Equal(t, covered[n-start], some, "blocks of %d: covered at %v", size, x[n])
			}
		}
	}
}

// hats returns rules of every combination of k ramps on each of two features, of four: those of a feature add up to one. The third
// is open, the fourth is so in all rules but the first. Half of the slopes and of the curves are zero.
func hats(rng *rand.Rand, k, C int) *RuleBase {
	shape := membership.Ramp{}
	const M = 4
	rb := &RuleBase{Shape: shape, Parameters: NewParameters(len(shape.Params()), k*k, M), SpreadFloor: 1}
	rb.SetOutputs(C)
	border := func(i int) float64 {
		if i == 0 || i == k {
			return math.Inf(2*i - k)
		}
		return 4*float64(i)/float64(k) - 2
	}
	for r, w := range rb.Consequents {
		for m := range M {
			p := shape.Between(math.Inf(-1), math.Inf(1), 1)
			if i := []int{r % k, r / k, 0, r}[m]; m < 2 {
				p = shape.Between(border(i), border(i+1), 0.2*float64(m)+1e-9)
			} else if m == 3 && i == 0 {
				p = shape.Between(-0.5, 0.5, 0.3)
			}
			for j, v := range p {
				rb.Antecedents[j][r][m] = v
			}
		}
		for i := range w {
			w[i] = rng.NormFloat64() * float64(rng.IntN(2))
		}
	}
	AddCurves(rb, [][]float64{{-1, 0, 0.5, 2}, nil, {-2, 0, 1}, nil}, true)
	for _, values := range rb.Curves {
		for q := 4 * rng.IntN(2); q < len(values); q++ {
			values[q] = rng.NormFloat64()
		}
	}
	return rb
}

// TestSparseBlocks: so are those of rules few of which fire for a sample, in one block after the other, one of which is not finite, and
// the last of which is short.
func TestSparseBlocks(t *testing.T) {
	for _, k := range []int{1, 2, 9} {
		rng := rand.New(rand.NewPCG(3, uint64(k)))
		rb, x := hats(rng, k, 2), matrix(6*EvaluatorRows-10, 8)
		for n, row := range x {
			for m := range row {
				row[m] = rng.NormFloat64()
			}
			if block := n / EvaluatorRows; (block == 2 || block == 3) && n%9 == 0 { // inputs of IF parts, and of THEN parts
				row[n%4+4*(block-2)] = []float64{math.NaN(), math.Inf(1), 1e7, -1e300}[n%16/4]
			}
		}
		testenv.OK(t, rb.Validate())
		if k == 9 {
			e := NewEvaluator(rb, len(x))
			e.fireRows(x[:EvaluatorRows], nil)
			testenv.Equal(t, e.sparse, true, "81 rules are sparse")
		}
		testBlocks(t, rb, x, nil)
	}
}

// TestSparseUnderflow: a sample for which the product of grades that are not zero is zero is not covered.
func TestSparseUnderflow(t *testing.T) {
	rb := hats(rand.New(rand.NewPCG(5, 6)), 2, 1)
	for r := range rb.Consequents {
		for m := range 2 {
			rb.Antecedents[0][r][m], rb.Antecedents[1][r][m] = 0, 1
		}
	}
	x := matrix(EvaluatorRows, 4)
	for n, row := range x {
		row[0], row[1] = float64(n%5)-4, -1
	}
	x[9] = []float64{1e-180, 1e-180, 0, 0}
	e := NewEvaluator(rb, len(x))
	e.fireRows(x, nil)
	testenv.Equal(t, e.sparse, true, "few rules fire")
	testBlocks(t, rb, x, nil)
}
