// Package js writes models as JavaScript: an ES module, a CommonJS module, and their types. They
// have no dependencies and run in browsers and in Node.js from version 16.
//
// Both modules have a function predict, whose argument is an object with a property for each
// column: a number, the text of a category, or null for a missing value, as which NaN and an
// empty text count too. [export.Blanks] around a text do not count. It returns an object with
//
//   - prediction: a number; of several targets an object of numbers by target; of quantiles the
//     one nearest to the median; of classes the most probable class, null without a prediction;
//   - quantiles, by level, or probabilities, by class;
//   - covered, whether rules of all members cover the row, and limited, whether a limit of the
//     target applied.
//
// The function explain returns in addition what each rule of each member says, in words and in
// numbers, with its normalised firing level. The constants columns and outputs describe both.
//
// The evaluator, in evaluate.js, is also that of the page of `tskgraph report`.
package js

import (
	_ "embed" // predict.js, types.d.ts
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/model"
)

func init() {
	export.Register(export.Target{Title: "js",
		Meaning: "an ES module, a CommonJS module and TypeScript's types of both, without dependencies", File: "model.mjs", Writing: Write})
}

var (
	//go:embed predict.js
	functions string

	//go:embed types.d.ts
	commonTypes string
)

// Write writes a form: the ES module, then beside it STEM.cjs and the types of both.
func Write(f *export.Form, o export.Options) (*export.Result, error) {
	stem := o.Stem
	if stem == "" {
		stem = "model"
	}
	body, err := body(f)
	if err != nil {
		return nil, err
	}
	const names = "{ predict, explain, columns, outputs }"
	head, types := fmt.Sprintf("// Written by tskgraph %s: predictions of %s by a TSK fuzzy model.\n", buildinfo.Version,
		export.Labelled(f.Target, f.Unit)), types(f)
	return &export.Result{Files: []export.File{
		{Data: []byte(head + "\n" + body + "\nexport " + names + ";\n")},
		{Name: stem + ".cjs", Data: []byte(head + "\"use strict\";\n\n" + body + "\nmodule.exports = " + names + ";\n")},
		{Name: stem + ".d.mts", Data: []byte(head + types)},
		{Name: stem + ".d.cts", Data: []byte(head + types)},
	}}, nil
}

// column describes a column.
type column struct {
	Name     string   `json:"name"`
	Unit     string   `json:"unit,omitempty"`
	Encoding string   `json:"encoding"`
	Levels   []string `json:"levels,omitempty"`
	Missing  bool     `json:"missing,omitempty"` // a second feature of numbers is about missing cells
	Min      *float64 `json:"min,omitempty"`     // of a number in the training part
	Max      *float64 `json:"max,omitempty"`
}

// output describes an output. The name of a quantile is its level.
type output struct {
	Name string `json:"name"`
	Unit string `json:"unit,omitempty"`
}

// rule is a rule in words.
type rule struct {
	If   []string `json:"if"`
	Then []string `json:"then"`
}

// body returns the constants of a form and the functions, which are the same for all.
func body(f *export.Form) (string, error) {
	var columns []column
	for _, c := range f.Columns {
		one := column{Name: c.Name, Unit: c.Unit, Encoding: c.Kind(), Levels: c.Levels}
		if c.Numbers() {
			one.Missing = c.Missing
			one.Min, one.Max = &c.Min, &c.Max
		}
		columns = append(columns, one)
	}
	var outputs []output
	for _, o := range f.Outputs {
		outputs = append(outputs, output{o.Choice(), o.Unit})
	}
	script := NewModel(f)
	var b strings.Builder
	for _, c := range []struct {
		name  string
		value any
	}{
		{"kind", f.Kind.String()}, {"columns", columns}, {"outputs", outputs}, {"median", f.Median()}, {"model", script},
		{"blanks", export.Blanks}, {"rules", inWords(f)},
	} {
		text, err := json.Marshal(c.value)
		if c.name == "rules" {
			text, err = json.MarshalIndent(c.value, "", " ")
		}
		if err != nil {
			return "", fmt.Errorf("js: %s: %w", c.name, err)
		}
		fmt.Fprintf(&b, "const %s = %s;\n", c.name, escape.JSON(text))
	}
	return b.String() + script.Evaluator() + "\n" + functions, nil
}

