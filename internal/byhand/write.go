package byhand

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"go.yaml.in/yaml/v3"
)

// writeYAML writes rules.yaml, see [Rulebook.WriteYAML].
func writeYAML(w io.Writer, b *Rulebook) error {
	root := mapping()
	if b.Shape != nil {
		put(root, "membership", scalar(b.Shape.Name()))
	}
	if b.TNorm != "" {
		put(root, "tnorm", scalar(b.TNorm))
	}
	if b.Defuzzification != "" {
		put(root, "defuzzification", scalar(b.Defuzzification))
	}
	if n := targetNodes(b.Targets); n != nil {
		put(root, "target", n)
	}
	if n := columnNodes(b.Columns); n != nil {
		put(root, "columns", n)
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
func flow(kind yaml.Kind) *yaml.Node { return &yaml.Node{Kind: kind, Style: yaml.FlowStyle} }

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

// number returns a number as it is written.
func number(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!float", Value: text}
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

func spanNode(span *[2]float64) *yaml.Node {
	n := flow(yaml.SequenceNode)
	for _, v := range span {
		n.Content = append(n.Content, number(decimal(rational(v))))
	}
	return n
}

// targetNodes returns the section target; nil without targets.
func targetNodes(all []Target) *yaml.Node {
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for _, t := range all {
		n := flow(yaml.MappingNode)
		put(n, "name", scalar(t.Name))
		if t.Unit != "" {
			put(n, "unit", scalar(t.Unit))
		}
		if t.Classes != nil {
			put(n, "classes", namesNode(t.Classes))
		}
		if t.Range != nil {
			put(n, "range", spanNode(t.Range))
		}
		if t.Mean != nil {
			put(n, "mean", number(decimal(rational(*t.Mean))))
		}
		list.Content = append(list.Content, n)
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return list.Content[0]
	}
	return list
}

// columnNodes returns the section columns; nil without columns.
func columnNodes(all []Column) *yaml.Node {
	if len(all) == 0 {
		return nil
	}
	section := mapping()
	for _, c := range all {
		n := flow(yaml.MappingNode)
		if c.Unit != "" {
			put(n, "unit", scalar(c.Unit))
		}
		if c.Levels != nil {
			put(n, "levels", namesNode(c.Levels))
		}
		if c.Ordered {
			put(n, "ordered", number("true"))
		}
		if c.Range != nil {
			put(n, "range", spanNode(c.Range))
		}
		if c.SD > 0 {
			put(n, "mean", number(decimal(rational(c.Mean))))
			put(n, "sd", number(decimal(rational(c.SD))))
		}
		put(section, c.Name, n)
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
		put(n, p.Name, number(decimal(t.Params[j])))
	}
	return n
}

// ruleNode returns an entry of the section rules.
func ruleNode(r Rule) *yaml.Node {
	n := mapping()
	put(n, "if", scalar(conditionsText(r.If)))
	if r.Off {
		put(n, "off", number("true"))
	}
	if len(r.Then) == 1 && r.Then[0].Output == "" {
		put(n, "then", scalar(formulaText(r.Then[0])))
	} else {
		outputs := mapping()
		for _, f := range r.Then {
			put(outputs, f.Output, scalar(formulaText(f)))
		}
		put(n, "then", outputs)
	}
	if r.Keep != 0 {
		put(n, "keep", scalar(r.Keep.String()))
	}
	if r.Merged > 1 {
		put(n, "merged", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(r.Merged)})
	}
	n.HeadComment = comment(r.Comment)
	return n
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
