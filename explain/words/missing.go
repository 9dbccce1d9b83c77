package words

import (
	"slices"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// missingValues says what missing values count as in a model that was trained on means in their place; empty for another.
func missingValues(m *model.Model) string {
	if !m.ImputeMeans {
		return ""
	}
	text := "A missing value counts as the training mean of its column.\n"
	if slices.ContainsFunc(m.Schema.Columns, func(c data.Column) bool { return c.Encoding == data.OneHot && !c.Unused }) {
		text += `A missing category counts as all levels at once, by their training shares: a condition on a category may hold for rows
without it.
`
	}
	return text
}