// outputNames returns the names of the outputs: targets, classes, or levels of quantiles.
func outputNames(f *export.Form) []string {
	var names []string
	for _, o := range f.Outputs {
		names = append(names, o.Choice())
	}
	return names
}

// inWords returns the rules of each member in words.
func inWords(f *export.Form) (members [][]rule) {
	of, models := []words.Description{words.Model(f.Model)}, []*model.Model{f.Model}
	if len(of[0].Members) > 0 {
		of, models = of[0].Members, f.Model.Members
	}
	for k, d := range of {
		var all []rule
		listed := make([][]words.Rule, models[k].RuleBase.Rules())
		for r := range listed {
			if models[k].Pages == nil {
				listed[r] = []words.Rule{d.Rules[r]}
			}
		}
		for _, r := range d.Rules {
			for _, number := range r.Fires { // of a page's rule one or several, which are one of each page
				listed[number-1] = append(listed[number-1], r)
			}
		}
		for _, some := range listed {
			all = append(all, joined(d, some))
		}
		members = append(members, all)
	}
	return members
}

// joined returns a rule in words that is one of a model, or joins one of each of its pages.
func joined(d words.Description, some []words.Rule) rule {
	one, always := rule{[]string{}, []string{}}, []string{}
	for _, r := range some {
		said := d.Say(r)
		cells := said.Cells()
		if one.Then = append(one.Then, cells[2]...); len(said.If) == 0 {
			always = cells[1]
			continue
		}
		for _, c := range cells[1] {
			if !slices.Contains(one.If, c) {
				one.If = append(one.If, c)
			}
		}
	}
	if len(one.If) == 0 {
		one.If = append(one.If, always...)
	}
	return one
}

// types returns the types of a module in TypeScript.
func types(f *export.Form) string {
	var b strings.Builder
	b.WriteString("\n/** A row of a table, by column. NaN, null and an empty text are missing values. */\nexport interface Row {\n")
	for _, c := range f.Columns {
		about, kind := strings.TrimSpace(c.Unit+fmt.Sprintf(", from %v to %v in training", c.Min, c.Max)), "number"
		if about = strings.TrimPrefix(about, ", "); !c.Numbers() {
			about, kind = c.Unit, union(c.Levels)+" | (string & {})" // as which editors complete the levels
		}
		b.WriteString(comment("  ", about))
		fmt.Fprintf(&b, "  %s: %s | null;\n", quote(c.Name), kind)
	}
	b.WriteString("}\n\n/** What is predicted. */\nexport interface Answer {\n" + answerType(f) + "}\n\n" + commonTypes)
	return b.String()
}

// answerType returns the properties of an answer.
func answerType(f *export.Form) string {
	names := outputNames(f)
	numbers := "{ "
	for _, name := range names {
		numbers += quote(name) + ": number; "
	}
	numbers += "}"
	switch {
	case f.Kind == export.Classes:
		return fmt.Sprintf("  /** The most probable class; null without a prediction. */\n  prediction: %s | null;\n  probabilities: %s;\n",
			union(names), numbers)
	case f.Kind == export.Quantiles:
		return fmt.Sprintf("  /** The quantile nearest to the median. */\n  prediction: number;\n  /** By level. */\n  quantiles: %s;\n", numbers)
	case len(names) > 1:
		return "  /** By target; NaN without a prediction. */\n  prediction: " + numbers + ";\n"
	}
	return comment("  ", export.Labelled(f.Target, f.Unit)+"; NaN without a prediction.") + "  prediction: number;\n"
}

// comment returns a line of documentation; none without a text.
func comment(indent, text string) string {
	if text == "" {
		return ""
	}
	return indent + "/** " + strings.ReplaceAll(escape.Text(text), "*/", "*\\/") + " */\n"
}

// union returns the type of some texts.
func union(texts []string) string {
	var quoted []string
	for _, text := range texts {
		quoted = append(quoted, quote(text))
	}
	return strings.Join(quoted, " | ")
}

// quote returns a text as a literal.
func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string has a JSON form
	}
	return string(escape.JSON(quoted))
}
