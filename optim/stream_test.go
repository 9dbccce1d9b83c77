package optim_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/optim"
)

// pieces are Chunks in memory.
type pieces struct {
	data  []optim.Data
	reads int
	fault func(read int) error // of the read with this number, from 1; nil: none
}

func (p *pieces) Len() int { return len(p.data) }

func (p *pieces) Chunk(i int) (optim.Data, error) {
	p.reads++
	if p.fault != nil {
		if err := p.fault(p.reads); err != nil {
			return optim.Data{}, err
		}
	}
	return p.data[i], nil
}

// cut cuts data into consecutive chunks of the given sizes.
func cut(d optim.Data, sizes ...int) *pieces {
	p := &pieces{}
	from := 0
	for _, n := range sizes {
		part := optim.Data{X: d.X[from : from+n], Y: d.Y[from : from+n]}
		if d.Weight != nil {
			part.Weight = d.Weight[from : from+n]
		}
		p.data = append(p.data, part)
		from += n
	}
	return p
}

// newStream returns a stream of chunks of d with masks of six rules by DropRule, of the same seed.
func newStream(d optim.Data, chunks optim.Chunks, batch int, seed uint64) *optim.Stream {
	return testenv.Must(optim.NewStream(d, chunks, batch, testenv.Must(optim.NewDropRule(6, 0.5, seed)), seed))
}

// targets draws the given number of batches and returns their targets, one after the other.
func targets(t testenv.T, s optim.Batches, batches int) []float64 {
	var all []float64
	for range batches {
		_, target, _, _, err := s.Next()
		testenv.OK(t, err)
		all = append(all, target...)
	}
	return all
}

// Whatever the sizes: each pass has every sample once, with its own features and weight, one chunk after the other; each
// chunk is read once in a pass.
func TestStreamPasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(0, 9), 1, 8).Draw(t, "sizes")
		n := 0
		for _, size := range sizes {
			n += size
		}
		if n == 0 {
			sizes, n = append(sizes, 3), 3
		}
		batch := rapid.IntRange(1, 20).Draw(t, "batch")
		d := numbered(n)
		for i := range d.Y {
			d.Weight = append(d.Weight, 1+float64(i)/2)
		}
		chunks := cut(d, sizes...)
		if len(chunks.data[0].X) > 0 {
			chunks.data[0].Weight = nil // all one
		}
		chunkOf := map[float64]int{}
		for i, c := range chunks.data {
			for _, y := range c.Y {
				chunkOf[y] = i
			}
		}
		s := newStream(d, chunks, batch, rapid.Uint64().Draw(t, "seed"))
		var drawn []float64
		for len(drawn) < 3*n {
			x, target, mask, weight, err := s.Next()
			if err != nil || len(x) != 2*batch || len(target) != batch || len(weight) != batch || len(mask) != 6*batch {
				t.Fatalf("lengths %d %d %d %d, %v", len(x), len(target), len(mask), len(weight), err)
			}
			for i, y := range target {
				want := 1 + y/2
				if chunkOf[y] == 0 {
					want = 1
				}
				if x[2*i] != y || x[2*i+1] != -y || weight[i] != want {
					t.Fatalf("sample %g came with features %v and weight %g, want %g", y, x[2*i:2*i+2], weight[i], want)
				}
			}
			drawn = append(drawn, target...)
		}
		for pass := range 3 {
			of := drawn[pass*n : (pass+1)*n]
			testenv.Equal(t, slices.Sorted(slices.Values(of)), numbered(n).Y, "pass %d has the samples", pass)
			seen := map[int]bool{chunkOf[of[0]]: true}
			for i := 1; i < n; i++ {
				if c := chunkOf[of[i]]; c != chunkOf[of[i-1]] && seen[c] {
					t.Fatalf("pass %d returns to chunk %d", pass, c)
				} else {
					seen[c] = true
				}
			}
		}
		if passes := (len(drawn) + n - 1) / n; chunks.reads > passes*len(sizes) {
			t.Fatalf("%d chunks were read %d times in %d passes", len(sizes), chunks.reads, passes)
		}
	})
}

func TestStreamSeeds(t *testing.T) {
	d := numbered(40)
	draw := func(seed uint64) []float64 { return targets(t, newStream(d, cut(d, 13, 0, 20, 7), 8, seed), 10) }
	first := draw(1)
	testenv.Equal(t, first, draw(1), "the same seed draws differently")
	if slices.Equal(first, draw(2)) {
		t.Error("another seed draws the same")
	}
	if slices.Equal(first[:40], first[40:]) {
		t.Error("two passes have the same order")
	}
}

