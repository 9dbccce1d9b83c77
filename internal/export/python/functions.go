package python

import (
	"fmt"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/model"
)

// predict is the public function: its type, what it returns, and the value.
const predict = `

def predict(columns: Mapping[str, Any]) -> %s:
    """Predict for rows of a table.

    columns maps the name of each column of COLUMNS to its values [N]: a list, an array or a
    pandas Series; a DataFrame is such a mapping. None, NaN, NA and an empty text are missing
    values.

    Returns %s.

    Raises KeyError if a column is absent, ValueError if columns differ in length, and TypeError
    for values of another kind.
    """
    return %s
`

// added returns the cells that the filter adds to rows.
const added = `

def _added(y):
    return %s
`

const ofClasses = `

def predict_proba(columns: Mapping[str, Any]) -> Dict[str, np.ndarray]:
    """Predict the probabilities [N] of each class; NaN for a row with a number that is infinite or too far away."""
    return dict(zip(OUTPUTS, _predict(columns)))


def _classes(y):
    classes = np.array(OUTPUTS, dtype=object)[y.argmax(axis=0)]
    classes[np.isnan(y[0])] = None
    return classes
`

// functions returns the functions that depend on what is predicted.
func functions(f *export.Form) string {
	const each, infinite = "dict(zip(OUTPUTS, _predict(columns)))", "NaN for a row with a number that is infinite or too far away"
	switch {
	case f.Kind == export.Classes:
		return fmt.Sprintf(predict, "np.ndarray", "the most probable classes [N]; None for a row with a number that is infinite or too far away", "_classes(_predict(columns))") + ofClasses +
			fmt.Sprintf(added, "[[name, *p] for name, p in zip(_classes(y), y.T.tolist())]")
	case f.Kind == export.Quantiles && len(model.PredictedColumns(f.Model)) > len(f.Outputs):
		return fmt.Sprintf(predict, "Dict[float, np.ndarray]", "the predictions [N] by level; "+infinite, each) + fmt.Sprintf(added, fmt.Sprintf("y[[%d, *range(len(y))]].T.tolist()", f.Median()))
	case f.Kind == export.Quantiles:
		return fmt.Sprintf(predict, "Dict[float, np.ndarray]", "the predictions [N] by level; "+infinite, each) + fmt.Sprintf(added, "y.T.tolist()")
	case len(f.Outputs) > 1:
		return fmt.Sprintf(predict, "Dict[str, np.ndarray]", "the predictions [N] by target; "+infinite, each) + fmt.Sprintf(added, "y.T.tolist()")
	}
	return fmt.Sprintf(predict, "np.ndarray", "the predictions [N]; "+infinite, "_predict(columns)[0]") + fmt.Sprintf(added, "y.T.tolist()")
}
