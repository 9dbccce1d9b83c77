package study

import (
	"context"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/realdata"
)

// BenchmarkStudy runs one of the study's 30 repeats of the MBGD algorithms on the ten data
// sets with both shapes:
//
//	TSKGRAPH_DATA=dir go test -run '^$' -bench Study -benchtime 1x ./study
func BenchmarkStudy(b *testing.B) {
	algorithms, err := FindAlgorithms([]string{VariantR0, VariantPruning, VariantR})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s := Plan{
			Dir: realdata.Dir(b), Sets: Sets(), Algorithms: algorithms, Memberships: []string{"gaussian", "trapezoid"},
			Repeats: 1, Seed: 1, Store: b.TempDir(),
		}
		if _, err := s.Run(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
