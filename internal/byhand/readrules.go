package byhand

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/rules"
)

// keeps are the values of keep.
var keeps = []string{"nothing", "if", "then", "all"}

// rules reads the list of rules.
func (in *reader) rules(n *yaml.Node) {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		in.fault(n, "rules: want a list of rules, each with if and then, not %s", shown(n))
		return
	}
	for _, one := range n.Content {
		at := in.fields(one, "rule", "if", "then", "keep", "merged", "off")
		r := Rule{Line: one.Line}
		if at["if"] == nil || at["then"] == nil {
			in.fault(one, "rule: want if and then; a rule without conditions has `if: always`")
			continue
		}
		in.conditions(&r, at["if"])
		in.then(&r, at["then"])
		if k := at["keep"]; k != nil {
			in.keep(&r, k)
		}
		if k := at["merged"]; k != nil {
			var err error
			if r.Merged, err = strconv.Atoi(k.Value); err != nil || r.Merged < 1 || r.Merged > 1_000_000 {
				in.fault(k, "merged: want the number of rules that this one was merged from, at least 1, not %s", shown(k))
			}
		}
		if v := at["off"]; v != nil {
			if r.Off = v.Value == "true"; v.Value != "true" && v.Value != "false" {
				in.fault(v, "off: want true or false, not %s", shown(v))
			}
		}
		in.b.Rules = append(in.b.Rules, r)
	}
}

func (in *reader) keep(r *Rule, n *yaml.Node) {
	if n.Kind != yaml.ScalarNode || !slices.Contains(keeps, n.Value) {
		in.fault(n, "keep: want if, then, all or nothing, not %s%s", shown(n), meant(n.Value, keeps))
	} else if n.Value != keeps[0] {
		r.Keep, _ = rules.ParseKeep(n.Value) // it is in keeps
	}
}

// conditions reads an IF part, whose terms must be defined.
func (in *reader) conditions(r *Rule, n *yaml.Node) {
	text, ok := in.text(n, "if")
	if !ok {
		return
	}
	all, f := parseConditions(text)
	if f != nil {
		in.within(n, f)
		return
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
			in.within(n, faultf(c.at, "%s has no term %s: it has %s%s", escape.Text(c.Column), escape.Quote(c.Term), escape.List(names), meant(c.Term, names)))
		case before:
			in.within(n, faultf(c.at, "a second condition on %s: define a term that holds where both do", escape.Text(c.Column)))
		}
	}
	r.If = all
}

// then reads a THEN part: a formula, or one for each output.
func (in *reader) then(r *Rule, n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		in.formula(r, "", n)
		return
	}
	in.each(n, "then", func(key, value *yaml.Node) { in.formula(r, key.Value, value) })
}

func (in *reader) formula(r *Rule, output string, n *yaml.Node) {
	text, ok := in.text(n, "then")
	if !ok {
		return
	}
	intercept, slopes, f := parseFormula(text)
	if f != nil {
		in.within(n, f)
		return
	}
	r.Then = append(r.Then, Formula{Output: output, Intercept: intercept, Slopes: slopes, Line: n.Line})
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
