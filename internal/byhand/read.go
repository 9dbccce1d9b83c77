package byhand

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/registry"
	"github.com/tskgraph/tskgraph/internal/base/yamltext"
	"github.com/tskgraph/tskgraph/membership"
	"go.yaml.in/yaml/v3"
)

func init() { Register(Format{Title: "yaml", Extensions: []string{".yaml", ".yml"}, Read: ReadYAML}) }

// maxDepth is the largest depth of values within values.
const maxDepth = 20

// maxFaults is how many faults are reported.
const maxFaults = 20

// ReadYAML reads rules.yaml. name is the path of the file. All faults of the file, up to twenty, are
// reported as one error, each an [Error] with its line and column.
func ReadYAML(r io.Reader, name string) (*Rulebook, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxSize+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxSize {
		return nil, Errorf(name, 0, 0, "more than %d bytes: no rules are that long", maxSize)
	}
	root, faults := yamltext.Parse(text, maxDepth)
	in := &reader{b: &Rulebook{File: name}}
	for _, f := range faults {
		message := f.Message
		if strings.Contains(message, "'`'") {
			message += ": begin a value with another character, or enclose it in single quotes"
		}
		in.faults = append(in.faults, &Error{name, f.Line, f.Column, message})
	}
	if faults == nil && root == nil {
		return nil, Errorf(name, 0, 0, "no rules: want terms and rules")
	}
	if faults == nil {
		in.root(root)
	}
	return in.b, in.joined()
}

// reader reads the nodes of a file into a rulebook.
type reader struct {
	b      *Rulebook
	faults []*Error
}

func (in *reader) fault(n *yaml.Node, format string, a ...any) {
	in.faults = append(in.faults, &Error{in.b.File, n.Line, n.Column, fmt.Sprintf(format, a...)})
}

// joined returns all faults as one error, in the order of the file; nil without any.
func (in *reader) joined() error {
	slices.SortStableFunc(in.faults, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	var errs []error
	for _, f := range in.faults[:min(len(in.faults), maxFaults)] {
		errs = append(errs, f)
	}
	if more := len(in.faults) - maxFaults; more > 0 {
		errs = append(errs, fmt.Errorf("and %d more faults", more))
	}
	return errors.Join(errs...)
}

// root reads the file: what others depend on first.
func (in *reader) root(n *yaml.Node) {
	at := in.fields(n, "the file", "membership", "tnorm", "defuzzification", "target", "columns", "terms", "rules", "model")
	for _, part := range []struct {
		key  string
		read func(*yaml.Node)
	}{
		{"model", in.saved}, {"membership", in.membership},
		{"tnorm", func(n *yaml.Node) { in.b.TNorm = registered(in, n, "tnorm", inference.LookupTNorm) }},
		{"defuzzification", func(n *yaml.Node) {
			in.b.Defuzzification = registered(in, n, "defuzzification", inference.LookupDefuzzification)
		}},
		{"target", in.targets}, {"columns", in.columns}, {"terms", in.terms}, {"rules", in.rules},
	} {
		if value := at[part.key]; value != nil {
			part.read(value)
		}
	}
	if at["rules"] == nil && in.faults == nil {
		in.fault(n, "rules: missing: want a list of rules")
	}
}

// fields returns the values of a mapping of known keys.
func (in *reader) fields(n *yaml.Node, what string, known ...string) map[string]*yaml.Node {
	at := map[string]*yaml.Node{}
	in.each(n, what, func(key, value *yaml.Node) {
		if !slices.Contains(known, key.Value) {
			in.fault(key, "%s: unknown key %s: want %s%s", what, escape.Quote(key.Value), strings.Join(known, ", "), meant(key.Value, known))
			return
		}
		at[key.Value] = value
	})
	return at
}

// meant suggests the known name closest to a mistyped one.
func meant(name string, known []string) string {
	if closest := registry.Closest(name, known); closest != "" {
		return "; did you mean " + escape.Text(closest) + "?"
	}
	return ""
}

// each calls read for each entry of a mapping whose keys are texts, none twice.
func (in *reader) each(n *yaml.Node, what string, read func(key, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		in.fault(n, "%s: want a mapping of keys and values, not %s", what, shown(n))
		return
	}
	seen := map[string]bool{}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Kind != yaml.ScalarNode || key.Value == "":
			in.fault(key, "%s: want a name as the key, not %s", what, shown(key))
		case seen[key.Value]:
			in.fault(key, "%s: %s is given twice", what, escape.Quote(key.Value))
		default:
			seen[key.Value] = true
			read(key, n.Content[i+1])
		}
	}
}

