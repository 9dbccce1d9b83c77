package optim_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/optim"
)

// numbered has n samples whose feature and target are their index.
func numbered(n int) optim.Data {
	var d optim.Data
	for i := range n {
		d.X, d.Y = append(d.X, []float64{float64(i), -float64(i)}), append(d.Y, float64(i))
	}
	return d
}

// masks draws the given number of batches and returns their masks, one after the other.
func masks(s *optim.Sampler, batches int) []float64 {
	var all []float64
	for range batches {
		_, _, mask, _, _ := s.Next()
		all = append(all, mask...)
	}
	return all
}

// Whatever the sizes: the batch holds min(batch, N) distinct samples, with their own features and weights, and no
// sample is without a rule.
func TestNextProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "N")
		batch := rapid.IntRange(1, 50).Draw(t, "batch")
		rules := rapid.IntRange(1, 10).Draw(t, "R")
		keep := rapid.Float64Range(1e-5, 1).Draw(t, "P")
		d := numbered(n)
		for i := range d.Y {
			d.Weight = append(d.Weight, 1+float64(i)/2)
		}
		s := testenv.Must(newSampler(d, batch, rules, keep, rapid.Uint64().Draw(t, "seed")))
		for range 5 {
			x, target, mask, weight, _ := s.Next()
			b := min(n, batch)
			if s.Batch() != b || len(x) != 2*b || len(target) != b || len(weight) != b || len(mask) != b*rules {
				t.Fatalf("lengths %d %d %d %d, Batch %d", len(x), len(target), len(mask), len(weight), s.Batch())
			}
			seen := map[float64]bool{}
			for i, y := range target {
				if seen[y] {
					t.Fatalf("sample %g drawn twice", y)
				}
				seen[y] = true
				if x[2*i] != y || x[2*i+1] != -y || weight[i] != 1+y/2 {
					t.Fatalf("sample %g came with features %v and weight %g", y, x[2*i:2*i+2], weight[i])
				}
				row := mask[i*rules : (i+1)*rules]
				if !slices.Contains(row, 1) || slices.ContainsFunc(row, func(v float64) bool { return v != 0 && v != 1 }) {
					t.Fatalf("mask row %v", row)
				}
			}
		}
	})
}

// Each sample comes equally often at each place of a batch, and of a pass of a stream: over the batches of one seed, and over the first
// batches of many.
func TestOrdersAreUniform(t *testing.T) {
	const n, draws = 6, 60000
	d := numbered(n)
	sampler := func(seed uint64) optim.Batches { return testenv.Must(newSampler(d, 3, 1, 1, seed)) }
	stream := func(seed uint64) optim.Batches { return newStream(d, cut(d, 2, 2, 2), n, seed) }
	for name, of := range map[string]func(seed uint64) optim.Batches{"sampler": sampler, "stream": stream} {
		one := of(5)
		for name, batches := range map[string]func(draw int) optim.Batches{
			name + ", one seed":   func(int) optim.Batches { return one },
			name + ", many seeds": func(draw int) optim.Batches { return of(uint64(draw)) },
		} {
			var count [n][n]float64
			for draw := range draws {
				for i, y := range targets(t, batches(draw), 1) {
					count[i][int(y)]++
				}
			}
			for i := range one.Batch() {
				var chi2 float64
				for _, c := range count[i] {
					chi2 += (c - draws/n) * (c - draws/n) / (draws / n)
				}
				if chi2 > 20.5 { // 5 degrees of freedom: p = 0.001
					t.Errorf("%s, place %d: counts %v, chi-squared %.1f", name, i, count[i], chi2)
				}
			}
		}
	}
}

// The mask is exactly: 16 bits of the stream per cell, from the lowest up, a new word at each sample, kept if below
// round(P 2^16). A threshold that is off by one, a comparison that includes it, or rows of zeros would show.
func TestMaskStream(t *testing.T) {
	for _, rules := range []int{1, 3, 4, 6, 32} {
		for _, keep := range []float64{0.5, 0.3, 1e-5, 1 - 0x1p-16, 1 - 0x1p-18, 1} { // the last two keep all
			const seed, b, batches = 11, 64, 256
			got := masks(testenv.Must(newSampler(numbered(200), b, rules, keep, seed)), batches)
			draw := func(kept func(bits uint64) bool, repair bool) []float64 {
				stream := rand.NewPCG(seed, 0x6d61736b73)
				var all []float64
				for range b * batches {
					row := make([]float64, rules)
					var word uint64
					for r := range row {
						if r%4 == 0 {
							word = stream.Uint64()
						}
						if kept(word >> (16 * (r % 4)) & 0xffff) {
							row[r] = 1
						}
					}
					if repair && !slices.Contains(row, 1) {
						row = slices.Repeat([]float64{1}, rules)
					}
					all = append(all, row...)
				}
				return all
			}
			threshold := uint64(math.Round(keep * 65536))
			if !slices.Equal(got, draw(func(bits uint64) bool { return bits < threshold }, true)) {
				t.Errorf("R = %d, P = %g: the mask is not the documented one", rules, keep)
			}
			if rules == 32 && keep == 0.5 && slices.Equal(got, draw(func(bits uint64) bool { return bits <= threshold }, true)) {
				t.Error("the test does not see an inclusive comparison")
			}
			if rules == 3 && slices.Equal(got, draw(func(bits uint64) bool { return bits < threshold }, false)) && keep < 0.9 {
				t.Error("the test does not see samples without a rule")
			}
		}
	}
}

