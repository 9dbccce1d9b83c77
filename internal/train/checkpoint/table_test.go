package checkpoint_test

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/checkpoint"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/optim"
	"github.com/tskgraph/tskgraph/penalty"
)

// base returns a recipe whose values can be changed one at a time.
func base() recipe.Recipe {
	r := recipe.Paper()
	r.Train.Batch, r.Train.DropRule, r.Prune.Rounds = 0, 1, 2 // least squares and anfis need these
	r.Model.Init = recipe.Tree                                // model.softness needs it
	r.Model.Curves = recipe.OwnCurves                         // model.knots and the penalties of curves need it
	return r
}

// leaf is a value in a recipe: a field, an option of an optimizer, or a parameter of a loss.
type leaf struct {
	name   string
	option string // of an optimizer, or a parameter
	index  []int  // of the field
}

func (l leaf) in(r *recipe.Recipe) reflect.Value {
	return reflect.ValueOf(r).Elem().FieldByIndex(l.index)
}

// leaves returns all values of a recipe, with the options of every optimizer.
func leaves() (all []leaf) {
	var walk func(at reflect.Type, name string, index []int)
	walk = func(at reflect.Type, name string, index []int) {
		for i := range at.NumField() {
			f := at.Field(i)
			l := leaf{name: name + f.Name, index: append(slices.Clone(index), i)}
			switch {
			case f.Type.Kind() == reflect.Struct:
				walk(f.Type, l.name+".", l.index)
			case f.Type == reflect.TypeFor[optim.Values]():
				for _, o := range optim.OptionsOfSolvers() {
					all = append(all, leaf{l.name + "." + o.Name, o.Name, l.index})
				}
			case f.Type == reflect.TypeFor[loss.Values]():
				for name := range params() {
					all = append(all, leaf{l.name + "." + name, name, l.index})
				}
			default:
				all = append(all, l)
			}
		}
	}
	walk(reflect.TypeFor[recipe.Recipe](), "", nil)
	return all
}

// params returns by the names of the parameters of losses and penalties what sets them to other values than the default.
func params() map[string]func(t *recipe.Train) {
	all := map[string]func(t *recipe.Train){}
	for _, p := range loss.Params() {
		all[p.Name] = func(t *recipe.Train) { t.Loss = p.Of; t.Params.Set(p.Name, p.Default[0]*0.75+0.01) }
	}
	for _, p := range penalty.Params() {
		all[p.Name] = func(t *recipe.Train) { t.Params.Set(p.Name, p.Default[0]*0.75+0.01) }
	}
	return all
}

// baseOf returns the recipe in which a value is changed: one that trains a page for the numbers on it, and for interactions one without
// own curves.
func baseOf(l leaf) recipe.Recipe {
	r := base()
	switch l.name {
	case "Model.Page":
		return recipe.Readable()
	case "Model.Interactions":
		r.Model.Curves = recipe.SharedCurves
	}
	return r
}

// rowsOf returns the rows whose value changes with another one.
func rowsOf(table []recipe.Key, l leaf) (rows []recipe.Key) {
	before, after := baseOf(l), changes(l, recipe.Key{})[0]
	if l.option != "" {
		before.Train.Optimizer, before.Train.Loss = after.Train.Optimizer, after.Train.Loss
	}
	for _, k := range table {
		if k.Field(&before).Text() != k.Field(&after).Text() {
			rows = append(rows, k)
		}
	}
	return rows
}

// changes returns recipes that differ from the base in one value; at least one is valid.
func changes(l leaf, k recipe.Key) (all []recipe.Recipe) {
	if l.option != "" {
		for _, o := range optim.OptionsOfSolvers() {
			if o.Name == l.option {
				r := baseOf(l)
				r.Train.Optimizer = o.Solvers[0]
				r.Train.Solver.Set(o.Name, o.Defaults[0]*0.75+0.01)
				all = append(all, r)
			}
		}
		if set, ok := params()[l.option]; ok {
			r := baseOf(l)
			set(&r.Train)
			all = append(all, r)
		}
		return all
	}
	with := func(value any) {
		r := baseOf(l)
		if l.in(&r).Set(reflect.ValueOf(value)); value == recipe.LeastSquares {
			r.Model.Curves = recipe.NoCurves
		}
		all = append(all, r)
	}
	start := baseOf(l)
	switch v := l.in(&start).Addr().Interface().(type) {
	case *string:
		for _, word := range append(slices.Clone(k.Choices), recipe.Presets()...) {
			if word != *v && (k.Choices == nil || slices.Contains(k.Choices, word)) {
				with(word)
			}
		}
	case *int:
		with(*v + 1)
		with(*v - 1)
	case *uint64:
		with(*v + 1)
	case *float64:
		with(*v*0.5 + 0.125)
	case *bool:
		with(!*v)
	case *recipe.Margin:
		with(recipe.Margin(0.25))
	case **recipe.Range:
		with(&recipe.Range{0, 9})
	case *recipe.Numbers:
		with(recipe.Numbers{0.25, 0.75})
	case *recipe.Monotone:
		with(recipe.Monotone{"x": {recipe.AllTargets: -1}})
	case *recipe.Roles:
		with(recipe.Roles{"x": recipe.NoPart})
	case *recipe.Interactions:
		with(recipe.Interactions{{"x", "y"}})
	case *membership.Function:
		with(membership.Trapezoid{})
	case *[]recipe.Setting:
		with([]recipe.Setting{{"l2": 0.25}})
	}
	return all
}

