package data

import (
	"errors"
	"github.com/tskgraph/tskgraph/data/table"
	"math"
	"strings"
	"testing"
)

// A Dataset made by hand that training could stumble over is an *Error.
func TestValidate(t *testing.T) {
	sound := func() *Dataset {
		return &Dataset{
			Schema: table.Schema{Columns: []table.Column{{Name: "a", Encoding: table.Numeric}, {Name: "c", Encoding: table.OneHot, Levels: []string{"u", "v"}}}, Target: "y"},
			X:      [][]float64{{1, 0, 1}, {2, 1, 0}}, Y: []float64{1, 2},
		}
	}
	for want, break_ := range map[string]func(*Dataset){
		"":                                          func(d *Dataset) {},
		"no columns":                                func(d *Dataset) { d.Schema.Columns = nil },
		"target: the name is empty":                 func(d *Dataset) { d.Schema.Target = "" },
		"0 rows of x and 0 of y":                    func(d *Dataset) { d.X, d.Y = nil, nil },
		"2 rows of x and 1 of y":                    func(d *Dataset) { d.Y = d.Y[:1] },
		"row 2 has 2 values, want 3":                func(d *Dataset) { d.X[1] = d.X[1][:2] },
		`row 1, "c=u": NaN is not finite`:           func(d *Dataset) { d.X[0][1] = math.NaN() },
		`row 1, "a": +Inf is not finite`:            func(d *Dataset) { d.X[0][0], d.Missing.Policy = math.Inf(1), "mean" },
		`row 2, "y": NaN is not finite`:             func(d *Dataset) { d.Y[1], d.Missing.Policy = math.NaN(), "mean" },
		"1 groups for 2 rows":                       func(d *Dataset) { d.Groups = []int{1} },
		"1 row numbers for 2 rows":                  func(d *Dataset) { d.Rows = []int{1} },
		"groups cannot be combined with samples in": func(d *Dataset) { d.Groups, d.Ordered = []int{1, 1}, true },
		"3 weights for 2 rows":                      func(d *Dataset) { d.Weights = []float64{1, 1, 1} },
		"row 2: the weight -1":                      func(d *Dataset) { d.Weights = []float64{1, -1} },
		"the sum of the sample weights is 0":        func(d *Dataset) { d.Weights = []float64{0, 0} },
	} {
		d := sound()
		break_(d)
		err := d.Validate()
		if want == "" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, new(*table.Error)) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	d := sound()
	if d.X[0][0], d.Missing.Policy = math.NaN(), "mean"; d.Validate() != nil {
		t.Errorf("a missing cell: %v", d.Validate())
	}
}
