package words_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

func TestQuarters(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   string
	}{
		{[]float64{4, 3, 2, 1}, "from 1 to 1:[3] from 2 to 2:[2] from 3 to 3:[1] from 4 to 4:[0]"},
		{[]float64{0, 0, 0, 5, 0, 7}, "from 0 to 0:[0 1 2 4] from 5 to 5:[3] from 7 to 7:[5]"},
		{[]float64{1, 1}, "from 1 to 1:[0 1]"},
		{[]float64{2}, "from 2 to 2:[0]"},
	} {
		var got []string
		for _, g := range words.Quarters(c.values) {
			got = append(got, fmt.Sprintf("%s:%v", g.Name, g.Rows))
		}
		testenv.Equal(t, strings.Join(got, " "), c.want, "%v", c.values)
	}
}
