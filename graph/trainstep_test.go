package graph_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tskgraph/tskgraph/graph"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/penalty"
	"github.com/tskgraph/tskgraph/rules"
)

// trainStep is a training step: drawing a batch and masks, forward and backward pass,
// AdaBound, projection.
type trainStep struct {
	network *graph.Network
	sampler *optim.Sampler
	solver  optim.Solver
}

// stepLambda is the penalty of a training step.
const stepLambda = 0.05

// stepAgreement is the penalty of disagreement of steps that have one.
var stepAgreement = penalty.Agreement{Alpha: 0.1}

// stepCurves is the penalty of curves of steps that have curves.
var stepCurves = penalty.Curves{Lambda: 0.003, Deviation: 0.003}

// newTrainStep returns a step with a penalty of the slopes and others, without curves.
func newTrainStep(t testing.TB, engine, shape string, B, R, M int, others ...penalty.Penalty) *trainStep {
	t.Helper()
	return newStepOf(t, engine, shape, B, R, M, consequents{outputs: 1}, others...)
}

// consequents describes the consequents of a step.
type consequents struct {
	outputs int
	k       int  // pieces of the curves; 0: none
	own     bool // every rule has curves of its own

	constrain func(rb *rules.RuleBase) // nil: no constraints
}

// newStepOf returns a step with the given consequents.
func newStepOf(t testing.TB, engine, shape string, B, R, M int, then consequents, others ...penalty.Penalty) *trainStep {
	t.Helper()
	f := testenv.Must(membership.Lookup(shape))
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func() []float64 {
		v := make([]float64, M)
		for m := range v {
			v[m] = rng.NormFloat64()
		}
		return v
	}
	const N = 4096
	d := optim.Data{}
	for range N {
		x := draw()
		d.X = append(d.X, x)
		for range then.outputs {
			d.Y = append(d.Y, x[0]*x[M-1]+0.1*rng.NormFloat64())
		}
	}
	start := &rules.Clusters{Targets: make([]float64, R*then.outputs)}
	for range R {
		start.Centers, start.Spreads = append(start.Centers, draw()), append(start.Spreads, slices.Repeat([]float64{1}, M))
	}
	rb := rules.New(f, start)
	if then.k > 0 {
		rules.AddCurves(rb, testenv.Must(rules.SortColumns(t.Context(), d.X, nil)).Knots(then.k), then.own)
	}
	if then.constrain != nil {
		then.constrain(rb)
	}
	return &trainStep{
		network: testenv.Must(graph.New(rb, graph.Options{Engine: engine, Batch: B,
			Penalties: append(others, penalty.Slopes{Lambda: stepLambda})})),
		sampler: testenv.Must(optim.NewSampler(d, B, testenv.Must(optim.NewDropRule(R, 0.5, 1)), 1)),
		solver:  testenv.Must(optim.New(&optim.AdaBound{})),
	}
}

// run runs a step and returns the loss before it.
func (s *trainStep) run(t testing.TB) float64 {
	x, target, mask, weight, _ := s.sampler.Next()
	data, penalty, _, err := s.network.Evaluate(x, target, mask, weight)
	testenv.OK(t, err)
	testenv.OK(t, s.solver.Step(s.network.Params()))
	s.network.Project()
	return data + penalty
}

func BenchmarkTrainStep(b *testing.B) {
	sizes := []struct{ B, R, M int }{{64, 32, 5}, {64, 32, 11}, {64, 16, 4}, {64, 32, 13}, {512, 32, 9}}
	for _, engine := range []string{"fused", "autodiff"} {
		for _, shape := range membership.Names() {
			for _, size := range sizes {
				b.Run(fmt.Sprintf("%s/%s/B=%d/R=%d/M=%d", engine, shape, size.B, size.R, size.M), func(b *testing.B) {
					s := newTrainStep(b, engine, shape, size.B, size.R, size.M)
					s.run(b)
					b.ReportAllocs()
					for b.Loop() {
						s.run(b)
					}
				})
			}
		}
	}
}

// BenchmarkGrowth shows how the cost of a training step on the fused engine grows
// with B, R and M, one varied at a time from B=64, R=32, M=11.
func BenchmarkGrowth(b *testing.B) {
	for _, vary := range []struct {
		letter string
		values []int
	}{{"B", []int{16, 32, 64, 128, 256, 512, 1024}}, {"R", []int{4, 8, 16, 32, 64, 128}}, {"M", []int{2, 4, 8, 16, 32, 64}}} {
		for _, v := range vary.values {
			size := map[string]int{"B": 64, "R": 32, "M": 11}
			size[vary.letter] = v
			for _, shape := range []string{"gaussian", "trapezoid"} {
				b.Run(fmt.Sprintf("%s/%s/B=%d/R=%d/M=%d", vary.letter, shape, size["B"], size["R"], size["M"]), func(b *testing.B) {
					s := newTrainStep(b, "fused", shape, size["B"], size["R"], size["M"])
					s.run(b)
					for b.Loop() {
						s.run(b)
					}
				})
			}
		}
	}
}

