package shapley

import (
	"context"
	"fmt"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// BenchmarkAttribute attributes a thousand rows of ten columns to 32 rules.
func BenchmarkAttribute(b *testing.B) {
	for _, columns := range []int{8, 10, 12, 20} {
		m, d := numbers(b, columns, 32)
		b.Run(fmt.Sprintf("columns=%d", columns), func(b *testing.B) { benchmarkAttribute(b, m, d) })
	}
	m, d := numbers(b, 10, 32)
	bend(b, m, d, true)
	b.Run("columns=10, own curves", func(b *testing.B) { benchmarkAttribute(b, m, d) })
}

func benchmarkAttribute(b *testing.B, m *model.Model, d *data.Dataset) {
	a, err := New(m, d, 1)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := a.Attribute(context.Background(), d.X); err != nil {
			b.Fatal(err)
		}
	}
}
