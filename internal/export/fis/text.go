package fis

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/byhand/fis"
	"github.com/tskgraph/tskgraph/internal/export"
)

// text returns the file. Comments tell people what the names and numbers are.
func (s *system) text(f *export.Form) []byte {
	var b bytes.Buffer
	comment(&b, "Sugeno system, written by tskgraph "+buildinfo.Version+".")
	writeWords(&b, f)
	fmt.Fprintf(&b, "\n[System]\nName='%s'\nType='sugeno'\nVersion=2.0\nNumInputs=%d\nNumOutputs=%d\nNumRules=%d\n", identifier(f.Target), len(s.inputs), len(s.outputs), len(s.rules))
	fmt.Fprintf(&b, "AndMethod='%s'\nOrMethod='max'\nImpMethod='prod'\nAggMethod='sum'\nDefuzzMethod='wtaver'\n", s.and)
	for i, in := range f.Members[0].Inputs {
		b.WriteByte('\n')
		comment(&b, inputInWords(f, in))
		writeColumn(&b, columnOf(f, in))
		s.inputs[i].write(&b, "Input", i+1)
	}
	for j, o := range f.Outputs {
		b.WriteByte('\n')
		comment(&b, withUnit(o.Name, o.Unit))
		writeColumn(&b, fis.Column{Name: o.Name, Unit: o.Unit})
		s.outputs[j].write(&b, "Output", j+1)
	}
	b.WriteString("\n[Rules]\n")
	for _, r := range s.rules {
		b.WriteString(join(r.conditions))
		b.WriteByte(',')
		for range s.outputs {
			b.WriteString(" " + strconv.Itoa(r.output))
		}
		fmt.Fprintf(&b, " (%s) : 1\n", figure(r.weight))
	}
	return b.Bytes()
}

// write writes the section of a variable.
func (v *variable) write(b *bytes.Buffer, section string, number int) {
	fmt.Fprintf(b, "[%s%d]\nName='%s'\nRange=[%s %s]\nNumMFs=%d\n", section, number, v.name, figure(v.low), figure(v.high), len(v.functions))
	for i, f := range v.functions {
		params := make([]string, len(f.params))
		for k, p := range f.params {
			params[k] = figure(p)
		}
		fmt.Fprintf(b, "MF%d='%s':'%s',[%s]\n", i+1, f.name, f.kind, strings.Join(params, " "))
	}
}

// round replaces brackets: MATLAB looks for the headers of sections in comments too.
var round = strings.NewReplacer("[", "(", "]", ")")

// comment writes a comment.
func comment(b *bytes.Buffer, line string) {
	b.WriteString(strings.TrimRight("% "+round.Replace(line), " \n") + "\n")
}

// writeWords writes the rules in words, as comments.
func writeWords(b *bytes.Buffer, f *export.Form) {
	var text strings.Builder
	_ = words.Model(f.Model).WriteWords(&text) // a strings.Builder does not fail
	for line := range strings.Lines(text.String()) {
		comment(b, line)
	}
}

// writeColumn writes the comment by which [fis.Read] finds the column of an input or output. Brackets
// in its texts are escaped.
func writeColumn(b *bytes.Buffer, c fis.Column) {
	text, _ := json.Marshal(c) // texts only
	line := strings.ReplaceAll(string(escape.JSON(text)), "[", `\u005b`)
	b.WriteString(fis.ColumnComment + strings.Replace(line, `"levels":\u005b`, `"levels":[`, 1) + "\n")
}

// columnOf returns the column of an input.
func columnOf(f *export.Form, in export.Input) fis.Column {
	column := f.Columns[f.Features[in.Feature].Column]
	c := fis.Column{Name: column.Name, Unit: column.Unit, Levels: column.Levels, Ordered: column.Encoding == data.Ordinal}
	switch column.Encoding {
	case data.OneHot:
		c.Level = column.Levels[in.Feature-column.First]
	case data.Numeric:
		c.Mean, c.SD = in.Mean, in.SD
	}
	return c
}

// inputInWords returns the comment of an input: its column, and what a missing value counts as.
func inputInWords(f *export.Form, in export.Input) string {
	feature := f.Features[in.Feature]
	column := f.Columns[feature.Column]
	text := withUnit(column.Name, column.Unit)
	switch column.Encoding {
	case data.Ordinal:
		text += ": position of the level, from 1, in " + escape.List(column.Levels)
	case data.OneHot:
		text += ": 1 for " + escape.Quote(column.Levels[in.Feature-column.First]) + ", else 0"
	}
	missing := feature.Missing
	if missing != missing {
		missing = in.Mean
	}
	return text + "; a missing value counts as " + figure(missing)
}

// withUnit returns a name with its unit, escaped.
func withUnit(name, unit string) string {
	if unit != "" {
		name += " [" + unit + "]"
	}
	return escape.Text(name)
}

// figure returns the shortest decimal that reads back as v.
func figure(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// join returns indices, separated by spaces.
func join(indices []int) string {
	var b strings.Builder
	for i, v := range indices {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.Itoa(v))
	}
	return b.String()
}
