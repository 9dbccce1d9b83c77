// Package exporttest provides models of every kind and tables for them, with which tests hold
// exported models to the predictions of package model.
package exporttest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/racedetector"
	"github.com/tskgraph/tskgraph/internal/test/slow"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
)

// Case is a model of one kind.
type Case struct {
	Shape      string // name of a built-in shape, or of one of formulas
	Transform  bool   // skewed features are transformed
	Committee  bool   // of three members
	Components bool   // inputs are principal components
	Response   string // number, classes, targets, quantiles, count or binary

	Curves      string // "", shared or own
	TNorm       string // "": product
	Defuzz      string // "": tsk
	ImputeMeans bool
	Unlimited   bool // predictions have no limits
	Open        bool // conditions are intervals, many open on one side, as those of a tree
}

// Name describes the case, for the name of a subtest.
func (c Case) Name() string {
	name := c.Shape + "-" + c.Response
	for _, o := range []struct {
		on   bool
		text string
	}{
		{c.Transform, "transform"}, {c.Committee, "committee"}, {c.Components, "components"}, {c.Curves != "", c.Curves + "-curves"},
		{c.TNorm != "", c.TNorm}, {c.Defuzz != "", c.Defuzz}, {c.ImputeMeans, "means"}, {c.Unlimited, "unlimited"}, {c.Open, "open"},
	} {
		if o.on {
			name += "-" + o.text
		}
	}
	return name
}

// Responses are the values of Case.Response in the matrix.
var Responses = []string{"number", "classes", "targets", "quantiles"}

// formulas are shapes that are not built in: without and with a logarithm, of all functions.
var formulas = []membership.Formula{
	{Name: "waves", Expr: "clamp(1 - abs(x-c)/(4*s), 0, 1)*(0.75 + 0.25*cos(x-c)) + relu(tanh(s) - 2)", Params: []membership.FormulaParam{{Name: "c", Init: "center"}, {Name: "s", Init: "spread"}}},
	{Name: "softbox", Expr: "sigmoid((x-a)/s)*sigmoid((b-x)/s)", LogExpr: "log(sigmoid((x-a)/s)) + log(sigmoid((b-x)/s))",
		Params: []membership.FormulaParam{{Name: "a", Init: "center - spread"}, {Name: "b", Init: "center + spread"}, {Name: "s", Init: "0.4*spread"}}},
}

// Matrix reports whether make export-matrix or make matrix asks for the whole matrix.
func Matrix() bool { return slow.All() }

// Rows is the number of rows that each case is tested on: 20,000 of the matrix, else 400.
func Rows() int {
	if Matrix() {
		return 20_000
	}
	return 400
}

// Cases returns the cases to test: with [Matrix] every shape with every combination of the first
// fields, else one of each shape; and in both those of the other fields. Under the race detector
// they are four: exporters start no goroutines.
func Cases() []Case {
	if racedetector.Enabled {
		return []Case{
			{Shape: "gaussian", Transform: true, Response: "number"},
			{Shape: "trapezoid", Committee: true, Response: "classes"},
			{Shape: "sigmoid", Components: true, Response: "targets"},
			{Shape: "gaussian", Response: "quantiles", Curves: "own"},
		}
	}
	var all []Case
	for i, shape := range shapeNames() {
		if !Matrix() {
			all = append(all, Case{Shape: shape, Transform: i%2 == 1, Committee: i%3 == 2, Components: i%5 == 4, Response: Responses[i%len(Responses)]})
			continue
		}
		for _, response := range Responses {
			for bits := range 8 {
				all = append(all, Case{Shape: shape, Transform: bits&1 != 0, Committee: bits&2 != 0, Components: bits&4 != 0, Response: response})
			}
		}
	}
	for _, c := range others {
		if !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	return all
}

// others are cases of the other fields.
var others = []Case{
	{Shape: "gaussian", Response: "number"},
	{Shape: "gaussian", Response: "number", Transform: true, Unlimited: true, ImputeMeans: true},
	{Shape: "gaussian", Response: "number", Components: true, Committee: true, ImputeMeans: true},
	{Shape: "gaussian", Response: "count", Transform: true},
	{Shape: "sigmoid", Response: "binary"},
	{Shape: "trapezoid", Response: "number", Curves: "shared"},
	{Shape: "gaussian", Response: "quantiles", Curves: "own", Committee: true},
	{Shape: "gaussian", Response: "classes", Curves: "shared", Components: true},
	{Shape: "gaussian", Response: "number", TNorm: "minimum"},
	{Shape: "triangular", Response: "targets", TNorm: "lukasiewicz"},
	{Shape: "trapezoid", Response: "number", TNorm: "minimum", Defuzz: "htsk"},
	{Shape: "gaussian", Response: "classes", Defuzz: "logtsk"},
	{Shape: "gbell", Response: "number", Defuzz: "htsk"},
	{Shape: "sigmoid", Response: "number", Transform: true, Open: true},
	{Shape: "trapezoid", Response: "number", Open: true},
	{Shape: "gauss2", Response: "classes", Open: true},
	{Shape: "pi", Response: "number", Open: true},
}

func shapeNames() []string {
	names := membership.Names()
	for _, f := range formulas {
		names = append(names, f.Name)
	}
	return names
}

func lookupShape(name string) (membership.Function, error) {
	for _, f := range formulas {
		if f.Name == name {
			return f.Shape()
		}
	}
	return membership.Lookup(name)
}

// Each runs a subtest for each case, with its model and a table for it.
func Each(t *testing.T, test func(t *testing.T, c Case, m *model.Model, table *Table)) {
	for _, c := range Cases() {
		t.Run(c.Name(), func(t *testing.T) {
			m, err := c.Model()
			if err != nil {
				t.Fatal(fmt.Errorf("%s: %w", c.Name(), err))
			}
			table, err := NewTable(m, Rows())
			if err != nil {
				t.Fatal(fmt.Errorf("%s: %w", c.Name(), err))
			}
			test(t, c, m, table)
		})
	}
}