func TestSeeds(t *testing.T) {
	draw := func(seed uint64, rules int) (rows, mask []float64) {
		s := testenv.Must(newSampler(numbered(50), 20, rules, 0.5, seed))
		for range 10 {
			_, target, m, _, _ := s.Next()
			rows, mask = append(rows, target...), append(mask, m...)
		}
		return rows, mask
	}
	rows, mask := draw(1, 8)
	if r, m := draw(1, 8); !slices.Equal(r, rows) || !slices.Equal(m, mask) {
		t.Error("the same seed draws differently")
	}
	if r, m := draw(2, 8); slices.Equal(r, rows) || slices.Equal(m, mask) {
		t.Error("another seed draws the same")
	}
	if r, _ := draw(1, 20); !slices.Equal(r, rows) {
		t.Error("the rows depend on the masks")
	}
}

// fixedMask is a MaskSource of one mask, which counts its draws.
type fixedMask struct {
	mask  []float64
	rows  []int // of each draw
	state optim.MaskState
}

func (f *fixedMask) Next(rows int) []float64             { f.rows = append(f.rows, rows); return f.mask }
func (f *fixedMask) State() optim.MaskState              { return f.state }
func (f *fixedMask) Restore(state optim.MaskState) error { f.state = state; return nil }

// The masks are those of the source, whatever it draws, one for each batch, and its state is part of the sampler's.
func TestSamplerCallsItsMaskSource(t *testing.T) {
	source := &fixedMask{mask: []float64{0, 1, 0.5}, state: optim.MaskState{Rules: 1, Keep: 0.25, Masks: []byte{7}}}
	s := testenv.Must(optim.NewSampler(numbered(9), 3, source, 1))
	for range 2 {
		if _, _, mask, _, _ := s.Next(); &mask[0] != &source.mask[0] || len(mask) != 3 {
			t.Errorf("mask %v", mask)
		}
	}
	testenv.Equal(t, source.rows, []int{3, 3}, "draws of samples")
	state := s.State()
	want := `"rules":1,"keep":0.25,"masks":"Bw=="`
	if got := string(testenv.Must(json.Marshal(state))); !strings.Contains(got, want) {
		t.Errorf("state %s", got)
	}
	source.state = optim.MaskState{}
	if err := s.Restore(state); err != nil || !slices.Equal(source.state.Masks, []byte{7}) {
		t.Errorf("restored %+v, %v", source.state, err)
	}
	_, err := optim.NewSampler(numbered(9), 3, nil, 1)
	wantError(t, err, optim.ErrOption, "masks is nil")
}

func TestFullBatchKeepsOrder(t *testing.T) {
	d := numbered(5)
	s := testenv.Must(newSampler(d, 64, 2, 0.5, 1))
	for range 3 {
		if _, target, _, weight, _ := s.Next(); !slices.Equal(target, d.Y) || !slices.Equal(weight, []float64{1, 1, 1, 1, 1}) {
			t.Fatalf("targets %v, weights %v", target, weight)
		}
	}
}

// Nothing is allocated for a batch, of a stream within a chunk.
func TestNextDoesNotAllocate(t *testing.T) {
	d := numbered(10000)
	for _, s := range []optim.Batches{testenv.Must(newSampler(numbered(100), 64, 30, 0.5, 1)), newStream(d, cut(d, 10000), 64, 1)} {
		testenv.Equal(t, testing.AllocsPerRun(100, func() { s.Next() }), 0, "%T: allocations", s)
	}
}

