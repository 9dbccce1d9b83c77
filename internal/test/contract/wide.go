package contract

import (
	"fmt"
	"strings"
)

// TenThousandFeatures checks that M = 10,000 can be learned, with every sample covered by
// a rule and every prediction finite, or is refused by an estimator that is not Wide, with
// an error that names the number of features.
func TenThousandFeatures(e Estimator) error {
	const M = 10_000
	names := make([]string, M)
	for m := range names {
		names[m] = fmt.Sprintf("x%d", m)
	}
	d := made(names, 12, func(x []float64) float64 { return x[0] })
	m, err := e.Fit(d, 0)
	if err != nil {
		if !e.Wide && declined(err, "model.membership", "model.init", "model.consequents") && strings.Contains(err.Error(), "10000") {
			return nil
		}
		return err
	}
	if _, err := values(m, d.X); err != nil {
		return err
	}
	p, err := m.Predict(d.X)
	if err == nil && p.Uncovered > 0 {
		err = fmt.Errorf("%d of %d samples are uncovered, without an error", p.Uncovered, len(d.X))
	}
	return err
}
