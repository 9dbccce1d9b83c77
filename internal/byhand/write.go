package byhand

import (
	"io"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"go.yaml.in/yaml/v3"
)

// WriteYAML writes the rules as rules.yaml, which [ReadYAML] reads: the same rulebook gives the same bytes.
func (b *Rulebook) WriteYAML(w io.Writer) error {
	root := mapping()
	if b.Shape != nil {
		put(root, "membership", scalar(b.Shape.Name()))
	}
	write(root, []field{{"tnorm", &b.TNorm}, {"defuzzification", &b.Defuzzification}})
	if len(b.Targets) > 0 {
		put(root, "target", targetNodes(b.Targets))
	}
	if len(b.Columns) > 0 {
		put(root, "columns", columnNodes(b.Columns))
	}
	if len(b.Terms) > 0 {
		put(root, "terms", termNodes(b))
	}
	all := &yaml.Node{Kind: yaml.SequenceNode}
	for _, r := range b.Rules {
		all.Content = append(all.Content, ruleNode(r))
	}
	put(root, "rules", all)
	if b.Saved != nil {
		n, err := b.Saved.node()
		if err != nil {
			return err
		}
		put(root, "model", n)
		root.Content[len(root.Content)-2].HeadComment = "# What the model has beside its rules, in scaled units. Do not edit it."
	}
	root.HeadComment = comment(b.Comment)
	e := yaml.NewEncoder(w)
	e.SetIndent(2)
	if err := e.Encode(root); err != nil {
		return err
	}
	return e.Close()
}

// comment returns lines as a comment.
func comment(lines []string) string {
	var all []string
	for _, line := range lines {
		all = append(all, strings.TrimRight("# "+escape.Text(line), " "))
	}
	return strings.Join(all, "\n")
}

func mapping() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode} }

// flow returns a mapping or list on one line.
func flow(kind yaml.Kind, content ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: kind, Style: yaml.FlowStyle, Content: content}
}

// scalar returns a text, which the encoder quotes where it would read as something else.
func scalar(text string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(text)
	n.Style &^= yaml.LiteralStyle
	if strings.ContainsAny(text, "\n\r\u0085\u2028\u2029") {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// plain returns a number or a truth as it is written.
func plain(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Value: text}
}

func put(to *yaml.Node, key string, value *yaml.Node) {
	to.Content = append(to.Content, scalar(key), value)
}

func namesNode(names []string) *yaml.Node {
	n := flow(yaml.SequenceNode)
	for _, name := range names {
		n.Content = append(n.Content, scalar(name))
	}
	return n
}

// targetNodes returns the section target.
func targetNodes(all []Target) *yaml.Node {
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for _, t := range all {
		list.Content = append(list.Content, write(flow(yaml.MappingNode), t.fields()))
	}
	if len(all) == 1 {
		return list.Content[0]
	}
	return list
}

// columnNodes returns the section columns.
func columnNodes(all []Column) *yaml.Node {
	section := mapping()
	for _, c := range all {
		var mean, sd *float64
		if c.SD > 0 {
			mean, sd = &c.Mean, &c.SD
		}
		put(section, c.Name, write(flow(yaml.MappingNode), c.fields(&mean, &sd)))
	}
	return section
}

// termNodes returns the section terms: by column, in the order of their first terms.
func termNodes(b *Rulebook) *yaml.Node {
	section, columns := mapping(), map[string]*yaml.Node{}
	for _, t := range b.Terms {
		of := columns[t.Column]
		if of == nil {
			of = mapping()
			columns[t.Column] = of
			put(section, t.Column, of)
		}
		put(of, t.Name, termNode(b, t))
	}
	return section
}

func termNode(b *Rulebook, t Term) *yaml.Node {
	switch {
	case t.Levels != nil:
		return namesNode(t.Levels)
	case t.Range != nil:
		return scalar(t.Range.String())
	}
	n := flow(yaml.MappingNode)
	for j, p := range b.Shape.Params() {
		put(n, p.Name, plain(decimal(t.Params[j])))
	}
	return n
}

// ruleNode returns an entry of the section rules.
func ruleNode(r Rule) *yaml.Node {
	n := write(mapping(), r.fields())
	n.HeadComment = comment(r.Comment)
	return n
}

// thenNode returns a THEN part: a formula, or one for each output.
func thenNode(all []Formula) *yaml.Node {
	if len(all) == 1 && all[0].Output == "" {
		return scalar(formulaText(all[0]))
	}
	outputs := mapping()
	for _, f := range all {
		put(outputs, f.Output, scalar(formulaText(f)))
	}
	return outputs
}

// formulaText returns a formula as it is written.
func formulaText(f Formula) string {
	text := decimal(f.Intercept)
	for _, s := range f.Slopes {
		sign, v := " + ", decimal(s.Value)
		if strings.HasPrefix(v, "-") {
			sign, v = " - ", v[1:]
		}
		text += sign + v + "*" + quoteName(s.Column)
	}
	return text
}

// WrittenSlope is a slope of a formula as rules.yaml has it.
type WrittenSlope struct {
	Column  string // in backticks if need be
	Decimal string // 0 if the formula has no such slope
}

// Written returns the constant of a formula and the slopes of columns or inputs as rules.yaml has them: the formula is the
// constant plus decimal*column for each, see [Rulebook.WriteYAML].
func (f Formula) Written(columns []string) (constant string, slopes []WrittenSlope) {
	for _, name := range columns {
		s := WrittenSlope{quoteName(name), "0"}
		if i := slices.IndexFunc(f.Slopes, func(s Slope) bool { return s.Column == name }); i >= 0 {
			s.Decimal = decimal(f.Slopes[i].Value)
		}
		slopes = append(slopes, s)
	}
	return decimal(f.Intercept), slopes
}
