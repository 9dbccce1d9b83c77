package fit

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/wholetest"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
)

// numbered returns a part of n samples of one feature, the number of the sample, whose target is twice the feature and whose
// weights are 1 and 3 in turn.
func numbered(n int) *data.Dataset {
	d := &data.Dataset{Schema: data.Schema{Columns: []data.Column{{Name: "x", Encoding: data.Numeric}}, Target: "y", Weight: "w"}}
	for i := range n {
		d.X, d.Y, d.Weights = append(d.X, []float64{float64(i)}), append(d.Y, float64(2*i)), append(d.Weights, float64(1+2*(i%2)))
	}
	return d
}

// TestSamplesOfALargePartAreThinnedForClusters: clusters of a sample are those of some of its rows at random, those of a
// whole part of all.
func TestSamplesOfALargePartAreThinnedForClusters(t *testing.T) {
	all := numbered(clusterRows + 5000)
	sample := wholetest.Sample(all, slices.Collect(func(yield func(int) bool) {
		for n := range all.Len() - 10 {
			if !yield(n) {
				return
			}
		}
	}), 2)
	r := recipe.Robust()
	for _, c := range []struct {
		name    string
		d       *data.Dataset
		R, want int
	}{
		{"all rows", all, 8, all.Len()},
		{"a sample", sample, 8, clusterRows},
		{"a sample, many rules", sample, 110, 110 * rowsPerCluster},
		{"a sample, more rules than it has rows for", sample, 1000, sample.Len()},
	} {
		rows := make([]int, c.d.Len()-3)
		for i := range rows {
			rows[i] = i
		}
		for _, subset := range []bool{false, true} {
			weighed, err := c.d.Weighed()
			if err != nil {
				t.Fatal(err)
			}
			set, err := Prepare(t.Context(), weighed, r)
			want := c.want
			if subset {
				set, err = PrepareSubset(t.Context(), c.d, rows, r)
				want = min(want, len(rows))
			}
			if err != nil {
				t.Fatal(err)
			}
			s := set.clustered(c.R, rand.New(rand.NewPCG(1, 1)))
			if len(s.X) != want || len(s.Y) != want || len(s.Weight) != want || s.Drawn != (c.d == sample) {
				t.Fatalf("%s: %d samples, %d targets, %d weights, drawn %v; want %d", c.name, len(s.X), len(s.Y), len(s.Weight), s.Drawn, want)
			}
			total := 0.0
			for i, w := range s.Weight {
				total += w
				if f := set.prep.Features[0]; math.Abs(f.Unscaled(s.X[i][0])-(set.prep.Target.Mean+s.Y[i]*set.prep.Target.Scaling())/2) > 1e-6 {
					t.Fatalf("%s: sample %d has the target of another", c.name, i)
				}
				if i > 0 && !(s.X[i][0] > s.X[i-1][0]) {
					t.Fatalf("%s: sample %d is drawn twice or out of order", c.name, i)
				}
			}
			if math.Abs(total/float64(want)-1) > 1e-9 {
				t.Errorf("%s: the mean weight is %v", c.name, total/float64(want))
			}
		}
	}
}

// TestCheckMemory: rules over more inputs than there is memory for are refused in words.
func TestCheckMemory(t *testing.T) {
	if err := checkMemory(300, 100, 1<<30); err != nil {
		t.Error(err)
	}
	err := checkMemory(32, 99_999, 4<<30)
	if err == nil || !strings.Contains(err.Error(),
		"32 rules over 99999 inputs take about 7.7 GB of memory to train, of 4.3 GB here: take fewer rules") {
		t.Error(err)
	}
}
