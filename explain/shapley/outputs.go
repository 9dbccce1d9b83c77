package shapley

import (
	"context"

	"github.com/tskgraph/tskgraph/model"
)

var _ model.Explainer = Outputs(nil)

// Outputs attributes several outputs of the same samples, as the outputs of a model with a
// [model.Response].
type Outputs []Output

// Output is an output with its name in tables.
type Output struct {
	Name string
	*Attributor
}

// TableColumns returns the names of the columns of each output, see [Attributor.TableColumns],
// with _NAME appended.
func (o Outputs) TableColumns() []string {
	var names []string
	for _, one := range o {
		for _, name := range one.Attributor.TableColumns() {
			names = append(names, name+"_"+one.Name)
		}
	}
	return names
}

// TableCells returns the cells of each output, see [Attributor.TableCells].
func (o Outputs) TableCells(ctx context.Context, x [][]float64) ([][]float64, error) {
	cells := make([][]float64, len(x))
	for _, one := range o {
		more, err := one.Attributor.TableCells(ctx, x)
		if err != nil {
			return nil, err
		}
		for n := range cells {
			cells[n] = append(cells[n], more[n]...)
		}
	}
	return cells, nil
}
