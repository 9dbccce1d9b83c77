// Package page holds pages: TSK models in words, with all the numbers that they compute with, so that a person can
// predict by hand.
//
// The conditions of a page's rules are a partition: of every row exactly one IF part holds, or, between the ends of a
// ramp, several hold in shares that sum to one. With the rules r, their grades g_r(x), and the tables T_t,
//
//	f(x) = sum_r g_r(x) (a_r + sum_k b_{r,k}(x)) + sum_j b_j(x) + sum_t T_t(x)
//
// limited to the range [Low, High]. a_r is what the rule says "about", b are terms, each near zero at the centre of the
// rule's own rows, b_j those of all rules. Where the tables are factors, prod_t T_t(x) multiplies the sum of all else.
package page

// Page is a page. Names of columns and levels are those of the table.
type Page struct {
	Target  string   `json:"target"`
	Unit    string   `json:"unit,omitempty"` // of the target
	Columns []Column `json:"columns"`        // that the page mentions, in the order of the table
	Rules   []Rule   `json:"rules"`
	Terms   []Term   `json:"terms,omitempty"` // of all rules
	Tables  []Table  `json:"tables,omitempty"`
	Class   string   `json:"class,omitempty"`   // whose log odds or score is the value; rules say its share of their rows
	Below   bool     `json:"below,omitempty"`   // the value is a quantile; rules say the share of targets that do not exceed it
	Samples int      `json:"samples,omitempty"` // rows that the page was trained on; 0: unknown
	Sizes   []Size   `json:"sizes,omitempty"`   // that cross-validation compared; nil: unknown, or of several outputs
	Measure string   `json:"measure,omitempty"` // of their errors, such as log loss; empty: RMSE

	// Factors says that the tables are factors, not summands: their entries, which are positive, multiply the sum of what the rules
	// and the terms of all rules say. There is at least one table, and at most one of each column. On a column with a table, a border
	// of a condition is a step at a knot, or lies outside the knots. Terms, and conditions on levels, have no such limits.
	Factors bool `json:"factors,omitempty"`

	Low  float64 `json:"low"` // least and largest value; equal: no limits
	High float64 `json:"high"`

	// Moved is by how much the values differ from those of pages of other samples, see [Again]: the root mean square over the
	// rows of the training part, in standard deviations of the target, or log odds and scores as they are, mean over the samples; 0:
	// unknown.
	Moved float64 `json:"moved,omitempty"`
}

// Size is a size of page that cross-validation compared.
type Size struct {
	Numbers int     `json:"numbers"` // see [Page.Numbers]
	Rules   int     `json:"rules"`
	RMSE    float64 `json:"rmse"` // or the mean of another loss, see [Page.Measure]
	SE      float64 `json:"se"`   // standard error of RMSE
}

// Column is a column that a page mentions.
type Column struct {
	Name   string   `json:"name"`
	Unit   string   `json:"unit,omitempty"`
	Levels []string `json:"levels,omitempty"` // of a category, in order if it has one; nil: numbers

	// Terms and tables take a number below Low as Low, and one above High as High. Conditions take it as it is.
	Low  float64 `json:"low,omitempty"`
	High float64 `json:"high,omitempty"`

	Missing *Fill `json:"missing,omitempty"` // what a missing cell counts as; nil: it has no value

	// Own says that a missing cell of a number is a level, too: [MissingLevel], the only one that conditions, terms and tables may
	// name beside numbers. Where they have numbers, it counts as Missing says.
	Own bool `json:"own,omitempty"`
}

// MissingLevel is the level that a missing cell is, see [Column.Own].
const MissingLevel = "missing"

// Fill is what a missing cell counts as: a number or, in a column of levels, one of them, or none.
type Fill struct {
	Number float64 `json:"number,omitempty"`
	Level  string  `json:"level,omitempty"` // empty: none of the levels
}

// Rule is a rule: where its conditions hold, the value is About plus its terms.
type Rule struct {
	Conditions []Condition `json:"conditions,omitempty"` // none: always
	About      float64     `json:"about"`
	Terms      []Term      `json:"terms,omitempty"` // at most one of a column, except levels of a category

	// What the heading says of the rows of the training part that meet the IF part.
	Rows    int     `json:"rows,omitempty"`
	Mean    float64 `json:"mean"`              // of the target; of a class 0
	Within  float64 `json:"within"`            // the quantile of level 0.9 of the absolute errors; of a class or a quantile 0
	Percent float64 `json:"percent,omitempty"` // see [Page.Class] and [Page.Below]
	Counted bool    `json:"counted,omitempty"` // if Mean, Within and Percent are zero, they are unknown

	Again *Again `json:"again,omitempty"` // nil: unknown
}

