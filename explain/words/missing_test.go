package words

import (
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/model"
)

// TestMissingValues: words say what a missing cell counts as if training had filled them, and of a category that conditions
// on it may hold all the same.
func TestMissingValues(t *testing.T) {
	numeric := data.Column{Name: "age", Encoding: data.Numeric}
	category := data.Column{Name: "deck", Encoding: data.OneHot, Levels: []string{"C", "G"}}
	unused := category
	unused.Unused = true
	for _, c := range []struct {
		columns []data.Column
		filled  bool
		want    []string
	}{
		{[]data.Column{numeric, category}, false, nil},
		{[]data.Column{numeric, unused}, true, []string{"missing value"}},
		{[]data.Column{numeric, category}, true, []string{"missing value", "missing category"}},
	} {
		m := &model.Model{Preprocessing: model.Preprocessing{Schema: data.Schema{Columns: c.columns}, ImputeMeans: c.filled}}
		text := missingValues(m)
		if strings.Count(text, "A missing") != len(c.want) {
			t.Errorf("%+v: %q", c, text)
		}
		for _, part := range c.want {
			if !strings.Contains(text, part) {
				t.Errorf("%+v: %q lacks %q", c, text, part)
			}
		}
	}
}
