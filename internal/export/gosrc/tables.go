package gosrc

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/export"
)

// tables writes the variables of levels and members. group has the index of the formulas of each
// member. Values are constants: a program has nothing to compute when it starts.
func tables(s *source, group []int) string {
	var b strings.Builder
	for i, c := range s.form.Columns {
		if c.Encoding == data.Numeric {
			continue
		}
		fmt.Fprintf(&b, "// levels%d are the levels of %s.\nvar levels%d = [...]string{\n", i+1, withUnit(c.Name, ""), i+1)
		for _, level := range c.Levels {
			b.WriteString(strconv.Quote(level) + ",\n")
		}
		b.WriteString("}\n\n")
	}
	if !s.Committee {
		b.WriteString("var model = member{\n")
		writeMember(&b, s, 0, group[0])
		b.WriteString("}\n")
		return b.String()
	}
	b.WriteString("var members = [...]member{\n")
	for i := range s.form.Members {
		b.WriteString("{\n")
		writeMember(&b, s, i, group[i])
		b.WriteString("},\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// number writes a number to the bit.
func number(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "math.MaxFloat64" // of a finite number the same limit
	case math.IsInf(v, -1):
		return "-math.MaxFloat64"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// list writes numbers in braces.
func list(values []float64) string {
	text := make([]string, len(values))
	for i, v := range values {
		text[i] = number(v)
	}
	return "{" + strings.Join(text, ", ") + "}"
}

// lists writes lists in braces, each on a line.
func lists(values [][]float64) string {
	var b strings.Builder
	b.WriteString("{\n")
	for _, v := range values {
		b.WriteString(list(v) + ",\n")
	}
	return b.String() + "}"
}

// writeMember writes the fields of a member.
func writeMember(b *strings.Builder, s *source, i, kind int) {
	m := &s.form.Members[i]
	writeInputs(b, s.form, m)
	if m.Components != nil {
		fmt.Fprintf(b, "loadings: [][]float64%s,\n", lists(m.Components))
	}
	writeRules(b, m)
	if m.Curves != nil {
		fmt.Fprintf(b, "knots: [][]float64%s,\n", lists(m.Knots))
		fmt.Fprintf(b, "curves: [][]float64%s,\n", lists(m.Curves))
	}
	if s.Scales > 0 {
		var mean, scale []float64
		for _, t := range m.Targets {
			mean, scale = append(mean, t.Mean), append(scale, t.Scale)
		}
		fmt.Fprintf(b, "mean: [...]float64%s,\nscale: [...]float64%s,\n", list(mean), list(scale))
	}
	if s.Limits {
		fmt.Fprintf(b, "low: [...]float64%s,\nhigh: [...]float64%s,\n", list(m.Low), list(m.High))
	}
	fmt.Fprintf(b, "uncovered: [...]float64%s,\n", list(m.Uncovered))
	if kind > 0 {
		fmt.Fprintf(b, "kind: %d,\n", kind)
	}
}

// writeInputs writes the inputs of a member.
func writeInputs(b *strings.Builder, f *export.Form, m *export.Member) {
	b.WriteString("inputs: []input{\n")
	for _, in := range m.Inputs {
		fmt.Fprintf(b, "// %s\n{feature: %d, mean: %s, sd: %s, missing: %s", withUnit(f.Features[in.Feature].Name, ""), in.Feature, number(in.Mean), number(in.SD), number(in.Missing))
		if p := in.Power; p != nil {
			fmt.Fprintf(b, ", lambda: %s, powerMean: %s, powerSD: %s", number(p.Lambda), number(p.Mean), number(p.SD))
		}
		b.WriteString("},\n")
	}
	b.WriteString("},\n")
}

// writeRules writes the rules of a member.
func writeRules(b *strings.Builder, m *export.Member) {
	b.WriteString("rules: []rule{\n")
	for _, rule := range m.Rules {
		b.WriteString("{\n")
		if len(rule.If) > 0 {
			inputs := make([]string, len(rule.If))
			for i, at := range rule.If {
				inputs[i] = strconv.Itoa(at)
			}
			fmt.Fprintf(b, "mentioned: []int32{%s},\nparameters: []float64{\n", strings.Join(inputs, ", "))
			for _, p := range rule.Params {
				b.WriteString(strings.Trim(list(p), "{}") + ",\n")
			}
			b.WriteString("},\n")
		}
		fmt.Fprintf(b, "then: [...][]float64%s,\n", lists(rule.Weights))
		b.WriteString("},\n")
	}
	b.WriteString("},\n")
}