// Again says how often a rule is found again when the page is searched in random samples of the training part, of 10,000 rows at most drawn
// with replacement: a rule with conditions on the same sides of the same columns, which has at least three quarters of the rows in
// common with it (of the rows that meet either, those that meet both). Whole groups are drawn where there are some, and hundredths of
// the rows in time order.
type Again struct {
	Samples int `json:"samples"` // drawn
	Found   int `json:"found"`   // of these, the samples in which the rule is found

	// Of each border of the rule's conditions, in their order and Above before AtMost: the range of nine in ten of the places
	// where it was found; nil if the rule was not found.
	Borders [][2]float64 `json:"borders,omitempty"`
}

// Condition is a condition on a column: of a number that it is above a border, at most another one, or both; of a
// category that it is one of some levels, or none of them. A cell that is none of the column's levels is none of them.
type Condition struct {
	Column string   `json:"column"`
	Above  *Border  `json:"above,omitempty"`   // nil: no lower border
	AtMost *Border  `json:"at_most,omitempty"` // nil: no upper border
	Levels []string `json:"levels,omitempty"`
	Not    bool     `json:"not,omitempty"` // none of Levels
}

// Border divides the values x of a column into those at most At and those above it. With From < To it is a ramp: "above"
// holds in proportion, by the grade (x-From)/(To-From) between From and To, 0 below and 1 above, and "at most" by one
// minus this grade. From = At = To is a step.
type Border struct {
	At   float64 `json:"at"`
	From float64 `json:"from"`
	To   float64 `json:"to"`
}

// Term is Slope (u - At) of a number, u being the column's value within its [Low, High] and within [From, To]; of a
// category it is Yes where the cell is Level, else No.
type Term struct {
	Column string   `json:"column"`
	Slope  float64  `json:"slope,omitempty"`
	At     float64  `json:"at,omitempty"`
	From   *float64 `json:"from,omitempty"` // "from V up": u is at least this; nil: no such limit
	To     *float64 `json:"to,omitempty"`   // "up to V": u is at most this; nil: no such limit
	Level  string   `json:"level,omitempty"`
	Yes    float64  `json:"yes,omitempty"`
	No     float64  `json:"no,omitempty"`
}

// Table is a table of one column, added to the value of the rule: of a number its entries [K] at the knots [K], two or
// more, and between them in proportion; of a category its entries [G+1] by groups of levels [G], and for all others.
type Table struct {
	Column  string     `json:"column"`
	Knots   []float64  `json:"knots,omitempty"` // ascending; the first and the last are the column's Low and High, or within them
	Groups  [][]string `json:"groups,omitempty"`
	Entries []float64  `json:"entries"`
}

// Numbers counts the numbers that a person reads to compute with the page: one for a border and two for the ends of its
// ramp, one for a condition on levels, one for About, two for a term, two for an entry of a table.
func (p *Page) Numbers() int {
	n := 2 * len(p.Terms)
	for _, r := range p.Rules {
		n += 1 + 2*len(r.Terms)
		for _, c := range r.Conditions {
			n += c.numbers()
		}
	}
	for _, t := range p.Tables {
		n += 2 * len(t.Entries)
	}
	return n
}

func (c Condition) numbers() int {
	if c.Levels != nil {
		return 1
	}
	n := 0
	for _, b := range []*Border{c.Above, c.AtMost} {
		if b != nil {
			if n++; b.From < b.To {
				n += 2
			}
		}
	}
	return n
}

// Within returns the largest size of at most a number of numbers that cross-validation compared, which has the least error of these; ok is
// false if there is none.
func (p *Page) Within(numbers int) (s Size, ok bool) {
	for _, one := range p.Sizes {
		if one.Numbers <= numbers {
			s, ok = one, true
		}
	}
	return s, ok
}

// Size returns the page's own size among those that cross-validation compared; ok is false if it is none of them.
func (p *Page) Size() (s Size, ok bool) {
	s, ok = p.Within(p.Numbers())
	return s, ok && s.Numbers == p.Numbers() && s.Rules == len(p.Rules)
}
