package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

// operand is a slice that a kernel reads: its size and the distribution of its cells.
type operand struct {
	cells func(B, M, R int) int
	draw  func(*rand.Rand) float64
	wild  bool // may contain values that are not finite
}

func perSample(B, _, _ int) int  { return B }
func perRule(_, _, R int) int    { return R }
func samples(B, M, _ int) int    { return B * M }
func levels(B, _, R int) int     { return B * R }
func parameters(_, M, R int) int { return M * R }
func words(B, _, R int) int      { return B * MaskWords(R) }
func scalar(_, _, _ int) int     { return 1 }

func perFeature(n int) func(B, M, R int) int { return func(_, M, _ int) int { return n * M } }

func anything(rng *rand.Rand) float64  { return rng.NormFloat64() }
func spread(rng *rand.Rand) float64    { return 0.5 + rng.Float64() }
func zeroOrOne(rng *rand.Rand) float64 { return float64(rng.IntN(2)) }
func sparse(rng *rand.Rand) float64    { return zeroOrOne(rng) * rng.NormFloat64() }
func bits(rng *rand.Rand) float64      { return math.Float64frombits(rng.Uint64()) }

// between draws one corner of a trapezoid.
func between(lo, hi float64) func(*rand.Rand) float64 {
	return func(rng *rand.Rand) float64 { return lo + (hi-lo)*rng.Float64() }
}

var corners = []operand{
	{parameters, between(-3, -2), false}, {parameters, between(-1, 0), false},
	{parameters, between(0, 1), false}, {parameters, between(2, 3), false},
}

