package c

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/model"
)

// tables writes the constant tables of a source and counts their bytes.
type tables struct {
	*dialect
	b     strings.Builder
	index int // bytes of a tsk_index
	bytes int
}

// line is a line of a table: values and a comment.
type line struct {
	values  []string
	comment string
}

// across is the largest number of values on a line of text.
const across = 5

// array writes an array, its lines with their comments. An empty one has a zero, as C has no
// arrays without elements.
func (t *tables) array(of, name string, size int, lines []line) {
	fmt.Fprintf(&t.b, "static const %s[] = {\n", t.convert.Replace(of+" tsk_"+name))
	count := 0
	for _, l := range lines {
		if len(l.values) == 0 {
			continue
		}
		count += len(l.values)
		text := ""
		if l.comment != "" {
			text = " /* " + comment(l.comment) + " */"
		}
		for part := range slices.Chunk(l.values, across) {
			t.b.WriteString("    " + strings.Join(part, ", ") + "," + text + "\n")
			text = ""
		}
	}
	if count == 0 {
		t.b.WriteString("    0\n")
	}
	t.b.WriteString("};\n\n")
	t.bytes += size * max(count, 1)
}

func (t *tables) numbers(name string, lines []line) {
	t.array("double", name, t.dialect.bytes(), lines)
}

func (t *tables) indices(name string, lines []line) { t.array("tsk_index", name, t.index, lines) }

func (t *tables) hexes(values []float64) []string {
	text := make([]string, len(values))
	for i, v := range values {
		text[i] = t.hex(v)
	}
	return text
}

func integers(values ...int) []string {
	text := make([]string, len(values))
	for i, v := range values {
		text[i] = strconv.Itoa(v)
	}
	return text
}

// categories writes the texts of the levels, and what each column is.
func (t *tables) categories(columns []export.Column) {
	var of []line
	for i, c := range columns {
		if c.Numbers() {
			of = append(of, line{[]string{"{0, 0, NULL}"}, c.Name})
			continue
		}
		name := fmt.Sprintf("texts_%d", i+1)
		var texts []line
		for _, level := range c.Levels {
			texts = append(texts, line{[]string{literal(level)}, ""})
			t.bytes += len(level) + 1
		}
		t.array("char *const", name, pointer, texts)
		ordered := 0
		if !c.Nominal() {
			ordered = 1
		}
		of = append(of, line{[]string{t.convert.Replace(fmt.Sprintf("{%d, %d, tsk_%s}", len(c.Levels), ordered, name))}, c.Name})
	}
	t.array("struct tsk_category", "categories", 2*4+pointer, of)
}

// classes writes the names of classes.
func (t *tables) classes(outputs []model.Value) {
	var names []string
	for _, o := range outputs {
		names = append(names, "    "+literal(o.Name)+",\n")
		t.bytes += pointer + len(o.Name) + 1
	}
	fmt.Fprintf(&t.b, "%s = {\n%s};\n\n", t.convert.Replace("const char *const tsk_classes[TSK_OUTPUTS]"), strings.Join(names, ""))
}

// pointer is the size of an address where tables are counted.
const pointer = 8

// inputs writes the inputs of a member.
func (t *tables) inputs(name string, f *export.Form, m *export.Member, power bool) {
	var lines []line
	for _, in := range m.Inputs {
		values := []float64{in.Mean, in.SD, in.Missing}
		if p := in.Power; p != nil {
			values = append(values, p.Lambda, p.Mean, p.SD)
		} else if power {
			values = append(values, 0, 0, 0)
		}
		text := "{" + strings.Join(append(t.hexes(values), strconv.Itoa(in.Feature)), ", ") + "}"
		lines = append(lines, line{[]string{text}, fmt.Sprintf("%s: mean %.4g, sd %.4g", f.Features[in.Feature].Name, in.Mean, in.SD)})
	}
	size := 4
	if power {
		size = 7
	}
	t.array("struct tsk_input", name, size*t.dialect.bytes(), lines)
}

