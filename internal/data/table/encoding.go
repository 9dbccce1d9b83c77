package table

import (
	"math"
	"slices"
	"strings"
)

// Encoding says how the cells of a column become features.
type Encoding string

const (
	Numeric Encoding = "numeric" // one feature: the number in the cell
	OneHot  Encoding = "onehot"  // one feature per level: 1 where the cell is that level, else 0
	Ordinal Encoding = "ordinal" // one feature: 1 for the first level, 2 for the second, ...
	Ranked  Encoding = "ranked"  // Ordinal, once the training part is known: the levels in the order of the mean target
)

// Encodings returns the encodings that a column may have.
func Encodings() []Encoding { return []Encoding{OneHot, Ordinal, Ranked, Numeric} }

// wantedEncoding lists the encodings for an error.
func wantedEncoding() string {
	var names []string
	for _, e := range Encodings() {
		names = append(names, string(e))
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// MissingLevel is the level that a missing cell of a category is, and what the indicator beside a number is named by, see Column.Missing.
const MissingLevel = "missing"

// encoding is an encoding of a column of levels, or of one of numbers, which has none. All that others need of it they ask of its Column.
type encoding interface {
	features(column string, levels []string) []string // names
	width(levels int) int
	// encode writes the features [width] of a level, from 0, to dst; of a cell that is none of the levels for -1.
	encode(dst []float64, level int)
	// level is the inverse of encode; -1 if x is no level.
	level(x []float64, levels int) int
	nominal() bool // see Column.Nominal
}

type numbers struct{}

func (numbers) features(column string, _ []string) []string { return []string{column} }
func (numbers) width(int) int                               { return 1 }
func (numbers) encode(dst []float64, _ int)                 { dst[0] = math.NaN() }
func (numbers) level([]float64, int) int                    { return -1 }
func (numbers) nominal() bool                               { return false }

// numbersOrMissing has a second feature: 1 where the cell is missing, else 0.
type numbersOrMissing struct{ numbers }

func (numbersOrMissing) features(column string, _ []string) []string {
	return []string{column, column + "=" + MissingLevel}
}
func (numbersOrMissing) width(int) int               { return 2 }
func (numbersOrMissing) encode(dst []float64, _ int) { dst[0], dst[1] = math.NaN(), 1 }

// ordinal has numbers of levels, from 1. A cell that is none of them is missing.
type ordinal struct{ numbers }

func (ordinal) encode(dst []float64, level int) {
	if dst[0] = float64(level + 1); level < 0 {
		dst[0] = math.NaN()
	}
}

func (ordinal) level(x []float64, levels int) int {
	for k := range levels {
		if x[0] == float64(k+1) {
			return k
		}
	}
	return -1
}

// oneHot has an indicator of each level. All are zero for a cell that is none of the levels.
type oneHot struct{}

func (oneHot) features(column string, levels []string) (all []string) {
	for _, level := range levels {
		all = append(all, column+"="+level)
	}
	return all
}

func (oneHot) width(levels int) int { return levels }

func (oneHot) encode(dst []float64, level int) {
	if clear(dst); level >= 0 {
		dst[level] = 1
	}
}

func (oneHot) level(x []float64, _ int) int { return slices.Index(x, 1) }
func (oneHot) nominal() bool                { return true }

// Column is one input column of a table.
type Column struct {
	Name     string   `json:"name"`
	Unit     string   `json:"unit,omitempty"`
	Encoding Encoding `json:"encoding"`
	// Levels are the values a categorical column may take, in the order of their features (OneHot) or of their
	// numbers (Ordinal); none for a numeric column.
	Levels []string `json:"levels,omitempty"`
	// Limits are those of a numeric column, beyond which a cell counts as the limit; nil: none.
	Limits *Limits `json:"limits,omitempty"`
	// Missing says that a missing cell is a value: a level of the category, [MissingLevel], or beside a number a feature
	// that is 1, where the number is not known.
	Missing bool `json:"missing,omitempty"`
	// Unused marks a column that carries nothing (it was constant in training). A table to predict need not have
	// it; its features are 0, whatever the table says.
	Unused bool `json:"unused,omitempty"`
}

// NewColumn returns a column of numbers, or of levels, which may have an order.
func NewColumn(name, unit string, levels []string, ordered bool) Column {
	c := Column{Name: name, Unit: unit, Encoding: Numeric, Levels: levels}
	switch {
	case levels != nil && ordered:
		c.Encoding = Ordinal
	case levels != nil:
		c.Encoding = OneHot
	}
	return c
}

// Numbers reports whether the cells of the column are numbers, and not levels.
func (c Column) Numbers() bool { return c.Encoding == Numeric }

// Nominal reports whether the levels have no order: feature k is then 1 for level k and 0 for all others. Any other column has one
// feature, a scale on which its numbers or levels lie, and a second one for missing numbers, see Missing.
func (c Column) Nominal() bool { return c.encoding().nominal() }

// Width is the number of features of the column.
func (c Column) Width() int { return c.encoding().width(len(c.Levels)) }

// Features returns the names [Width] of the features: "length" of a column on a scale, "sex=F", "sex=I", "sex=M" of a nominal one, and
// "length=missing" after a number that may be missing.
func (c Column) Features() []string { return c.encoding().features(c.Name, c.Levels) }

// Values returns the features [Width] of a level, from 0; for -1 those of a cell that is none of the levels, NaN if it counts as missing.
func (c Column) Values(level int) []float64 {
	x := make([]float64, c.Width())
	c.encoding().encode(x, c.known(level))
	return x
}

// Parts returns the column in parts with one kind of features each, in their order: itself or, of numbers with an indicator of missing
// cells, the numbers, and a category of the same name whose only level is [MissingLevel].
func (c Column) Parts() []Column {
	if !c.Numbers() || !c.Missing {
		return []Column{c}
	}
	known, missing := c, c
	known.Missing = false
	missing.Encoding, missing.Levels, missing.Unit = OneHot, []string{MissingLevel}, ""
	return []Column{known, missing}
}

// Beside reports whether the column is the part of another one for its missing cells, see [Column.Parts].
func (c Column) Beside() bool { return c.Missing && c.Nominal() && len(c.Levels) == 1 }

// Level returns the level, from 0, that has the features x [Width]; -1 if none has.
func (c Column) Level(x []float64) int { return c.encoding().level(x, len(c.Levels)) }

// Misses reports whether features x [Width] are those of a missing cell.
func (c Column) Misses(x []float64) bool {
	level := c.Level(x)
	return math.IsNaN(x[0]) || c.Missing && level >= 0 && c.Levels[level] == MissingLevel
}

// known returns a level, or for -1 that of missing cells if it has a place in the order of the levels: a cell that is none of them counts
// as missing there.
func (c Column) known(level int) int {
	if level < 0 && c.Missing && !c.Nominal() {
		return slices.Index(c.Levels, MissingLevel)
	}
	return level
}

// encoding returns how the column is encoded; as numbers, while its cells have not decided. It is asked for each cell, so that it must be
// fast.
func (c Column) encoding() encoding {
	switch c.Encoding {
	case OneHot:
		return oneHot{}
	case Ordinal, Ranked:
		return ordinal{}
	}
	if c.Numbers() && c.Missing {
		return numbersOrMissing{}
	}
	return numbers{}
}