// calls is the table of all kernels. Operands that a kernel changes are copied first.
var calls = []struct {
	name string
	in   []operand
	out  []func(B, M, R int) int
	run  func(i *implementation, out, in [][]float64, B, M, R int)
}{
	{"exp", []operand{{parameters, between(-800, 800), true}}, list(parameters), func(i *implementation, out, in [][]float64, B, M, R int) {
		i.exp(out[0], in[0])
	}},
	{"log", []operand{{parameters, anything, true}}, list(parameters), func(i *implementation, out, in [][]float64, B, M, R int) {
		i.log(out[0], in[0])
	}},
	{"divide", []operand{{parameters, anything, true}}, list(parameters), func(i *implementation, out, in [][]float64, B, M, R int) {
		i.divide(out[0], 0.7, in[0])
	}},
	{"gaussianForward", []operand{{samples, anything, true}, {parameters, anything, true}, {parameters, spread, true}}, list(levels),
		func(i *implementation, out, in [][]float64, B, M, R int) {
			i.gaussianForward(out[0], in[0], in[1], in[2], B, M, R)
		}},
	{"gaussianBackward", []operand{{levels, sparse, true}, {samples, anything, false}, {parameters, anything, false},
		{parameters, spread, false}},
		list(parameters, parameters), func(i *implementation, out, in [][]float64, B, M, R int) {
			i.gaussianBackward(out[0], out[1], in[0], in[1], in[2], in[3], B, M, R, scratch(B, M, R))
		}},
	{"legs", corners, list(parameters, parameters), func(i *implementation, out, in [][]float64, B, M, R int) {
		i.legs(out[0], out[1], in[0], in[1], in[2], in[3])
	}},
	{"trapezoidForward", []operand{{samples, anything, true}, {parameters, between(-3, -2), true}, {parameters, between(2, 3), true},
		{parameters, spread, true}, {parameters, spread, true}}, list(levels), func(i *implementation, out, in [][]float64, B, M, R int) {
		i.trapezoidForward(out[0], in[0], in[1], in[2], in[3], in[4], B, M, R)
	}},
	{"trapezoidBackward", append([]operand{{levels, sparse, true}, {samples, anything, true}}, corners...),
		list(parameters, parameters, parameters, parameters), func(i *implementation, out, in [][]float64, B, M, R int) {
			i.trapezoidBackward(out[0], out[1], out[2], out[3], in[0], in[1], in[2], in[3], in[4], in[5], B, M, R, scratch(B, M, R))
		}},
	{"consequents", []operand{{samples, anything, true}, {parameters, anything, true}, {perRule, anything, true}}, list(levels),
		func(i *implementation, out, in [][]float64, B, M, R int) {
			i.consequents(out[0], in[0], in[1], in[2], B, M, R)
		}},
	{"consequentsBackward", []operand{{levels, sparse, true}, {samples, anything, true}, {parameters, anything, true}},
		list(parameters, perRule),
		func(i *implementation, out, in [][]float64, B, M, R int) {
			i.consequentsBackward(out[0], out[1], in[0], in[1], in[2], 0.05, B, M, R)
		}},
	{"locate", []operand{{samples, anything, true}}, list(samples, samples), func(i *implementation, out, in [][]float64, B, M, R int) {
		c, at := testCurves(B, M), unsafe.Slice((*int)(unsafe.Pointer(&out[0][0])), len(out[0]))
		c.locate(i, at, out[1], in[0])
		for k := len(at) - 1; k >= 0; k-- {
			out[0][k] = float64(at[k])
		}
	}},
	{"addCurves", append(places, operand{ofKnots(true), anything, true}, operand{levels, anything, true}), list(levels),
		func(i *implementation, out, in [][]float64, B, M, R int) {
			copy(out[0], in[3])
			i.addCurves(out[0], knotsBelow(in[0], M), in[1], in[2], B, M, R)
		}},
	{"addShared", append(places, operand{ofKnots(false), anything, true}, operand{levels, anything, true}), list(levels),
		func(i *implementation, out, in [][]float64, B, M, R int) {
			copy(out[0], in[3])
			i.addShared(out[0], knotsBelow(in[0], M), in[1], in[2], B, M, R)
		}},
	{"curvesBackward", append(places, operand{levels, anything, true}, operand{ofKnots(true), anything, true}), list(ofKnots(true)),
		func(i *implementation, out, in [][]float64, B, M, R int) {
			copy(out[0], in[3])
			i.curvesBackward(out[0], knotsBelow(in[0], M), in[1], in[2], B, M, R)
		}},
	{"sharedBackward", append(places, operand{levels, anything, true}, operand{ofKnots(false), anything, true}), list(ofKnots(false)),
		func(i *implementation, out, in [][]float64, B, M, R int) {
			copy(out[0], in[3])
			i.sharedBackward(out[0], knotsBelow(in[0], M), in[1], in[2], B, M, R)
		}},
	{"gaussianColumn", []operand{{samples, anything, true}, {perFeature(2), anything, true}}, list(perSample),
		func(i *implementation, out, in [][]float64, B, M, R int) {
			i.gaussianColumn(out[0], in[0], in[1], B, M)
		}},
	{"trapezoidColumn", []operand{{samples, anything, false}, {perFeature(6), spread, false}}, list(perSample),
		func(i *implementation, out, in [][]float64, B, M, R int) {
			p := slices.Clone(in[1])
			for m := range M {
				p[6*m+2], p[6*m+5] = 1/p[6*m+1], 1/p[6*m+4]
			}
			i.trapezoidColumn(out[0], in[0], p, B, M)
		}},
	{"moderate", []operand{{samples, anything, true}}, list(scalar), func(i *implementation, out, in [][]float64, B, M, R int) {
		if out[0][0] = 0; i.moderate(in[0]) {
			out[0][0] = 1
		}
	}},
	{"consequentColumn", []operand{{samples, anything, true}, {func(_, M, _ int) int { return M + 1 }, anything, true}}, list(perSample),
		func(i *implementation, out, in [][]float64, B, M, R int) {
			i.consequentColumn(out[0], in[0], in[1], B, M)
		}},
	{"shiftColumns", []operand{{levels, anything, true}}, list(levels), func(i *implementation, out, in [][]float64, B, M, R int) {
		copy(out[0], in[0])
		i.shiftColumns(out[0], B, R)
	}},
	{"normaliseColumns", []operand{{levels, spread, true}}, list(levels, perSample),
		func(i *implementation, out, in [][]float64, B, M, R int) {
			copy(out[0], in[0])
			i.normaliseColumns(out[1], out[0], 1e-300, B, R)
		}},
	{"addWeighted", []operand{{levels, sparse, true}, {levels, anything, true}, {levels, anything, true}}, list(levels),
		func(i *implementation, out, in [][]float64, B, M, R int) {
			copy(out[0], in[2])
			i.addWeighted(out[0], in[0], in[1])
		}},
	{"log1p", []operand{{parameters, anything, true}}, list(parameters), func(i *implementation, out, in [][]float64, B, M, R int) {
		i.log1p(out[0], in[0])
		complete(out[0], in[0], math.Log1p)
	}},
	{"expm1", []operand{{parameters, anything, true}}, list(parameters), func(i *implementation, out, in [][]float64, B, M, R int) {
		i.expm1(out[0], in[0])
		complete(out[0], in[0], math.Expm1)
	}},
	{"expRows", []operand{{levels, anything, true}, {levels, zeroOrOne, false}}, list(levels),
		func(i *implementation, out, in [][]float64, B, M, R int) {
			i.expRows(out[0], in[0], in[1], B, R)
		}},
	{"dropRows", []operand{{levels, spread, true}, {levels, zeroOrOne, false}}, list(levels, levels),
		func(i *implementation, out, in [][]float64, B, M, R int) {
			i.dropRows(out[0], out[1], in[0], in[1], 1e-300, B, R)
		}},
	{"normalise", []operand{{levels, spread, true}, {levels, anything, true}}, list(perSample, perSample, perSample, levels),
		func(i *implementation, out, in [][]float64, B, M, R int) {
			copy(out[3], in[0])
			i.normalise(out[0], out[1], out[2], out[3], in[1], 1e-300, B, R)
		}},
	{"normaliseBackward", []operand{{levels, spread, true}, {levels, zeroOrOne, true}, {levels, anything, true}, {perSample, anything, true},
		{perSample, anything, true}, {perSample, spread, true}}, list(levels, levels), func(i *implementation, out, in [][]float64, B, M, R int) {
		i.normaliseBackward(out[0], out[1], in[0], in[1], in[2], in[3], in[4], in[5], B, R)
	}},
	{"ambiguity", []operand{{levels, spread, true}, {levels, anything, true}, {perSample, anything, true}, {perSample, spread, true}},
		list(perSample, perSample, scalar),
		func(i *implementation, out, in [][]float64, B, M, R int) {
			out[2][0] = i.ambiguity(out[0], out[1], in[0], in[1], in[2], in[3], B, R)
		}},
	{"ambiguityBackward", []operand{{levels, anything, true}, {levels, anything, true}, {levels, spread, true}, {levels, zeroOrOne, true},
		{levels, anything, true},
		{perSample, anything, true}, {perSample, spread, true}, {perSample, anything, true}, {perSample, spread, true},
		{perSample, spread, true}},
		list(levels, levels), func(i *implementation, out, in [][]float64, B, M, R int) {
			copy(out[0], in[0])
			copy(out[1], in[1])
			i.ambiguityBackward(out[0], out[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8], in[9], 0.3, B, R)
		}},
	{"adaBound", []operand{{parameters, anything, false}, {parameters, sparse, false}, {parameters, anything, false},
		{parameters, spread, false}},
		list(parameters, parameters, parameters), func(i *implementation, out, in [][]float64, B, M, R int) {
			copy(out[0], in[0])
			copy(out[1], in[2])
			copy(out[2], in[3])
			i.adaBound(out[0], in[1], out[1], out[2], 0.01, 1e-8, 0.9, 0.1, 0.999, 0.001, 2, 3, 0.005, 0.02)
		}},
	{"expandMask", []operand{{words, bits, false}}, list(levels), func(i *implementation, out, in [][]float64, B, M, R int) {
		i.expandMask(out[0], unsafe.Slice((*uint64)(unsafe.Pointer(&in[0][0])), len(in[0])), 1<<14, B, R)
	}},
	{"sumSquares", []operand{{parameters, anything, true}}, list(scalar), func(i *implementation, out, in [][]float64, B, M, R int) {
		out[0][0] = i.sumSquares(in[0])
	}},
	{"shrink", []operand{{parameters, anything, true}}, list(parameters, scalar, scalar),
		func(i *implementation, out, in [][]float64, B, M, R int) {
			out[1][0], out[2][0] = i.shrink(out[0], in[0], 0.3, 0.7, M, R)
		}},
	{"within", []operand{{parameters, anything, true}}, list(scalar), func(i *implementation, out, in [][]float64, B, M, R int) {
		out[0][0] = 0
		if i.within(in[0], 4) {
			out[0][0] = 1
		}
	}},
}

