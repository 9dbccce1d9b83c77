package table

import "slices"

// found is what the rows of a piece decided about a column whose encoding or levels were not given.
type Finding struct {
	Encoding Encoding // empty: no row has a value
	Opened   string   // see column
	First    *Error
	Levels   []string
	Places   []*Error
	Decimal  Decimal
}

// foundIn returns what the rows read so far decided.
func FoundIn(columns []*Coder) (all []Finding) {
	for _, c := range columns {
		f := Finding{Decimal: c.decimal}
		if !c.Closed {
			f.Encoding, f.Opened, f.First, f.Levels, f.Places = c.Encoding, c.opened, c.first, c.Levels, c.places
		}
		all = append(all, f)
	}
	return all
}

// learn adds to the columns of a table what a later piece of it decided. It returns the number that each level of the piece has in the
// table, [K][L]; nil where all numbers are the same. Two pieces that contradict one another are the error that the table is.
func Learn(columns []*Coder, piece []Finding) (numbers [][]int, err error) {
	numbers = make([][]int, len(columns))
	for k, c := range columns {
		f := piece[k]
		c.decimal.follow(f.Decimal)
		if c.Closed || f.Encoding == "" {
			continue
		}
		if c.Encoding == "" {
			c.code(f.Encoding, nil)
			c.first, c.opened = f.First, f.Opened
		}
		switch {
		case c.Encoding == Numeric && f.Encoding != Numeric:
			return nil, f.First
		case c.Encoding != Numeric && f.Encoding == Numeric:
			return nil, c.noCategory(f.Opened)
		}
		if numbers[k], err = c.learn(f); err != nil {
			return nil, err
		}
	}
	return numbers, nil
}

// learn adds levels, and returns their numbers.
func (c *Coder) learn(f Finding) (numbers []int, err error) {
	same := true
	for i, level := range f.Levels {
		n, known := c.number[level]
		if !known {
			if full := c.full(); full != "" {
				fault := *f.Places[i]
				fault.Message = full
				return nil, &fault
			}
			n = len(c.Levels)
			c.Levels, c.places = append(c.Levels, level), append(c.places, f.Places[i])
			c.number[level] = n
		}
		same = same && n == i
		numbers = append(numbers, n)
	}
	if same {
		return nil, nil
	}
	return numbers, nil
}

// teach tells columns that are to be read what all rows of the table decide, so that their levels have the numbers of the table.
func Teach(columns []*Coder, content []Finding) {
	for k, c := range columns {
		f := content[k]
		if c.Closed || f.Encoding == "" {
			continue
		}
		c.code(f.Encoding, nil)
		c.first, c.opened = f.First, f.Opened
		c.Levels, c.places = slices.Clone(f.Levels), slices.Clone(f.Places)
		for i, level := range c.Levels {
			c.number[level] = i
		}
	}
}