// BenchmarkTrainStepAgreement compares steps with and without the penalty of disagreement, in turn.
func BenchmarkTrainStepAgreement(b *testing.B) {
	for _, size := range []struct{ B, R, M int }{{64, 8, 11}, {64, 32, 11}} {
		b.Run(fmt.Sprintf("B=%d/R=%d/M=%d", size.B, size.R, size.M), func(b *testing.B) {
			compareSteps(b, []string{"without", "with"}, []*trainStep{
				newTrainStep(b, "fused", "gaussian", size.B, size.R, size.M),
				newTrainStep(b, "fused", "gaussian", size.B, size.R, size.M, stepAgreement),
			})
		})
	}
}

// BenchmarkTrainStepCurves compares steps without curves, with shared ones and with own ones,
// in turn.
func BenchmarkTrainStepCurves(b *testing.B) {
	for _, size := range []struct{ R, M int }{{8, 5}, {8, 11}, {32, 5}, {32, 11}} {
		for _, k := range []int{8, 16} {
			b.Run(fmt.Sprintf("B=64/R=%d/M=%d/k=%d", size.R, size.M, k), func(b *testing.B) {
				compareSteps(b, []string{"without", "shared", "own"}, []*trainStep{
					newTrainStep(b, "fused", "gaussian", 64, size.R, size.M),
					newStepOf(b, "fused", "gaussian", 64, size.R, size.M, consequents{outputs: 1, k: k}, stepCurves),
					newStepOf(b, "fused", "gaussian", 64, size.R, size.M, consequents{outputs: 1, k: k, own: true}, stepCurves),
				})
			})
		}
	}
}

// BenchmarkTrainStepOutputs compares steps of one output and of three, in turn.
func BenchmarkTrainStepOutputs(b *testing.B) {
	for _, size := range []struct{ B, R, M int }{{64, 8, 11}, {64, 32, 5}, {64, 32, 11}, {512, 32, 9}} {
		b.Run(fmt.Sprintf("B=%d/R=%d/M=%d", size.B, size.R, size.M), func(b *testing.B) {
			compareSteps(b, []string{"one", "three"}, []*trainStep{
				newTrainStep(b, "fused", "gaussian", size.B, size.R, size.M),
				newStepOf(b, "fused", "gaussian", size.B, size.R, size.M, consequents{outputs: 3}),
			})
		})
	}
}

// BenchmarkTrainStepSigns compares steps with free slopes, with signs of half of them, and with half
// of the rules kept, in turn.
func BenchmarkTrainStepSigns(b *testing.B) {
	for _, size := range []struct{ B, R, M int }{{64, 8, 11}, {64, 32, 11}} {
		b.Run(fmt.Sprintf("B=%d/R=%d/M=%d", size.B, size.R, size.M), func(b *testing.B) {
			step := func(constrain func(rb *rules.RuleBase)) *trainStep {
				return newStepOf(b, "fused", "gaussian", size.B, size.R, size.M, consequents{outputs: 1, constrain: constrain})
			}
			compareSteps(b, []string{"free", "signs", "kept"}, []*trainStep{
				step(func(*rules.RuleBase) {}),
				step(func(rb *rules.RuleBase) {
					rb.Signs = make([]int, size.M+1)
					for m := 1; m <= size.M; m += 2 {
						rb.Signs[m] = 2*(m/2%2) - 1
					}
				}),
				step(func(rb *rules.RuleBase) {
					rb.Keep = make([]rules.Keep, size.R)
					for r := 0; r < size.R; r += 2 {
						rb.Keep[r] = rules.KeepAll
					}
				}),
			})
		})
	}
}

// compareSteps reports the least time of the first step, and those of the others as multiples
// of it.
func compareSteps(b *testing.B, names []string, steps []*trainStep) {
	least := slices.Repeat([]time.Duration{math.MaxInt64}, len(steps))
	b.ReportAllocs()
	for b.Loop() {
		for i, s := range steps {
			start := time.Now()
			s.run(b)
			least[i] = min(least[i], time.Since(start))
		}
	}
	b.ReportMetric(float64(least[0]), "ns/"+names[0])
	for i, name := range names[1:] {
		b.ReportMetric(float64(least[i+1])/float64(least[0]), name+"/"+names[0])
	}
}

// TestTrainStepAllocatesNothing: on the fused engine.
func TestTrainStepAllocatesNothing(t *testing.T) {
	testenv.SkipRace(t)
	for _, shape := range membership.Names() {
		for _, then := range []consequents{{outputs: 1, k: 4}, {outputs: 1, k: 4, own: true}, {outputs: 3, k: 4}, {outputs: 3, k: 4, own: true}} {
			s := newStepOf(t, "fused", shape, 8, 5, 3, then, stepAgreement, stepCurves, penalty.Uniform{Lambda: 0.1})
			s.run(t)
			testenv.Equal(t, testing.AllocsPerRun(20, func() { s.run(t) }), 0, "%s, %+v: allocations per step", shape, then)
		}
	}
}
