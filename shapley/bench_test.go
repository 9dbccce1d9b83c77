package shapley

import (
	"fmt"
	"testing"
)

// BenchmarkAttribute attributes a thousand rows of ten columns to 32 rules.
func BenchmarkAttribute(b *testing.B) {
	for _, columns := range []int{8, 10, 12, 20} {
		b.Run(fmt.Sprintf("columns=%d", columns), func(b *testing.B) {
			m, d := numbers(b, columns, 32)
			a, err := New(m, d, 1)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := a.Attribute(d.X); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
