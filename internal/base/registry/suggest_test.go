package registry

import (
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"same", "same", 0}} {
		testenv.Equal(t, distance(test.a, test.b), test.want, "distance(%q, %q)", test.a, test.b)
	}
}

func TestClosest(t *testing.T) {
	known := []string{"train.iterations", "train.batch", "data.path"}
	for name, want := range map[string]string{
		"train.iteration": "train.iterations", "Train.Batch": "train.batch", "data.pth": "data.path", "zebra": "", "": "",
	} {
		testenv.Equal(t, Closest(name, known), want, "Closest(%q)", name)
	}
}
