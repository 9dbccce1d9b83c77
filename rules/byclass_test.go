package rules

import (
	"reflect"
	"slices"
	"testing"
)

// TestKMeansByClass checks that a rare class inside another has clusters of its own, which k-means on all
// samples does not give it, that clusters are divided by the weights of the classes, and that two classes
// are the same in one column as in two.
func TestKMeansByClass(t *testing.T) {
	r := rng(9)
	var x [][]float64
	var one, two []float64
	for n := range 200 {
		rare := n%20 == 0
		row := []float64{r.NormFloat64(), 3 * r.NormFloat64()}
		if rare {
			row[0], row[1] = 0.5+0.01*r.NormFloat64(), 0.5+0.01*r.NormFloat64()
		}
		x = append(x, row)
		if rare {
			one, two = append(one, 1), append(two, 0, 1)
		} else {
			one, two = append(one, 0), append(two, 1, 0)
		}
	}
	c := must(KMeansByClass(t.Context(), Samples{X: x, Y: one}, 6, rng(1)))
	near := func(center []float64) bool { return squaredDistance(center, []float64{0.5, 0.5}) < 0.001 }
	at := slices.IndexFunc(c.Centers, near)
	if at < 0 || c.Targets[at] < 0.25 { // 0.05 of all samples
		t.Fatalf("centers %v, targets %v: none of the rare class", c.Centers, c.Targets)
	}
	if k := must(KMeans(t.Context(), Samples{X: x, Y: one}, 6, rng(1))); slices.ContainsFunc(k.Centers, near) {
		t.Fatal("the test proves nothing: k-means finds the rare class, too")
	}
	d := must(KMeansByClass(t.Context(), Samples{X: x, Y: two}, 6, rng(1)))
	if !reflect.DeepEqual(c.Centers, d.Centers) || d.Outputs() != 2 || d.Targets[2*at+1] != c.Targets[at] {
		t.Errorf("one column: %+v; two: %+v", c, d)
	}
	weight := slices.Repeat([]float64{0.5}, 200)
	for n := 0; n < 200; n += 20 {
		weight[n] = 10.5 // half of the weight
	}
	rare := 0
	for _, center := range must(KMeansByClass(t.Context(), Samples{X: x, Y: one, Weight: weight}, 6, rng(1))).Centers {
		if squaredDistance(center, []float64{0.5, 0.5}) < 0.1 {
			rare++
		}
	}
	if rare < 3 {
		t.Errorf("%d of 6 centers are in the class with half of the weight", rare)
	}
	few := must(KMeansByClass(t.Context(), Samples{X: x, Y: two}, 1, rng(1)))
	if want := must(KMeans(t.Context(), Samples{X: x, Y: two}, 1, rng(1))); !reflect.DeepEqual(few, want) {
		t.Errorf("fewer clusters than classes: %+v, k-means %+v", few, want)
	}
}

func TestShares(t *testing.T) {
	for _, c := range []struct {
		sizes []float64
		R     int
		want  []int
	}{{[]float64{1, 1, 1}, 3, []int{1, 1, 1}}, {[]float64{100, 1, 50}, 10, []int{6, 1, 3}}, {[]float64{5}, 4, []int{4}}} {
		if got := shares(c.sizes, c.R); !slices.Equal(got, c.want) {
			t.Errorf("%v in %d: %v, want %v", c.sizes, c.R, got, c.want)
		}
	}
}
