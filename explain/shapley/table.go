package shapley

import (
	"context"

	"github.com/tskgraph/tskgraph/model"
)

var _ model.Explainer = (*Attributor)(nil)

// TableColumns returns the names of the columns of TableCells: shap_background, shap_NAME for
// each column of the schema that the model uses, shap_error_NAME for each if there are more
// than Exact players, and shap_neighbours if the model has neighbours.
func (a *Attributor) TableColumns() []string {
	names, columns := []string{"shap_background"}, a.model.Schema.Columns
	for _, i := range usedColumns(a.model) {
		names = append(names, "shap_"+columns[i].Name)
	}
	if a.Samples() {
		for _, i := range usedColumns(a.model) {
			names = append(names, "shap_error_"+columns[i].Name)
		}
	}
	if a.model.Neighbours != nil {
		names = append(names, "shap_neighbours")
	}
	return names
}

// TableCells returns the mean prediction of the background, the values, their standard errors,
// and the change by neighbours for samples x [N][M], with the errors of [Attributor.Attribute].
func (a *Attributor) TableCells(ctx context.Context, x [][]float64) ([][]float64, error) {
	all, err := a.Attribute(ctx, x)
	if err != nil {
		return nil, err
	}
	cells := make([][]float64, len(x))
	for n, e := range all {
		cells[n] = append(cells[n], e.Mean)
		for _, i := range usedColumns(a.model) {
			cells[n] = append(cells[n], e.Values[i])
		}
		if a.Samples() {
			for _, i := range usedColumns(a.model) {
				v := 0.0 // exact
				if e.Errors != nil {
					v = e.Errors[i]
				}
				cells[n] = append(cells[n], v)
			}
		}
		if a.model.Neighbours != nil {
			cells[n] = append(cells[n], e.Neighbours)
		}
	}
	return cells, nil
}

// usedColumns returns the indices of the columns of the schema that a model uses.
func usedColumns(m *model.Model) []int {
	var used []int
	for i, c := range m.Schema.Columns {
		if !c.Unused {
			used = append(used, i)
		}
	}
	return used
}