func TestStreamRestoreRefuses(t *testing.T) {
	d := numbered(9)
	s := newStream(d, cut(d, 4, 5), 4, 9)
	targets(t, s, 1)
	refuses(t, s, map[string]func(*optim.SamplerState){
		"batch size is 5":         func(st *optim.SamplerState) { st.Batch = 5 },
		"not that of a stream":    func(st *optim.SamplerState) { st.Stream = nil },
		"not that of a stream of": func(st *optim.SamplerState) { st.Order = []int{0} },
		"in pass -1":              func(st *optim.SamplerState) { st.Stream.Pass = -1 },
		"of chunk -1":             func(st *optim.SamplerState) { st.Stream.Position = -1 },
		"of chunk 2":              func(st *optim.SamplerState) { st.Stream.Position = 2 },
		"sample -1":               func(st *optim.SamplerState) { st.Stream.Offset = -1 },
		"sample 6":                func(st *optim.SamplerState) { st.Stream.Offset = 6 },
		"7 rules, here over 6":    func(st *optim.SamplerState) { st.Rules = 7 },
		"stream of masks":         func(st *optim.SamplerState) { st.Masks = nil },
	})
	wantError(t, testenv.Must(newSampler(d, 4, 6, 0.5, 9)).Restore(s.State()), optim.ErrState, "stream of chunks")
	wantError(t, s.Restore(testenv.Must(newSampler(d, 4, 6, 0.5, 9)).State()), optim.ErrState, "not that of a stream")
}

func TestStreamRefuses(t *testing.T) {
	masks := testenv.Must(optim.NewDropRule(6, 0.5, 1))
	d := numbered(9)
	for word, refused := range map[string]func() error{
		"no samples":     func() error { _, err := optim.NewStream(optim.Data{}, cut(d, 9), 4, masks, 1); return err },
		"no chunks":      func() error { _, err := optim.NewStream(d, &pieces{}, 4, masks, 1); return err },
		"are empty":      func() error { return drawn(newStream(d, cut(d, 0, 0), 4, 1)) },
		"chunk 0: optim": func() error { return drawn(newStream(d, &pieces{data: []optim.Data{{X: d.X, Y: d.Y[:3]}}}, 4, 1)) },
		"1 features, tho": func() error {
			return drawn(newStream(d, &pieces{data: []optim.Data{{X: [][]float64{{1}}, Y: d.Y[:1]}}}, 4, 1))
		},
		"2 targets, thos": func() error { return drawn(newStream(d, &pieces{data: []optim.Data{{X: d.X[:1], Y: d.Y[:2]}}}, 4, 1)) },
		"sample 0 is NaN": func() error {
			return drawn(newStream(d, &pieces{data: []optim.Data{{X: d.X[:1], Y: []float64{math.NaN()}}}}, 4, 1))
		},
	} {
		wantError(t, refused(), optim.ErrData, word)
	}
	for word, masks := range map[string]optim.MaskSource{"batch size is 0": masks, "masks is nil": nil} {
		batch := 4
		if masks != nil {
			batch = 0
		}
		_, err := optim.NewStream(d, cut(d, 9), batch, masks, 1)
		wantError(t, err, optim.ErrOption, word)
	}
}

func drawn(s *optim.Stream) error {
	_, _, _, _, err := s.Next()
	return err
}

// A chunk that cannot be read ends training with its error, and the checkpoint that was saved before resumes to the bits of a
// training without a fault.
func TestUnreadableChunk(t *testing.T) {
	broken := errors.New("bad sector")
	d := noisyLine(90)
	begin := func(chunks *pieces) *training {
		tr := newTraining(60)
		tr.batches = testenv.Must(optim.NewStream(d, chunks, 16, testenv.Must(optim.NewDropRule(1, 1, 1)), 1))
		return tr
	}
	whole := begin(cut(d, 30, 41, 19))
	want := testenv.Must(whole.run())
	for read := 1; read <= 30; read++ {
		chunks := cut(d, 30, 41, 19)
		chunks.fault = func(i int) error {
			if i == read {
				return broken
			}
			return nil
		}
		tr := begin(chunks)
		var at []saved
		tr.Due = func() bool { return false }
		tr.Save = func(c optim.Checkpoint) { at = append(at, saved{testenv.Must(json.Marshal(c)), tr.line.theta()}) }
		if r, err := tr.run(); !errors.Is(err, broken) || r.Stopped != optim.StoppedFailed || len(at) != 1 {
			t.Fatalf("read %d: %+v, %v, %d checkpoints", read, r, err, len(at))
		}
		again := begin(cut(d, 30, 41, 19))
		copy(again.line.slope.value.Float64s(), at[0].theta)
		copy(again.line.intercept.value.Float64s(), at[0].theta[2:])
		again.From = new(optim.Checkpoint)
		testenv.OK(t, json.Unmarshal(at[0].checkpoint, again.From))
		if got, err := again.run(); err != nil || got != want || !sameBits(again.line.theta(), whole.line.theta()) {
			t.Errorf("resumed after read %d: %+v, %v at %v; want %+v at %v", read, got, err, again.line.theta(), want, whole.line.theta())
		}
		// The same stream, too, draws the batch again once the chunk can be read.
		if got := testenv.Must(json.Marshal(tr.batches.State())); !json.Valid(got) || drawn(tr.batches.(*optim.Stream)) != nil {
			t.Errorf("read %d: the stream does not continue", read)
		}
	}
}