// rules writes the rules of a member.
func (t *tables) rules(prefix string, f *export.Form, m *export.Member) {
	var counts, mentioned, parameters, then []line
	for r, rule := range m.Rules {
		title := fmt.Sprintf("rule %d", r+1)
		counts = append(counts, line{integers(len(rule.If)), title})
		mentioned = append(mentioned, line{integers(rule.If...), title})
		for i, params := range rule.Params {
			parameters = append(parameters, line{t.hexes(params), title + ": " + inputName(f, m, rule.If[i])})
		}
		for c, w := range rule.Weights {
			text := title
			if m.Outputs > 1 {
				text += ", output " + strconv.Itoa(c+1)
			}
			then = append(then, line{t.hexes(w), text})
		}
	}
	t.indices(prefix+"conditions", counts)
	t.indices(prefix+"mentioned", mentioned)
	t.numbers(prefix+"parameters", parameters)
	t.numbers(prefix+"then", then)
}

// inputName names an input of the rules.
func inputName(f *export.Form, m *export.Member, i int) string {
	if m.Components != nil {
		return "component " + strconv.Itoa(i+1)
	}
	return f.Features[m.Inputs[i].Feature].Name
}

// member writes the tables of a member and returns its initialiser.
func (t *tables) member(prefix string, f *export.Form, m *export.Member, s *source, kind int) string {
	var fields []string
	set := func(name, value string) { fields = append(fields, "."+name+" = "+value) }
	own := func(name string) string { return t.convert.Replace("tsk_" + prefix + name) }
	set("inputs", strconv.Itoa(len(m.Inputs)))
	set("rules", strconv.Itoa(len(m.Rules)))
	t.inputs(prefix+"inputs", f, m, s.Power)
	set("input", own("inputs"))
	if m.Components != nil {
		var loadings []line
		for k, l := range m.Components {
			loadings = append(loadings, line{t.hexes(l), fmt.Sprintf("component %d", k+1)})
		}
		t.numbers(prefix+"loadings", loadings)
		set("components", strconv.Itoa(len(m.Components)))
		set("loadings", own("loadings"))
	}
	t.rules(prefix, f, m)
	for _, name := range []string{"conditions", "mentioned", "parameters", "then"} {
		set(name, own(name))
	}
	if m.Curves != nil {
		t.curves(prefix, f, m, set, own)
	}
	t.response(prefix, m, s, set, own)
	if kind > 0 {
		set("kind", strconv.Itoa(kind))
	}
	t.bytes += pointer * len(fields)
	return strings.Join(fields, ",\n    ")
}

// curves writes the curves of a member.
func (t *tables) curves(prefix string, f *export.Form, m *export.Member, set func(name, value string), own func(string) string) {
	var counts, knots, curves []line
	sum := 0
	for i, k := range m.Knots {
		counts = append(counts, line{integers(len(k)), inputName(f, m, i)})
		knots = append(knots, line{t.hexes(k), inputName(f, m, i)})
		sum += len(k)
	}
	for _, values := range m.Curves {
		curves = append(curves, line{t.hexes(values), ""})
	}
	t.indices(prefix+"knot_counts", counts)
	t.numbers(prefix+"knots", knots)
	t.numbers(prefix+"curves", curves)
	set("knot_counts", own("knot_counts"))
	set("knots", own("knots"))
	set("values", strconv.Itoa(sum))
	if m.OwnCurves() {
		set("own", "1")
	}
	set("curves", own("curves"))
}

// response writes scales, limits and the response to rows that no rule covers.
func (t *tables) response(prefix string, m *export.Member, s *source, set func(name, value string), own func(string) string) {
	write := func(name string, values []float64) {
		t.numbers(prefix+name, []line{{t.hexes(values), ""}})
		set(name, own(name))
	}
	if s.Scales {
		mean, scale := m.Scales()
		write("target_mean", mean)
		write("target_scale", scale)
	}
	if s.Limits {
		write("low", m.Low)
		write("high", m.High)
	}
	write("uncovered", m.Uncovered)
}