// text reads a scalar that is not empty.
func (in *reader) text(n *yaml.Node, what string) (string, bool) {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" || n.Value == "" {
		in.fault(n, "%s: want a text, not %s", what, shown(n))
		return "", false
	}
	return n.Value, true
}

// shown describes a node in an error.
func shown(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null" || n.Value == "":
		return "nothing"
	}
	return escape.Quote(n.Value)
}

// saved reads the section model.
func (in *reader) saved(n *yaml.Node) {
	s, err := decodeSaved(n)
	if err != nil {
		in.fault(n, "model: %s", escape.Text(err.Error()))
		return
	}
	if in.b.Saved = s; s.Formula == nil {
		return
	}
	if in.b.Shape, err = s.Formula.Shape(); err != nil {
		in.fault(n, "model: formula: %s", escape.Text(err.Error()))
	}
}

func (in *reader) membership(n *yaml.Node) {
	name, ok := in.text(n, "membership")
	if !ok || in.b.Shape != nil && in.b.Shape.Name() == name {
		return
	}
	shape, err := membership.Lookup(name)
	if err != nil {
		in.fault(n, "%v", err)
		return
	}
	in.b.Shape = shape
}

// registered reads a name that must be registered.
func registered[T any](in *reader, n *yaml.Node, what string, lookup func(name string) (T, error)) string {
	name, ok := in.text(n, what)
	if ok {
		if _, err := lookup(name); err != nil {
			in.fault(n, "%v", err)
		}
	}
	return name
}

// rules reads the list of rules.
func (in *reader) rules(n *yaml.Node) {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		in.fault(n, "rules: want a list of rules, each with if and then, not %s", shown(n))
		return
	}
	for _, one := range n.Content {
		r := Rule{Line: one.Line}
		if at := in.read(one, "rule", r.fields()); at["if"] == nil || at["then"] == nil {
			in.fault(one, "rule: want if and then; a rule without conditions has `if: always`")
			continue
		}
		in.b.Rules = append(in.b.Rules, r)
	}
}

// conditions reads an IF part, whose terms must be defined.
func (in *reader) conditions(n *yaml.Node) []Condition {
	text, ok := in.text(n, "if")
	if !ok {
		return nil
	}
	all, f := parseConditions(text)
	if f != nil {
		in.within(n, f)
		return nil
	}
	var columns []string
	for _, t := range in.b.Terms {
		columns = append(columns, t.Column)
	}
	for i, c := range all {
		all[i].Line = n.Line
		var names []string
		for _, t := range in.b.Terms {
			if t.Column == c.Column {
				names = append(names, t.Name)
			}
		}
		before := slices.ContainsFunc(all[:i], func(o Condition) bool { return o.Column == c.Column })
		switch {
		case names == nil:
			in.within(n, faultf(c.at, "terms has no column %s%s", escape.Quote(c.Column), meant(c.Column, columns)))
		case !slices.Contains(names, c.Term):
			in.within(n, faultf(c.at, "%s has no term %s: it has %s%s", escape.Text(c.Column), escape.Quote(c.Term),
				escape.List(names), meant(c.Term, names)))
		case before:
			in.within(n, faultf(c.at, "a second condition on %s: define a term that holds where both do", escape.Text(c.Column)))
		}
	}
	return all
}

// then reads a THEN part: a formula, or one for each output.
func (in *reader) then(n *yaml.Node) (all []Formula) {
	read := func(output string, n *yaml.Node) {
		text, ok := in.text(n, "then")
		if !ok {
			return
		}
		intercept, slopes, f := parseFormula(text)
		if f != nil {
			in.within(n, f)
			return
		}
		all = append(all, Formula{Output: output, Intercept: intercept, Slopes: slopes, Line: n.Line})
	}
	if n.Kind != yaml.MappingNode {
		read("", n)
		return all
	}
	in.each(n, "then", func(key, value *yaml.Node) { read(key.Value, value) })
	return all
}

// within reports a fault within a text: at its place if the file has the text as it is, else where the
// text begins.
func (in *reader) within(n *yaml.Node, f *fault) {
	at := *n
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 && !strings.ContainsAny(n.Value, "\n\"'\\") {
		at.Column += utf8.RuneCountInString(n.Value[:f.at])
		if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
			at.Column++
		}
	}
	in.fault(&at, "%s", f.message)
}
