package describe

import (
	"fmt"
	"io"
	"strings"
)

// Write writes the rules in numbers: the parameters of the membership functions in the
// data's own units, the THEN formulas, and what else a prediction is computed with.
func (d Description) Write(w io.Writer) error {
	var b strings.Builder
	if len(d.Members) > 0 {
		if err := writeMembers(&b, d); err != nil {
			return err
		}
	} else {
		writeRules(&b, d)
	}
	if d.Interval != nil {
		fmt.Fprintf(&b, "\n%s\n", d.Interval)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteWords writes the rules in words: each condition by where its values lie among
// those of the training part, each THEN formula with the terms that matter most
// first, then the figures of Interpretability and what the words mean. Where words do not
// apply, it says why and writes the rules in numbers.
func (d Description) WriteWords(w io.Writer) error {
	var b strings.Builder
	writeWords(&b, d)
	_, err := io.WriteString(w, b.String())
	return err
}

// WhyNoWords says why the rules are in numbers.
func (d Description) WhyNoWords() string {
	if d.Components != nil {
		return "The rules are about principal components, sums of all features, for which there are no words."
	}
	return "The model file is of an older version, without the quantiles that words go by: give the training table to have them measured."
}