// Batches restored from JSON after any draw continue all streams bit-identically, and drawing changes no state.
func TestStatesContinue(t *testing.T) {
	d := numbered(23)
	for name, fresh := range map[string]func(seed uint64) optim.Batches{
		"sampler": func(seed uint64) optim.Batches { return testenv.Must(newSampler(d, 4, 6, 0.5, seed)) },
		"stream":  func(uint64) optim.Batches { return newStream(d, cut(d, 6, 0, 12, 2, 3, 0), 4, 9) }, // its order is one of the seed
	} {
		draw := func(s optim.Batches) (all []float64) {
			x, target, mask, weight, err := s.Next()
			testenv.OK(t, err)
			return slices.Concat(x, target, mask, weight)
		}
		var states [][]byte
		var want [][]float64
		s := fresh(9)
		for range 20 {
			states = append(states, testenv.Must(json.Marshal(s.State())))
			want = append(want, draw(s))
		}
		for i, state := range states {
			var st optim.SamplerState
			r := fresh(10)
			targets(t, r, 2)
			testenv.OK(t, errors.Join(json.Unmarshal(state, &st), r.Restore(st)))
			if got := testenv.Must(json.Marshal(r.State())); string(got) != string(state) {
				t.Errorf("%s: restored to %s, want %s", name, got, state)
			}
			for k := i; k < len(want); k++ {
				testenv.Equal(t, draw(r), want[k], "%s: restored after %d batches, batch %d differs", name, i, k)
			}
			if got := testenv.Must(json.Marshal(st)); string(got) != string(state) {
				t.Errorf("%s: drawing on changed the state that was restored", name)
			}
		}
	}
}

// refuses checks that each change of a state is refused, with a word of its error, and leaves the state as it is.
func refuses(t *testing.T, s optim.Batches, changes map[string]func(*optim.SamplerState)) {
	t.Helper()
	before := testenv.Must(json.Marshal(s.State()))
	for word, change := range changes {
		st := s.State()
		change(&st)
		wantError(t, s.Restore(st), optim.ErrState, word)
		if got := testenv.Must(json.Marshal(s.State())); string(got) != string(before) {
			t.Errorf("%s: a refused state changed the batches", word)
		}
	}
}

func TestSamplerRestoreRefuses(t *testing.T) {
	refuses(t, testenv.Must(newSampler(numbered(9), 4, 6, 0.5, 9)), map[string]func(*optim.SamplerState){
		"batch size is 5":        func(st *optim.SamplerState) { st.Batch = 5 },
		"7 rules, here over 6":   func(st *optim.SamplerState) { st.Rules = 7 },
		"rule is 0.25, here 0.5": func(st *optim.SamplerState) { st.Keep = 0.25 },
		"8 samples":              func(st *optim.SamplerState) { st.Order = st.Order[:8] },
		"no permutation: 1":      func(st *optim.SamplerState) { st.Order[5] = 1 },
		"no permutation: -1":     func(st *optim.SamplerState) { st.Order[5] = -1 },
		"no permutation: 9":      func(st *optim.SamplerState) { st.Order[5] = 9 },
		"stream of rows":         func(st *optim.SamplerState) { st.Rows = nil },
		"stream of masks: inval": func(st *optim.SamplerState) { st.Masks[0]++ },
	})
}

func TestNewSamplerRefuses(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		change       func(*optim.Data)
		batch, rules int
		keep         float64
		sentinel     error
		word         string
	}{
		{func(d *optim.Data) { *d = optim.Data{} }, 1, 1, 1, optim.ErrData, "no samples"},
		{func(d *optim.Data) { d.X[0] = nil }, 1, 1, 1, optim.ErrData, "no features"},
		{func(d *optim.Data) { d.X[2] = []float64{1} }, 1, 1, 1, optim.ErrData, "sample 2 has 1 features"},
		{func(d *optim.Data) { d.Y = d.Y[:3] }, 1, 1, 1, optim.ErrData, "3 targets"},
		{func(d *optim.Data) { d.Weight = []float64{1} }, 1, 1, 1, optim.ErrData, "1 weights"},
		{func(d *optim.Data) { d.X[2][1] = nan }, 1, 1, 1, optim.ErrData, "feature 1 of sample 2 is NaN"},
		{func(d *optim.Data) { d.Y[1] = math.Inf(1) }, 1, 1, 1, optim.ErrData, "target of sample 1 is +Inf"},
		{func(d *optim.Data) { d.Weight = []float64{1, 1, -1, 1} }, 1, 1, 1, optim.ErrData, "weight of sample 2 is -1"},
		{func(d *optim.Data) { d.Weight = make([]float64, 4) }, 1, 1, 1, optim.ErrData, "all weights are zero"},
		{func(*optim.Data) {}, 0, 1, 1, optim.ErrOption, "batch size is 0"},
		{func(*optim.Data) {}, 1, 0, 1, optim.ErrOption, "number of rules is 0"},
		{func(*optim.Data) {}, 1, 1, 0, optim.ErrOption, "is 0"},
		{func(*optim.Data) {}, 1, 1, -0.5, optim.ErrOption, "is -0.5"},
		{func(*optim.Data) {}, 1, 1, 1.1, optim.ErrOption, "is 1.1"},
		{func(*optim.Data) {}, 1, 1, nan, optim.ErrOption, "is NaN"},
		{func(*optim.Data) {}, 1, 1, 1e-6, optim.ErrOption, "is 1e-06, must be at least"},
	} {
		d := numbered(4)
		c.change(&d)
		_, err := newSampler(d, c.batch, c.rules, c.keep, 1)
		wantError(t, err, c.sentinel, c.word)
	}
}
