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
	b      strings.Builder
	index  int      // bytes of a tsk_index
	prefix string   // of the names of tables of a member
	fields []string // the initialiser of a member
	bytes  int
}

// set adds a field to the initialiser.
func (t *tables) set(name, value string) { t.fields = append(t.fields, "."+name+" = "+value) }

// own returns the name of a table.
func (t *tables) own(name string) string { return t.convert.Replace("tsk_" + t.prefix + name) }

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
	fmt.Fprintf(&t.b, "static const %s[] = {\n", t.convert.Replace(of)+" "+t.own(name))
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

// numbers and indices write an array that is a field of the initialiser, too.
func (t *tables) numbers(name string, lines ...line) {
	t.array("double", name, t.dialect.bytes(), lines)
	t.set(name, t.own(name))
}

func (t *tables) indices(name string, lines []line) {
	t.array("tsk_index", name, t.index, lines)
	t.set(name, t.own(name))
}

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
			own := 0
			if c.Missing {
				own = 1
			}
			of = append(of, line{[]string{fmt.Sprintf("{0, %d, NULL}", own)}, c.Name})
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
		of = append(of, line{[]string{fmt.Sprintf("{%d, %d, %s}", len(c.Levels), ordered, t.own(name))}, c.Name})
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
func (t *tables) inputs(f *export.Form, m *export.Member, power, inside bool) {
	var lines []line
	far := export.FarthestOf(t.dialect.float)
	for _, in := range m.Inputs {
		values := []float64{in.Mean, in.SD, in.Missing}
		if p := in.Power; p != nil {
			values = append(values, p.Lambda, p.Mean, p.SD)
		} else if power {
			values = append(values, 0, 0, 0)
		}
		if inside {
			values = append(values, max(in.Low, -far), min(in.High, far))
		}
		text := "{" + strings.Join(append(t.hexes(values), strconv.Itoa(in.Feature)), ", ") + "}"
		lines = append(lines, line{[]string{text}, fmt.Sprintf("%s: mean %.4g, sd %.4g", f.Features[in.Feature].Name, in.Mean, in.SD)})
	}
	size := 4
	if power {
		size += 3
	}
	if inside {
		size += 2
	}
	t.array("struct tsk_input", "inputs", size*t.dialect.bytes(), lines)
	t.set("input", t.own("inputs"))
}

// rules writes the rules of a member.
func (t *tables) rules(f *export.Form, m *export.Member) {
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
	t.indices("conditions", counts)
	t.indices("mentioned", mentioned)
	t.numbers("parameters", parameters...)
	t.numbers("then", then...)
}

// inputName names an input of the rules.
func inputName(f *export.Form, m *export.Member, i int) string {
	if m.Components != nil {
		return "component " + strconv.Itoa(i+1)
	}
	return f.Features[m.Inputs[i].Feature].Name
}

// member writes the tables of a member, whose names begin with a prefix, and returns its initialiser.
func (t *tables) member(prefix string, f *export.Form, m *export.Member, s *source, kind int) string {
	t.prefix, t.fields = prefix, nil
	t.set("inputs", strconv.Itoa(len(m.Inputs)))
	t.set("rules", strconv.Itoa(len(m.Rules)))
	t.inputs(f, m, s.Power, s.Inside)
	if m.Components != nil {
		var loadings []line
		for k, l := range m.Components {
			loadings = append(loadings, line{t.hexes(l), fmt.Sprintf("component %d", k+1)})
		}
		t.numbers("loadings", loadings...)
		t.set("components", strconv.Itoa(len(m.Components)))
	}
	t.rules(f, m)
	if m.Curves != nil {
		t.curves(f, m)
	}
	if s.Scales {
		mean, scale := m.Scales()
		t.numbers("target_mean", line{t.hexes(mean), ""})
		t.numbers("target_scale", line{t.hexes(scale), ""})
	}
	if s.Limits {
		t.numbers("low", line{t.hexes(m.Low), ""})
		t.numbers("high", line{t.hexes(m.High), ""})
	}
	t.numbers("uncovered", line{t.hexes(m.Uncovered), ""})
	if kind > 0 {
		t.set("kind", strconv.Itoa(kind))
	}
	t.bytes += pointer * len(t.fields)
	return strings.Join(t.fields, ",\n    ")
}

// curves writes the curves of a member.
func (t *tables) curves(f *export.Form, m *export.Member) {
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
	t.indices("knot_counts", counts)
	t.numbers("knots", knots...)
	t.set("values", strconv.Itoa(sum))
	if m.OwnCurves() {
		t.set("own", "1")
	}
	t.numbers("curves", curves...)
}
