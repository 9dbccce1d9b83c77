package buckets

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkStore measures Add, which encodes, and Read, in bytes of float64, for columns
// of one kind and of all that tables have.
func BenchmarkStore(b *testing.B) {
	const columns, rows, many = 20, 1 << 18, 256
	for _, c := range []struct {
		name  string
		value func(r *rand.Rand, k int) float64
	}{
		{"flags", func(r *rand.Rand, _ int) float64 { return kinds[1](r) }},
		{"decimals", func(r *rand.Rand, _ int) float64 { return kinds[3](r) }},
		{"float32", func(r *rand.Rand, _ int) float64 { return kinds[5](r) }},
		{"float64", func(r *rand.Rand, _ int) float64 { return kinds[6](r) }},
		{"mixed", func(r *rand.Rand, k int) float64 { return kinds[1+k%6](r) }},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		t := &table{columns: columns, buckets: many, rows: make([]float64, rows*columns), bucket: make([]int, rows)}
		for i := range t.rows {
			t.rows[i] = c.value(r, i%columns)
		}
		for i := range t.bucket {
			t.bucket[i] = r.IntN(many)
		}
		for where, memory := range map[string]int64{"memory": 1 << 30, "disk": 1} {
			var s *Store
			b.Run("add/"+where+"/"+c.name, func(b *testing.B) {
				b.SetBytes(8 * rows * columns)
				for b.Loop() {
					var err error
					if s, err = t.store(b, memory, b.TempDir()); err != nil {
						b.Fatal(err)
					}
					s.Close()
				}
				b.ReportMetric(float64(s.Bytes())/(rows*columns), "B/value")
			})
			s, err := t.store(b, memory, b.TempDir())
			if err != nil {
				b.Fatal(err)
			}
			b.Run("read/"+where+"/"+c.name, func(b *testing.B) {
				b.SetBytes(8 * rows * columns)
				var into []float64
				for b.Loop() {
					for k := range many {
						if into, err = s.Read(k, into); err != nil {
							b.Fatal(err)
						}
					}
				}
			})
		}
	}
}
