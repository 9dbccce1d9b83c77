package words

import (
	"cmp"
	"slices"
	"strings"
)

// CurveText has the words of the curves that rules have in common, for texts and pages.
type CurveText struct {
	Heading string      `json:"heading"`
	Each    []CurveLine `json:"each,omitempty"`  // the largest range first
	Small   string      `json:"small,omitempty"` // curves that hardly matter, such as "hardly matter: slag, water"; may be empty
}

// CurveLine has the words of a curve, see [CommonCurve].
type CurveLine struct {
	Feature   string `json:"feature"`
	Alone     string `json:"alone"`
	WithSlope string `json:"with_slope,omitempty"`
}

// hardlyMatters is the share of the model's error in training, and of the range of the curve
// with the mean slope of the rules, below which the range of a curve is hardly worth words.
const hardlyMatters = 0.1

// curvesInWords describes the curves that the rules have in common, of each output; nil without
// curves.
func (d Description) curvesInWords() []CurveText {
	var all []CurveText
	for i := range d.of {
		if o := &d.of[i]; o.Curves != nil {
			all = append(all, o.curvesInWords())
		}
	}
	return all
}

// prefix returns a text about the output, which begins with its name if there are others.
func (o *Output) prefix(text string) string {
	if o.alone {
		return text
	}
	return plain(o.Name) + ": " + text
}

// curvesInWords describes the curves of one output, which rules add to a formula.
func (o *Output) curvesInWords() CurveText {
	formula := "its formula"
	if !o.alone {
		formula += " (" + plain(o.Name) + ")"
	}
	t := CurveText{Heading: "The " + o.Curves.count() + " that every rule adds to " + formula}
	if o.Curves.Own {
		t.Heading = "Each rule adds " + o.Curves.count() + " of its own to " + formula + "; their means over the rules"
	}
	if o.Unit != "" {
		t.Heading += ", with changes in " + plain(o.Unit)
	}
	ordered := slices.Clone(o.Curves.Of)
	slices.SortStableFunc(ordered, func(a, b CommonCurve) int { return cmp.Compare(b.size, a.size) })
	var small []string
	for _, c := range ordered {
		total := c.Total()
		if c.size <= hardlyMatters*max(o.rmse, slices.Max(total)-slices.Min(total)) {
			small = append(small, plain(c.Feature))
			continue
		}
		t.Each = append(t.Each, CurveLine{plain(c.Feature), c.Words, c.WithSlope})
	}
	if small != nil {
		t.Small = "hardly matter: " + strings.Join(small, ", ")
	}
	return t
}

// Lines returns a line per curve, with that of its WithSlope below it, indented, and Small.
func (t CurveText) Lines() []string {
	var lines []string
	for _, c := range t.Each {
		lines = append(lines, c.Feature+" "+c.Alone)
		if c.WithSlope != "" {
			lines = append(lines, "  with the mean slope of the rules it "+c.WithSlope)
		}
	}
	if t.Small != "" {
		lines = append(lines, t.Small)
	}
	return lines
}

// String returns the heading and the lines, indented.
func (t CurveText) String() string {
	return t.Heading + ":\n  " + strings.Join(t.Lines(), "\n  ") + "\n"
}
