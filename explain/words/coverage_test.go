package words_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
)

func TestQuarters(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   string
	}{
		{[]float64{4, 3, 2, 1}, "1:[3] 2:[2] 3:[1] 4:[0]"},
		{[]float64{0, 0, 0, 5, 0, 7}, "0:[0 1 2 4] 5:[3] 7:[5]"},
		{[]float64{1, 1}, "1:[0 1]"},
		{[]float64{2}, "2:[0]"},
	} {
		var got []string
		for _, g := range words.ByTarget(&data.Dataset{Y: c.values}, 0) {
			got = append(got, fmt.Sprintf("%s:%v", g.Name, g.Rows))
		}
		testenv.Equal(t, strings.Join(got, " "), c.want, "%v", c.values)
	}
}

// TestIntervalInWords: groups that are covered less are named, and distances by rule are rounded up.
func TestIntervalInWords(t *testing.T) {
	near, far := 0.1234, 41200.0
	i := words.Interval{Level: 0.9, Rules: []model.RuleCalibration{{Samples: 12, Within: &near}, {Samples: 3}, {Samples: 9, Within: &far}},
		Groups: []words.Coverage{{Of: "rule", Group: "2", Samples: 40, Coverage: 0.725, Low: true}, {Of: "day", Group: "workday", Samples: 70},
			{Of: "hour", Group: "from 7 to 13", Samples: 68, Coverage: 0.75, Low: true}}}
	testenv.Equal(t, i.Remark(), "covered less than the level says, by more than three standard errors: rule 2 (72.5% of 40 rows), "+
		"hour from 7 to 13 (75.0% of 68 rows)", "remark")
	testenv.Equal(t, i.ByRule(), "Of new rows that a rule decides, 9 in 10 targets lie near the prediction, by the calibration rows that it "+
		"decides: rule 1 within 0.13 (12 rows), rule 3 within 42000 (9 rows)", "by rule")
	testenv.Equal(t, i.Groups[1].Name(), "day is workday", "category")
	i.Groups = nil
	for k := range 9 {
		i.Groups = append(i.Groups, words.Coverage{Of: "rule", Group: fmt.Sprint(k + 1), Samples: 40, Coverage: 0.7,
			SE: 0.01 * float64(1+k), Low: k < 7})
	}
	i.Groups[6].Coverage = 0
	testenv.Equal(t, i.Remark(), "covered less than the level says, by more than three standard errors: rule 1 (70.0% of 40 rows), "+
		"rule 7 (0.0% of 40 rows), rule 2 (70.0% of 40 rows), rule 3 (70.0% of 40 rows), "+
		"rule 4 (70.0% of 40 rows), and 2 of 9 groups more", "the worst")
	testenv.Equal(t, words.Interval{}.Remark()+words.Interval{}.ByRule(), "", "nothing to say")
}