// TestEveryValueHasItsRow changes every value of a recipe in turn: exactly one row of the
// table points to it, the identity of a checkpoint changes, and the recipe of a model that
// was trained with it has the value.
func TestEveryValueHasItsRow(t *testing.T) {
	m := testenv.Must(model.Load("../../../model/testdata/model.json"))
	for _, l := range leaves() {
		rows := rowsOf(recipe.Keys(), l)
		if l.name == "Preset" { // the one value that is in no section
			rows = []recipe.Key{{Name: "preset"}}
		}
		if len(rows) != 1 {
			t.Errorf("%s: %d rows of the table point to it, want one", l.name, len(rows))
			continue
		}
		differ := false
		for _, r := range changes(l, rows[0]) {
			is, err := checkpoint.Of(r, nil)
			if err != nil {
				continue // another choice is valid
			}
			before := baseOf(l)
			if l.option != "" {
				before.Train.Optimizer = r.Train.Optimizer
			}
			if l.name == "Model.Consequents" {
				before.Model.Curves = r.Model.Curves
			}
			was := testenv.Must(checkpoint.Of(before, nil))
			differ = differ || !maps.Equal(was, is) // auto does not differ from the value it resolves to
			if rows[0].Field != nil {
				continues(t, m, rows[0], r)
			}
		}
		if !differ {
			t.Errorf("%s: the identity of a checkpoint is the same with another value", l.name)
		}
	}
}

// ofTheModel are keys that the recipe of a saved model takes from the model itself or
// resets; see [recipe.Of].
var ofTheModel = []string{"data.pca", "model.rules", "model.membership", "model.init", "model.engine",
	"model.curves", "model.tnorm", "model.defuzzification", "train.patience", "train.members", "train.teacher"}

// continues checks that the recipe of a model that was trained with r has the value of a
// key, if the model file keeps it.
func continues(t *testing.T, m *model.Model, k recipe.Key, r recipe.Recipe) {
	t.Helper()
	used := testenv.Must(r.Resolve())
	values := used.Values()
	if _, kept := values[k.Name]; !kept || slices.Contains(ofTheModel, k.Name) {
		return
	}
	m.Training.Options = values
	if k.Name == "train.loss" && m.Validate() != nil {
		return // a loss of classes, which the model has not
	}
	again := testenv.Must(recipe.Of(m))
	if got, want := k.Field(&again).Get(), k.Field(&r).Get(); !reflect.DeepEqual(got, want) {
		t.Errorf("%s: continued with %v, want %v", k.Name, got, want)
	}
}

// TestAMissingRowIsFound: if any row of the table is removed, a value has no row.
func TestAMissingRowIsFound(t *testing.T) {
	for i, k := range recipe.Keys() {
		less := slices.Delete(recipe.Keys(), i, i+1)
		without := slices.ContainsFunc(leaves(), func(l leaf) bool { return l.name != "Preset" && len(rowsOf(less, l)) == 0 })
		if !without {
			t.Errorf("%s: no value lacks a row without it", k.Name)
		}
	}
}

// TestNamesAndOrder: keys of races and searches have unique names; keys of searches have
// an order and a list or initial values.
func TestNamesAndOrder(t *testing.T) {
	names, orders := map[string]bool{}, map[int]bool{}
	for _, k := range recipe.Keys() {
		if !k.Race && k.Draw == nil {
			continue
		}
		if names[k.Own()] {
			t.Errorf("%s: another key has this name in its section", k.Name)
		}
		names[k.Own()] = true
		d := k.Draw
		if d == nil {
			continue
		}
		if orders[d.Order] || d.Order < 1 {
			t.Errorf("%s: the order %d is none, or that of another key", k.Name, d.Order)
		}
		orders[d.Order] = true
		if d.Listed() != (recipe.Doc("tune."+k.Own(), nil) != "") || !d.Listed() && !k.Race {
			t.Errorf("%s: neither a list and its meaning nor values from a race: %+v", k.Name, d)
		}
		if k, ok := recipe.Lookup("train." + d.Along); d.Along != "" && (!ok || !k.Draw.Listed()) {
			t.Errorf("%s keeps its ratio to %s, which no search draws", k.Name, d.Along)
		}
	}
}
