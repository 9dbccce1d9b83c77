package data

import (
	"math"
	"testing"

	"github.com/tskgraph/tskgraph/internal/data/table"
)

// TestMedoid: the typical row is one of the table, near the others in numbers of any unit and in categories, and complete.
func TestMedoid(t *testing.T) {
	d := &Dataset{Schema: table.Schema{Target: "y", Columns: []table.Column{
		{Name: "km", Encoding: table.Numeric}, {Name: "mm", Encoding: table.Numeric},
		{Name: "kind", Encoding: table.OneHot, Levels: []string{"a", "b", "c"}}}}}
	for i := range 50 {
		v := float64(i%7 - 3)
		d.X = append(d.X, []float64{v, 1e6 * v, 1, 0, 0})
	}
	d.X[0] = []float64{0, math.NaN(), 1, 0, 0}
	d.X[1] = []float64{0, 0, 0, 1, 0}
	d.X[2] = []float64{0, 3e9, 1, 0, 0}
	d.Y = make([]float64, len(d.X))
	if got := d.Medoid(); d.X[got][0] != 0 || d.X[got][1] != 0 || d.X[got][2] != 1 {
		t.Errorf("row %d is typical: %v", got, d.X[got])
	}
}
