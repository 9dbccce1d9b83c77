package c_test

import (
	"testing"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/model"
)

// floatTolerance is the largest difference of numbers of 32 bits to a prediction, as a share of the
// target's range.
const floatTolerance = 1e-4

func TestFloat(t *testing.T) {
	exporttest.Each(t, func(t *testing.T, _ exporttest.Case, _ *model.Model, table *exporttest.Table) {
		source := write(t, table.Form, export.Options{Float: true})
		program := compile(t, "-O2", "-DTSK_MAIN", source)
		table.Compare(t, predictions(t, program, table), floatTolerance)
	})
}
