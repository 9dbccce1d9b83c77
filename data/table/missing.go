package table

import "cmp"

// Missing counts the missing cells of a source, in features, target and weight, and the cells of unknown categories
// over which Lenient reading continues.
type Missing struct {
	Policy  string         `json:"policy"`            // error, drop or mean
	Cells   int            `json:"cells"`             // missing cells read
	Dropped int            `json:"dropped"`           // rows left out for them
	Imputed int            `json:"imputed"`           // cells of the rows kept, to be filled by the training mean
	Columns map[string]int `json:"columns,omitempty"` // missing cells by column; nil when there are none

	Unknown map[string]int `json:"unknown,omitempty"` // cells that are no level of the schema, by column; nil when there are none
	First   string         `json:"first,omitempty"`   // of Lenient reading: place and text of the first fault ignored
}

// addUnknown counts a cell that is no level of its column. fault describes it.
func (m *Missing) addUnknown(column string, fault func() *Error) {
	if m.First == "" {
		m.First = fault().Error()
	}
	if m.Unknown == nil {
		m.Unknown = map[string]int{}
	}
	m.Unknown[column]++
}

// Add adds the counts of a later part of the same source.
func (m *Missing) Add(later Missing) {
	m.Policy = cmp.Or(m.Policy, later.Policy)
	m.Cells += later.Cells
	m.Dropped += later.Dropped
	m.Imputed += later.Imputed
	m.First = cmp.Or(m.First, later.First)
	for _, sum := range []struct {
		to   *map[string]int
		from map[string]int
	}{{&m.Columns, later.Columns}, {&m.Unknown, later.Unknown}} {
		if *sum.to == nil && len(sum.from) > 0 {
			*sum.to = map[string]int{}
		}
		for name, n := range sum.from {
			(*sum.to)[name] += n
		}
	}
}