// complete computes the elements that a kernel left to its caller.
func complete(dst, x []float64, f func(float64) float64) {
	for i, v := range dst {
		if math.IsNaN(v) {
			dst[i] = f(x[i])
		}
	}
}

func list(sizes ...func(B, M, R int) int) []func(B, M, R int) int { return sizes }

func scratch(B, M, R int) *Scratch {
	s := new(Scratch)
	s.Size(B, M, R)
	return s
}

// fill draws the cells of an operand, some of them not finite if it is wild.
func (o operand) fill(cells []float64, rng *rand.Rand, wild bool) {
	for i := range cells {
		cells[i] = o.draw(rng)
		if wild && o.wild && rng.IntN(30) == 0 {
			cells[i] = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0}[rng.IntN(4)]
		}
	}
}

// TestImplementationsAgree checks that all implementations agree, to a few units in the
// last place of sums of numbers of size one, and on values that are not finite, and that
// they do not change the slices that they read.
func TestImplementationsAgree(t *testing.T) {
	for _, c := range calls {
		t.Run(c.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				B, M, R := drawShape(t)
				rng, wild := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)), rapid.Bool().Draw(t, "wild")
				var in, before [][]float64
				for _, o := range c.in {
					cells := make([]float64, o.cells(B, M, R))
					o.fill(cells, rng, wild)
					in, before = append(in, cells), append(before, slices.Clone(cells))
				}
				var want [][]float64
				for k, i := range implementations {
					var out [][]float64
					for _, cells := range c.out {
						out = append(out, rubbish(cells(B, M, R)))
					}
					c.run(i, out, in, B, M, R)
					for j := range in {
						if !sameBits(in[j], before[j]) {
							t.Fatalf("%s changes operand %d", i.name, j)
						}
					}
					if k == 0 {
						want = out
						continue
					}
					for j, cells := range out {
						for n, got := range cells {
							w := want[j][n]
							if got != w && !(math.IsNaN(got) && math.IsNaN(w)) && !(math.Abs(got-w) <= 1e-13*max(10, math.Abs(w))) {
								t.Fatalf("result %d, cell %d: %s has %v, %s %v", j, n, i.name, got, implementations[0].name, w)
							}
						}
					}
				}
			})
		})
	}
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) })
}
