package numeric

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// draw returns a finite number of any exponent, or of a small range.
func draw(r *rand.Rand) float64 {
	switch r.IntN(8) {
	case 0:
		return 0
	case 1:
		return float64(r.IntN(2001) - 1000)
	case 2:
		return math.MaxFloat64 * (r.Float64()*2 - 1)
	case 3:
		return math.SmallestNonzeroFloat64 * float64(r.IntN(9)-4)
	}
	for {
		if v := math.Float64frombits(r.Uint64()); v-v == 0 {
			return v
		}
	}
}

func rat(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// terms adds a number, a product and a square to sums, and to the rational numbers they should be.
type terms struct {
	sums  [3]ExactSum
	wants [3]big.Rat
}

func (t *terms) add(v, w float64) {
	t.sums[0].Add(v)
	t.sums[1].AddProduct(v, w)
	t.sums[2].AddSquare(v, w)
	product := new(big.Rat).Mul(rat(v), rat(w))
	t.wants[0].Add(&t.wants[0], rat(v))
	t.wants[1].Add(&t.wants[1], product)
	t.wants[2].Add(&t.wants[2], product.Mul(product, rat(v)))
}

func (t *terms) check(test *testing.T) {
	test.Helper()
	for i := range t.sums {
		if got := t.sums[i].Rat(); got.Cmp(&t.wants[i]) != 0 {
			test.Fatalf("sum %d is %v, want %v", i, got.FloatString(5), t.wants[i].FloatString(5))
		}
	}
}

// Sums have every bit of their terms, also where these cancel.
func TestExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		var all terms
		for range 1 + r.IntN(40) {
			v, w := draw(r), draw(r)
			all.add(v, w)
			if r.IntN(3) == 0 {
				all.add(-v, w)
			}
		}
		all.check(t)
	}
}

// A sum over divided terms is the same in any order and division, after encoding too; limbs that are full are normalised.
func TestDivided(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	values := make([]float64, 500)
	var all ExactSum
	for i := range values {
		values[i] = draw(r)
		all.Add(values[i])
	}
	want := all.Rat()
	for _, parts := range []int{1, 2, 7, 100} {
		rand.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
		var sum ExactSum
		for part := range slices.Chunk(values, (len(values)+parts-1)/parts) {
			var one, decoded ExactSum
			for _, v := range part {
				one.added = max(one.added, most-3)
				one.Add(v)
			}
			text := testenv.Must(one.MarshalBinary())
			testenv.OK(t, decoded.UnmarshalBinary(text))
			sum.Merge(&decoded)
		}
		if got := sum.Rat(); got.Cmp(want) != 0 {
			t.Errorf("%d parts: %v, want %v", parts, got, want)
		}
	}
	if v := all.Float64(); v != all.Float64() {
		t.Error(v)
	}
}

// Numbers that are not finite cannot be added, and other bytes are no sum.
func TestRefused(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v was added", v)
				}
			}()
			new(ExactSum).Add(v)
		}()
	}
	var s ExactSum
	for _, text := range []string{"", "\xff", "\x00\xff", "\xff\xff\xff\xff\x0f", "\x00\xff\xff\xff\xff\xff\xff\xff\xff\x01"} {
		if s.UnmarshalBinary([]byte(text)) == nil {
			t.Errorf("%q is a sum", text)
		}
	}
	testenv.FailsWith(t, s.UnmarshalBinary(make([]byte, 2*maxLimbs)), "", "too many limbs")
}

func BenchmarkAdd(b *testing.B) {
	values := make([]float64, 1024)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range values {
		values[i] = r.NormFloat64()
	}
	var s, squares ExactSum
	i := 0
	for b.Loop() {
		v := values[i%1024]
		s.Add(v)
		squares.AddSquare(v, 1)
		i++
	}
}
