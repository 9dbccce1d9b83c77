package rules

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/membership"
)

func rng(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

var initialisers = map[string]Initialiser{"fcm": FuzzyCMeans, "kmeans": KMeans, "genfis": GenFIS}

// blobs returns three well-separated groups of 40 samples around the given centers, with
// targets 1, 2 and 3.
func blobs() (x [][]float64, y []float64, centers [][]float64) {
	centers = [][]float64{{-5, 0}, {5, 1}, {0, 8}}
	r := rng(7)
	for i, c := range centers {
		for range 40 {
			x = append(x, []float64{c[0] + 0.3*r.NormFloat64(), c[1] + 0.1*r.NormFloat64()})
			y = append(y, float64(i+1))
		}
	}
	return x, y, centers
}

func TestInitialisersFindGroups(t *testing.T) {
	for name, initialise := range initialisers {
		x, y, centers := blobs()
		for seed := range uint64(5) {
			c := testenv.Must(initialise(t.Context(), Samples{X: x, Y: y}, 3, rng(seed)))
			for i, want := range centers {
				r := slices.IndexFunc(c.Centers, func(got []float64) bool { return squaredDistance(got, want) < 0.05 })
				if r < 0 {
					t.Fatalf("%s, seed %d: no center near %v: %v", name, seed, want, c.Centers)
				}
				if math.Abs(c.Targets[r]-float64(i+1)) > 0.1 {
					t.Errorf("%s: target %v of group %d", name, c.Targets[r], i+1)
				}
			}
			if c.Coinciding+c.Empty+c.ZeroSpreads != 0 || c.Notes() != "" {
				t.Errorf("%s: notes %q", name, c.Notes())
			}
		}
	}
}

// TestKMeansMoments: the spread is the standard deviation with divisor n-1.
func TestKMeansMoments(t *testing.T) {
	x, y := [][]float64{{0}, {1}, {5}, {100}, {104}}, []float64{1, 2, 3, 10, 20}
	c := testenv.Must(KMeans(t.Context(), Samples{X: x, Y: y}, 2, rng(3)))
	r := slices.IndexFunc(c.Centers, func(c []float64) bool { return c[0] == 2 })
	if r < 0 || c.Centers[1-r][0] != 102 {
		t.Fatalf("centers %v", c.Centers)
	}
	if got, want := c.Spreads[r][0], math.Sqrt(7); math.Abs(got-want) > 1e-12 {
		t.Errorf("spread %v, want %v", got, want)
	}
	if c.Targets[r] != 2 || c.Targets[1-r] != 15 {
		t.Errorf("targets %v", c.Targets)
	}
}

// TestFuzzyMoments: spread and target are weighted by u, not u^2; the spread is about the
// u-weighted mean.
func TestFuzzyMoments(t *testing.T) {
	x, y, u := [][]float64{{0}, {4}}, []float64{10, 30}, [][]float64{{0.75, 0.25}, {0.25, 0.75}}
	c := &Clusters{}
	(&fuzzyPartition{x: x, weight: numeric.EachWeight(nil, len(x)), u: u}).moments(t.Context(), c, y)
	// mean 1, variance .75*1 + .25*9 = 3; target .75*10 + .25*30 = 15.
	if math.Abs(c.Spreads[0][0]-math.Sqrt(3)) > 1e-15 || c.Targets[0] != 15 || c.Targets[1] != 25 {
		t.Errorf("spreads %v, targets %v", c.Spreads, c.Targets)
	}
}

// TestInvertByHand: spreads are means, over the samples, of those of Gaussians with the
// given memberships; samples on a center are ignored.
func TestInvertByHand(t *testing.T) {
	u := func(z float64) float64 { return math.Exp(-z * z / 2) } // at z spreads from the center
	f := &fuzzyPartition{
		x:      [][]float64{{1, 0}, {-4, 2}, {7, 7}, {9, 9}},
		weight: numeric.EachWeight(nil, 4),
		u:      [][]float64{{u(0.5), 1}, {u(1), 1}, {0, 1}, {1, 0}},
	}
	c := &Clusters{Centers: [][]float64{{0, 0}, {0, 0}}, Spreads: [][]float64{{8, 8}, {3, 5}}}
	f.invert(t.Context(), c)
	// Rule 0: 1/0.5 and 4/1, 0/0.5 and 2/1. Rule 1: no sample is left.
	if s := c.Spreads; math.Abs(s[0][0]-3) > 1e-12 || math.Abs(s[0][1]-1) > 1e-12 || s[1][0] != 3 || s[1][1] != 5 {
		t.Errorf("spreads %v", s)
	}
}

// TestGenFIS: the clusters are those of fuzzy c-means with other spreads; the spread of a
// single one is the standard deviation.
func TestGenFIS(t *testing.T) {
	x, y, _ := blobs()
	for _, R := range []int{1, 3} {
		s := Samples{X: x, Y: y}
		a, b := testenv.Must(FuzzyCMeans(t.Context(), s, R, rng(1))), testenv.Must(GenFIS(t.Context(), s, R, rng(1)))
		if !reflect.DeepEqual(a.Centers, b.Centers) || !reflect.DeepEqual(a.Targets, b.Targets) {
			t.Errorf("centers %v, of fuzzy c-means %v", b.Centers, a.Centers)
		}
		testenv.Equal(t, reflect.DeepEqual(a.Spreads, b.Spreads), R == 1, "%d rules: the spreads are those of fuzzy c-means", R)
		b.Plane = []float64{1, 2, 3}
		for _, w := range New(membership.Gaussian{}, b).Consequents {
			testenv.Equal(t, w, b.Plane, "consequents start")
		}
	}
}

// TestSeveralOutputs checks that the targets of two outputs are those of each output alone, and that
// positions depend on the outputs only for one-feature clusters.
func TestSeveralOutputs(t *testing.T) {
	x, y := table(300, 3)
	other, both := make([]float64, len(y)), make([]float64, 0, 2*len(y))
	for n, v := range y {
		other[n] = 3 - 2*v
		both = append(both, v, other[n])
	}
	for name, initialise := range map[string]Initialiser{"fcm": FuzzyCMeans, "kmeans": KMeans, "genfis": GenFIS, "one-feature": OneFeature} {
		of := func(y []float64) *Clusters {
			return testenv.Must(initialise(t.Context(), Samples{X: x, Y: y}, 5, rng(1)))
		}
		a, b, c := of(y), of(other), of(both)
		if c.Outputs() != 2 || !reflect.DeepEqual(a.Centers, c.Centers) || !reflect.DeepEqual(a.Spreads, c.Spreads) {
			t.Fatalf("%s: %d outputs, centers %v, of one output %v", name, c.Outputs(), c.Centers, a.Centers)
		}
		for r := range 5 {
			if got := c.Targets[2*r:][:2]; got[0] != a.Targets[r] || got[1] != b.Targets[r] {
				t.Errorf("%s: targets %v, one by one %v and %v", name, got, a.Targets[r], b.Targets[r])
			}
			if w := New(membership.Gaussian{}, c).Consequents[r]; !slices.Equal(w, []float64{a.Targets[r], 0, 0, 0, b.Targets[r], 0, 0, 0}) {
				t.Errorf("%s: consequents of rule %d start at %v", name, r, w)
			}
		}
	}
}

// TestFuzzyStep compares one step, with a sample on a center, with values computed by
// hand.
func TestFuzzyStep(t *testing.T) {
	x, u := [][]float64{{0}, {3}}, [][]float64{{0.5, 0.5}, {0.5, 0.5}}
	f := &fuzzyPartition{x: x, weight: numeric.EachWeight(nil, len(x)), u: u, centers: []float64{0, 4}}
	sums, objective := must2(f.update(t.Context()))
	testenv.Equal(t, objective, 0.25*(0+16+9+1), "objective")
	if u[0][0] != 1 || u[0][1] != 0 || math.Abs(u[1][0]-0.1) > 1e-15 || math.Abs(u[1][1]-0.9) > 1e-15 {
		t.Errorf("memberships %v", u)
	}
	f.moveCenters(sums) // weights u^2: (0*1 + 3*.01)/1.01, (3*.81)/.81
	if c := f.centers; math.Abs(c[0]-0.03/1.01) > 1e-15 || math.Abs(c[1]-3) > 1e-15 {
		t.Errorf("centers %v", c)
	}
}

func TestZeroSpreads(t *testing.T) {
	c := (&Clusters{Centers: [][]float64{{0, 0}, {1, 1}}, Spreads: [][]float64{{2, 0}, {1, 1e-12}}}).finish()
	if got := c.Notes(); got != "2 of 4 membership functions belong to samples that are all equal in that feature: they "+
		"start with the mean width of all" {
		t.Errorf("notes %q", got)
	}
	if mean := (2 + 1 + 1e-12) / 4; c.Spreads[0][1] != mean || c.Spreads[1][1] != mean || c.ZeroSpreads != 2 {
		t.Errorf("spreads %v, %d zero; want the mean of all, %v", c.Spreads, c.ZeroSpreads, mean)
	}
	c = (&Clusters{Centers: [][]float64{{0}}, Spreads: [][]float64{{0}}}).finish()
	testenv.Equal(t, c.Spreads[0][0], 1, "all spreads zero")
}

// TestMoreRulesThanSamples: every initialiser gives a valid rulebase and reports
// coinciding centers.
func TestMoreRulesThanSamples(t *testing.T) {
	for name, initialise := range initialisers {
		for _, x := range [][][]float64{{{1, 2}}, {{1, 2}, {1, 2}, {3, 4}}} {
			y := []float64{5, 6, 9}[:len(x)]
			c := testenv.Must(initialise(t.Context(), Samples{X: x, Y: y}, 5, rng(1)))
			if err := New(membership.Gaussian{}, c).Validate(); err != nil {
				t.Errorf("%s with %d samples: %v", name, len(x), err)
			}
			if c.Coinciding == 0 {
				t.Errorf("%s with %d samples: no coinciding centers reported: %q", name, len(x), c.Notes())
			}
		}
	}
}

func TestEmptyClusterIsSeededAgain(t *testing.T) {
	x := [][]float64{{0}, {1}, {10}}
	l := &lloyd{x: x, weight: numeric.EachWeight(nil, len(x)), R: 2, centers: []float64{0, 500}, of: make([]int, 3), d2: make([]float64, 3)}
	testenv.OK(t, l.run(t.Context()))
	slices.Sort(l.centers)
	if l.empty == 0 || l.centers[0] != 0.5 || l.centers[1] != 10 {
		t.Errorf("centers %v, %d times empty", l.centers, l.empty)
	}
}

// TestWorkersDoNotMatter: results are equal to the bit for any number of processors, and others with another seed.
func TestWorkersDoNotMatter(t *testing.T) {
	x, y := table(3*blockRows+17, 3)
	all := []int{1, 2, 3, 8}
	if testenv.Race {
		all = []int{8}
	}
	for name, initialise := range initialisers {
		find := func(workers int, seed uint64) *Clusters {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
			return testenv.Must(initialise(t.Context(), Samples{X: x, Y: y}, 7, rng(seed)))
		}
		want := find(1, 5)
		for _, workers := range all {
			testenv.Equal(t, find(workers, 5), want, "%s: %d workers give different clusters from one", name, workers)
		}
		if reflect.DeepEqual(find(2, 6).Centers, want.Centers) {
			t.Errorf("%s: the same clusters with another seed", name)
		}
	}
}

// TestSumsAreExact: sums over blocks of samples and groups of four count each sample and
// center once, for any numbers of samples, rules and features.
func TestSumsAreExact(t *testing.T) {
	for _, N := range []int{1, 3, 4, 7, 2*blockRows + 5} {
		for _, R := range []int{1, 3, 4, 6, 9} {
			for _, M := range []int{1, 2, 5} {
				x, u, centers := matrix(N, M), matrix(N, R), make([]float64, R*M)
				for i := range centers {
					centers[i] = float64(i)
				}
				want := make([]float64, R*M+R) // small whole numbers: no rounding
				for n, row := range x {
					for m := range row {
						row[m] = float64((n+3*m)%11 - 5)
					}
					for r := range R {
						u[n][r] = float64((n + r) % 3)
						want[R*M+r] += u[n][r] * u[n][r]
						for m, v := range row {
							want[r*M+m] += u[n][r] * u[n][r] * v
						}
					}
				}
				f := &fuzzyPartition{x: x, weight: numeric.EachWeight(nil, len(x)), u: u, centers: centers}
				testenv.Equal(t, testenv.Must(f.sums(t.Context())), want, "N=%d R=%d M=%d: sums", N, R, M)
				newDistances(centers, M).blocks(x, func(start int, d2 []float64, B int) {
					for i, d := range d2 {
						if want := squaredDistance(x[start+i%B], centers[i/B*M:(i/B+1)*M]); math.Float64bits(d) != math.Float64bits(want) {
							t.Fatalf("R=%d M=%d: squared distance %v from center %d, want %v", R, M, d, i/B, want)
						}
					}
				})
			}
		}
	}
}

func must2[T, U any](v T, w U, err error) (T, U) {
	if err != nil {
		panic(err)
	}
	return v, w
}

// TestDrawnSamplesSettleEarlier: iterations on drawn samples end earlier, close to where they end otherwise.
func TestDrawnSamplesSettleEarlier(t *testing.T) {
	testenv.SkipRace(t)
	x, y := table(5000, 4)
	inertia := func(c *Clusters) (sum float64) {
		for _, row := range x {
			least := math.Inf(1)
			for _, center := range c.Centers {
				least = min(least, squaredDistance(row, center))
			}
			sum += least
		}
		return sum
	}
	for name, initialise := range map[string]Initialiser{"kmeans": KMeans, "fcm": FuzzyCMeans} {
		all := testenv.Must(initialise(t.Context(), Samples{X: x, Y: y}, 8, rng(1)))
		drawn := testenv.Must(initialise(t.Context(), Samples{X: x, Y: y, Drawn: true}, 8, rng(1)))
		if drawn.Iterations >= all.Iterations {
			t.Errorf("%s: %d iterations on drawn samples, %d otherwise", name, drawn.Iterations, all.Iterations)
		}
		if got, want := inertia(drawn), inertia(all); math.Abs(got/want-1) > 0.01 {
			t.Errorf("%s: inertia %v on drawn samples, %v otherwise", name, got, want)
		}
	}
}

// table returns n samples of m features in five overlapping groups.
func table(n, m int) (x [][]float64, y []float64) {
	r := rng(11)
	x, y = matrix(n, m), make([]float64, n)
	for i, row := range x {
		for j := range row {
			row[j] = float64((i*(j+3))%5) + r.NormFloat64()
		}
		y[i] = row[0] + r.NormFloat64()
	}
	return x, y
}

// benchmarkInitialiser places 32 rules on 32,011 samples of 9 features.
func benchmarkInitialiser(b *testing.B, initialise Initialiser) {
	x, y := table(32011, 9)
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
			iterations := 0
			for b.Loop() {
				iterations = testenv.Must(initialise(b.Context(), Samples{X: x, Y: y}, 32, rng(1))).Iterations
			}
			b.ReportMetric(float64(iterations), "iterations")
		})
	}
}

func BenchmarkFuzzyCMeans(b *testing.B) { benchmarkInitialiser(b, FuzzyCMeans) }

func BenchmarkKMeans(b *testing.B) { benchmarkInitialiser(b, KMeans) }
