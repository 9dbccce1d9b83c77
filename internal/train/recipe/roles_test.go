package recipe_test

import (
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/internal/train/recipe"
	"github.com/tskgraph/tskgraph/rules"
)

// TestRolesOfASchema: roles and interactions name columns, and do not contradict one another and directions.
func TestRolesOfASchema(t *testing.T) {
	increasing := map[string]recipe.Direction{recipe.AllTargets: 1}
	d := &data.Dataset{Schema: columns(), X: [][]float64{{1, 2, 1, 0}, {2, 1, 0, 1}}, Y: []float64{0, 1}}
	for want, change := range map[string]func(m *recipe.Model){
		"": func(m *recipe.Model) {
			m.Roles = recipe.Roles{"outside": 1, "size": 2, "day": 3, "gone": recipe.NoPart}
			m.Interactions = recipe.Interactions{{"outside", "size"}, {"day"}}
		},
		`model.roles: no column "outsid" among the features; did you mean "outside"?`: func(m *recipe.Model) {
			m.Roles = recipe.Roles{"outsid": 1}
		},
		`model.roles: "day=mon" is a level of a column: name the column`: func(m *recipe.Model) { m.Roles = recipe.Roles{"day=mon": 1} },
		`model.interactions: no column "wind" among the features`: func(m *recipe.Model) {
			m.Interactions = recipe.Interactions{{"outside", "wind"}}
		},
		`model.interactions: group 1 has "day", whose role is none (model.roles): remove it from the group`: func(m *recipe.Model) {
			m.Roles, m.Interactions = recipe.Roles{"day": recipe.NoPart}, recipe.Interactions{{"outside", "day"}}
		},
		`model.interactions: group 2 has no column`: func(m *recipe.Model) { m.Interactions = recipe.Interactions{{"day"}, {}} },
		`model.monotone: "outside": the model does not use it (role none of model.roles)`: func(m *recipe.Model) {
			m.Roles, m.Monotone = recipe.Roles{"outside": recipe.NoPart}, recipe.Monotone{"outside": increasing}
		},
		`model.monotone: "size": its role is if (model.roles)`: func(m *recipe.Model) {
			m.Roles, m.Monotone = recipe.Roles{"size": recipe.Role(rules.KeepIf)}, recipe.Monotone{"size": increasing}
		},
		`model.roles: no column may occur in a rule`: func(m *recipe.Model) {
			m.Roles = recipe.Roles{"outside": recipe.NoPart, "size": recipe.NoPart, "day": recipe.NoPart}
		},
		`model.interactions: a grid (model.init)`: func(m *recipe.Model) {
			m.Init, m.Rules, m.Interactions = recipe.Grid, 0, recipe.Interactions{{"day"}}
		},
	} {
		r := recipe.Robust()
		r.Train.Race = nil
		change(&r.Model)
		err := r.Validate()
		if err == nil {
			err = recipe.CheckTarget(r, d)
		}
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestMeet: columns meet within one group; a single column may always occur.
func TestMeet(t *testing.T) {
	groups := recipe.Interactions{{"a", "b"}, {"b", "c"}}
	for _, c := range []struct {
		columns string
		want    bool
	}{{"", true}, {"a", true}, {"z", true}, {"z z", true}, {"a b", true}, {"c b c", true}, {"a c", false}, {"a b c", false}, {"a z", false}} {
		of := strings.Fields(c.columns)
		if got := groups.Meet(of...); got != c.want {
			t.Errorf("%s meet: %t", c.columns, got)
		}
		if !recipe.Interactions(nil).Meet(of...) {
			t.Errorf("%s do not meet, though there are no groups", c.columns)
		}
	}
}

// TestBoundRoles: rules do not mention what roles and interactions keep out of them; the group of a rule is that of the columns that it
// mentions.
func TestBoundRoles(t *testing.T) {
	for _, c := range []struct {
		name    string
		of      recipe.Model
		flat    []int // features of both rules, of outside, day=mon and day=sun
		without [][]rules.Keep
		want    string
		saved   bool
	}{
		{name: "roles", of: recipe.Model{Roles: recipe.Roles{"outside": recipe.Role(rules.KeepThen), "day": recipe.Role(rules.KeepIf)}},
			without: [][]rules.Keep{{1, 2, 2}, {1, 2, 2}}},
		{name: "both", of: recipe.Model{Roles: recipe.Roles{"outside": recipe.Role(rules.KeepAll)}},
			without: [][]rules.Keep{{0, 0, 0}, {0, 0, 0}}},
		{name: "alone", of: recipe.Model{Interactions: recipe.Interactions{{"outside"}}}, flat: []int{1, 2},
			without: [][]rules.Keep{{0, 3, 3}, {0, 3, 3}}},
		{name: "apart", of: recipe.Model{Interactions: recipe.Interactions{{"outside"}, {"day"}}},
			want: `model.interactions: rule 1 of model.init mentions "outside", "day", which no group has together`},
		{name: "by hand", of: recipe.Model{Init: "my.yaml", Roles: recipe.Roles{"outside": recipe.Role(rules.KeepIf)}},
			want: `model.init: the THEN part of rule 1 mentions a column that model.roles`},
		{name: "together", of: recipe.Model{Interactions: recipe.Interactions{{"day", "outside"}}},
			without: [][]rules.Keep{{0, 0, 0}, {0, 0, 0}}},
		{name: "saved", of: recipe.Model{Roles: recipe.Roles{"outside": recipe.Role(rules.KeepThen)}}, saved: true,
			without: [][]rules.Keep{{1, 0, 0}, {1, 2, 0}}},
	} {
		p, rb := prepared(t, columns())
		if c.saved { // a saved model keeps what it has
			rb.Signs, rb.Without = []int{0, 1, 0, 0}, [][]rules.Keep{{0, 0, 0}, {0, rules.KeepThen, 0}}
		}
		for r := range 2 {
			for _, m := range c.flat {
				rb.Flatten(r, m)
			}
			rb.Consequents[r] = []float64{1, 2, 0, 0}
		}
		err := c.of.Bound(rb, p)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", c.name, err, c.want)
			}
			continue
		}
		testenv.OK(t, err)
		if c.saved && rb.Signs == nil {
			t.Error("the signs of the saved model are gone")
		}
		if err := rb.Validate(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for r, row := range c.without {
			for m, parts := range row {
				if got := rb.Without[r][m]; got != parts || parts&rules.KeepIf != 0 && !rb.IsFlat(r, m) {
					t.Errorf("%s: rule %d, feature %d: without %v, want %v; flat: %t", c.name, r, m, got, parts, rb.IsFlat(r, m))
				}
			}
		}
	}
}
