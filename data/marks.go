package data

import (
	"encoding/json"
	"slices"
)

// Marks is what a Reader has seen of the decimal marks of its columns. Of a table that is read in parts, the marks of all parts
// together say which columns have decimal commas. They may be sent as JSON. The zero value is of no rows.
type Marks struct {
	names    []string // of the columns
	decimals []decimal
}

// Add returns the marks of the rows of both, which are of the same schema.
func (m Marks) Add(o Marks) Marks {
	if m.names == nil {
		return o
	}
	sum := Marks{m.names, slices.Clone(m.decimals)}
	for i, d := range o.decimals {
		sum.decimals[i].add(d)
	}
	return sum
}

// Commas returns the columns whose numbers have decimal commas. A column with points as well, or with commas that may
// separate thousands, is an *Error.
func (m Marks) Commas() ([]string, error) { return withCommas(m.names, m.decimals) }

// columnMarks are the marks of a column as JSON.
type columnMarks struct {
	Name                                string
	Point, Points, Comma, Commas, Small *Error `json:",omitempty"`
}

// MarshalJSON encodes the marks.
func (m Marks) MarshalJSON() ([]byte, error) {
	columns := make([]columnMarks, len(m.names))
	for i, d := range m.decimals {
		columns[i] = columnMarks{m.names[i], d.point, d.points, d.comma, d.commas, d.small}
	}
	return json.Marshal(columns)
}

// UnmarshalJSON decodes what MarshalJSON encoded.
func (m *Marks) UnmarshalJSON(text []byte) error {
	var columns []columnMarks
	if err := json.Unmarshal(text, &columns); err != nil {
		return err
	}
	*m = Marks{}
	for _, c := range columns {
		m.names, m.decimals = append(m.names, c.Name), append(m.decimals, decimal{c.Point, c.Points, c.Comma, c.Commas, c.Small})
	}
	return nil
}
