package table

import "slices"

// Marks is what a Reader has seen of the decimal marks of its columns. Of a table that is read in parts, the marks of all parts
// together say which columns have decimal commas. They can be encoded by encoding/json and encoding/gob. The zero value is of no rows.
type Marks struct {
	Names    []string  // [K], of the columns
	Decimals []Decimal // [K]
}

// Add returns the marks of the rows of both, which are of the same schema.
func (m Marks) Add(o Marks) Marks {
	if m.Names == nil {
		return o
	}
	sum := Marks{m.Names, slices.Clone(m.Decimals)}
	for i, d := range o.Decimals {
		sum.Decimals[i].add(d)
	}
	return sum
}

// Commas returns the columns whose numbers have decimal commas. A column with points as well, or with commas that may
// separate thousands, is an *Error.
func (m Marks) Commas() ([]string, error) { return WithCommas(m.Names, m.Decimals) }
