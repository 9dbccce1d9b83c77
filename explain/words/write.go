package words

import (
	"fmt"
	"io"
	"strings"
)

// Write writes the rules in numbers: the parameters of the membership functions in the data's
// own units, the THEN formulas, and everything else that a prediction needs.
func (d Description) Write(w io.Writer) error {
	var b strings.Builder
	if len(d.Members) > 0 {
		if err := writeMembers(&b, d); err != nil {
			return err
		}
	} else {
		b.WriteString(remarkOn(d))
		writeRules(&b, d)
	}
	writeReadability(&b, d)
	if d.Neighbours != nil {
		fmt.Fprintf(&b, "\n%s\n", d.Neighbours)
	}
	if d.Interval != nil {
		fmt.Fprintf(&b, "\n%s\n", d.Interval)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteWords writes the rules in words: each condition by the ranks of its values among the
// training values, each THEN formula with the largest effects first, then Interpretability
// and [Legend]. For a model without words it writes the reason and the rules in numbers.
func (d Description) WriteWords(w io.Writer) error {
	var b strings.Builder
	writeWords(&b, d)
	_, err := io.WriteString(w, b.String())
	return err
}

// WhyNoWords returns the reason why the rules are in numbers.
func (d Description) WhyNoWords() string {
	if d.Components != nil {
		return "The inputs of the rules are principal components, sums of all features, which have no description in words."
	}
	return "The model file is of an older version, without the quantiles of the features that the words need: give the training table to measure them."
}
