package shapley

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// TestTable: a cell for each name; the values sum to the prediction, and beyond twelve columns have
// standard errors.
func TestTable(t *testing.T) {
	all, mixed := models(t)
	wide, numbers := numbers(t, 14, 3)
	narrow := attributor(t, all["gaussian"], mixed)
	if got := strings.Join(narrow.TableColumns(), " "); got != "shap_background shap_sex shap_size shap_length shap_weight shap_height shap_age" {
		t.Errorf("columns %s", got)
	}
	sampled := attributor(t, wide, numbers)
	if names := sampled.TableColumns(); len(names) != 1+14+14 || names[15] != "shap_error_a" {
		t.Errorf("columns %q", names)
	}
	for _, c := range []struct {
		a *Attributor
		x [][]float64
	}{{narrow, mixed.X[:3]}, {sampled, numbers.X[:3]}} {
		cells, err := c.a.TableCells(context.Background(), c.x)
		if err != nil {
			t.Fatal(err)
		}
		for n, e := range attributed(t, c.a, c.x) {
			want := []float64{e.Mean}
			for i, v := range e.Values {
				if !c.a.model.Schema.Columns[i].Unused {
					want = append(want, v)
				}
			}
			if want = append(want, e.Errors...); !slices.Equal(cells[n], want) || len(want) != len(c.a.TableColumns()) {
				t.Errorf("row %d: %v, want %v", n, cells[n], want)
			}
		}
	}
}
