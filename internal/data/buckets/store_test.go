package buckets

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// kinds draw a value as the columns of tables hold them.
var kinds = []func(*rand.Rand) float64{
	func(*rand.Rand) float64 { return math.Copysign(0, -1) },
	func(r *rand.Rand) float64 { return float64(r.IntN(2)) },
	func(r *rand.Rand) float64 { return float64(r.IntN(3000)-1500) / 10 },
	func(r *rand.Rand) float64 { return float64(r.Int32()-1<<30) / 1e6 },
	func(r *rand.Rand) float64 { return float64(r.Int64()) },
	func(r *rand.Rand) float64 { return float64(float32(r.NormFloat64())) },
	func(r *rand.Rand) float64 { return r.NormFloat64() },
	func(r *rand.Rand) float64 { return math.Float64frombits(r.Uint64()) },
	func(r *rand.Rand) float64 {
		return [...]float64{math.Inf(1), math.MaxInt32, math.MinInt32, 127, -128, 0, math.Copysign(0, -1), math.SmallestNonzeroFloat64, 1e-15, math.NaN()}[r.IntN(10)]
	},
}

// table is rows, and the bucket of each.
type table struct {
	columns, buckets int
	rows             []float64
	bucket           []int
}

// draw returns a table of n rows whose columns are of all kinds, with missing values.
func draw(seed uint64, n, columns, buckets int) *table {
	r := rand.New(rand.NewPCG(seed, 0))
	t := &table{columns: columns, buckets: buckets, rows: make([]float64, n*columns), bucket: make([]int, n)}
	for k := range columns {
		kind, gaps := kinds[r.IntN(len(kinds))], r.IntN(2)*r.IntN(4)
		for i := range n {
			if t.rows[i*columns+k] = kind(r); r.IntN(10) < gaps {
				t.rows[i*columns+k] = math.NaN()
			}
		}
	}
	for i := range t.bucket {
		t.bucket[i] = r.IntN(buckets)
	}
	return t
}

// store adds the table to a new store.
func (t *table) store(tb testing.TB, memory int64, dir string) (*Store, error) {
	s, err := New(Options{Columns: t.columns, Buckets: t.buckets, Memory: memory, Dir: dir})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	for i, b := range t.bucket {
		if err := s.Add(b, t.rows[i*t.columns:(i+1)*t.columns]); err != nil {
			return s, err
		}
	}
	return s, s.Finish()
}

// of returns the rows of a bucket.
func (t *table) of(bucket int) (rows []float64) {
	for i, b := range t.bucket {
		if b == bucket {
			rows = append(rows, t.rows[i*t.columns:(i+1)*t.columns]...)
		}
	}
	return rows
}

// same reports whether values are equal to the last bit.
func same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) })
}

// TestStore checks that all rows are read as they were added, in memory and from the
// scratch file, by several goroutines, and that nothing depends on the limit.
func TestStore(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		tab := draw(rapid.Uint64().Draw(rt, "seed"), rapid.IntRange(0, 3000).Draw(rt, "rows"), rapid.IntRange(1, 12).Draw(rt, "columns"), rapid.IntRange(1, 9).Draw(rt, "buckets"))
		inMemory, err := tab.store(t, 1<<30, dir)
		if err != nil {
			rt.Fatal(err)
		}
		onDisk, err := tab.store(t, 1, dir)
		if err != nil {
			rt.Fatal(err)
		}
		if inMemory.OnDisk() || inMemory.Sum() != onDisk.Sum() || inMemory.Bytes() != onDisk.Bytes() {
			rt.Fatalf("on disk: %v; %s and %s, %d and %d bytes", inMemory.OnDisk(), inMemory.Sum(), onDisk.Sum(), inMemory.Bytes(), onDisk.Bytes())
		}
		for _, s := range []*Store{inMemory, onDisk} {
			var all sync.WaitGroup
			for b := range tab.buckets {
				all.Go(func() {
					want := tab.of(b)
					got, err := s.Read(b, make([]float64, 5, 100))
					if err != nil || !same(got, want) || s.Rows(b) != len(want)/tab.columns {
						rt.Errorf("bucket %d: %v, %d rows: got %v, want %v", b, err, s.Rows(b), got, want)
					}
				})
			}
			all.Wait()
		}
	})
}
