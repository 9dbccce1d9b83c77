package recipe

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/loss"
	"github.com/tskgraph/tskgraph/membership"
)

// PageInit is the value of Model.Init for a page, see package page: rules and tables that are found together. Training moves only the ends
// of ramps and refits the other numbers.
const PageInit = "page"

// FromPage reports whether Init is the path of the text of a page, see package page: training keeps its structure and fits its numbers.
func (m Model) FromPage() bool { return strings.EqualFold(filepath.Ext(m.Init), ".txt") }

// OnPage reports whether training gives a page: one that it finds, or that of a file.
func (m Model) OnPage() bool { return m.Init == PageInit || m.FromPage() }

// ReadablePage is the default limit of numbers on a page.
const ReadablePage = 80

// pageMargin is the margin of the presets, in place of which a page has round limits.
const pageMargin = 0.05

// PageMargin returns the margin of predictions that limits a page: none where the page finds round limits itself.
func (m Model) PageMargin() Margin {
	if m.Margin == pageMargin {
		return Unlimited
	}
	return m.Margin
}

// For returns the recipe for a training part. One that trains a page has no race there. Where pages do not suit the target or the inputs,
// rules start from a tree instead, and why says so, such as "it has classes"; it is empty otherwise. The page of a file that does not suit
// them is an error later.
func (r Recipe) For(train *data.Dataset) (of Recipe, why string) {
	if !r.Model.OnPage() {
		return r, ""
	}
	if why = withoutPage(&r, train); why != "" && !r.Model.FromPage() {
		return r.WithoutPage(), why
	}
	r.Train.Race, r.Model.Round = nil, 0 // its numbers are round
	return r, ""
}

// WithoutPage returns the recipe with rules that start from a tree instead of a page, of the shape sigmoid instead of ramp where no race
// chooses it.
func (r Recipe) WithoutPage() Recipe {
	if r.Model.Init != PageInit {
		return r
	}
	r.Model.Init = Tree
	chosen := func(s Setting) bool { return s.Text("membership") != "" }
	if r.Model.Membership == (membership.Ramp{}) && !slices.ContainsFunc(r.Train.Race, chosen) {
		r.Model.Membership = membership.Sigmoid{}
	}
	return r
}

// The most pages of a model, of which a person reads all: of targets or quantiles, and of classes.
const (
	mostPages   = 5
	mostClasses = 3
)

// onPages reports whether the numbers of pages can minimise the loss.
func (t Train) onPages() bool {
	switch t.unweighted(0).(type) {
	case loss.Squared, loss.Absolute, loss.Huber, loss.Quantile, loss.Logistic, loss.Softmax:
		return true
	}
	return false
}

// withoutPage returns why a training part has no page, or an empty string.
func withoutPage(r *Recipe, train *data.Dataset) string {
	targets := train.Schema.Targets()
	switch {
	case len(train.Schema.Classes) > mostClasses:
		return fmt.Sprintf("the target %s has %d classes, more than %d", escape.Quote(targets[0]), len(train.Schema.Classes), mostClasses)
	case len(targets) > mostPages:
		return fmt.Sprintf("there are %d targets, more than %d", len(targets), mostPages)
	case len(r.Train.Params["quantiles"]) > mostPages:
		return fmt.Sprintf("there are %d quantiles (train.quantiles), more than %d", len(r.Train.Params["quantiles"]), mostPages)
	case !r.Train.onPages():
		return fmt.Sprintf("the loss (train.loss) is %s", r.Train.Loss)
	case r.Model.PCA > 0:
		return "rules are over principal components (data.pca)"
	case monotoneOrdinal(r, train):
		return "a monotone column (model.monotone) has levels in an order"
	}
	return ""
}

// monotoneOrdinal reports whether a column with a direction has levels: borders and tables of a page tell levels apart by name.
func monotoneOrdinal(r *Recipe, train *data.Dataset) bool {
	return slices.ContainsFunc(train.Schema.Columns, func(c data.Column) bool { return r.Model.Monotone[c.Name] != nil && !c.Numbers() })
}

// ContradictsPage reports whether keys contradict the page that the recipe trains, such as model.curves.
func (r Recipe) ContradictsPage() bool {
	return r.Model.Membership != nil && slices.ContainsFunc(pageClashes(&r), func(c clash) bool { return c.bad })
}

// pageClashes returns the combinations with a page.
func pageClashes(r *Recipe) []clash {
	if !r.Model.OnPage() {
		return nil
	}
	m := r.Model
	ramps := membership.Ramp{}.Name()
	return []clash{
		{m.Membership.Name() != ramps, "model.membership", "model.init", fmt.Sprintf(
			"%s, but the borders of a page (model.init) are steps and ramps: set it to %s, or model.init to tree", m.Membership.Name(), ramps)},
		{m.Curves != NoCurves, "model.curves", "model.init",
			m.Curves + ", but a page (model.init) has tables of its own: set it to none, or model.init to tree"},
		{m.Transform != "none", "model.transform", "model.init",
			m.Transform + ": the borders of a page (model.init) are in the units of the columns: set it to none"},
		{otherTNorm(r), "model.tnorm", "model.init", m.TNorm + ": a page (model.init) has products of grades: set it to product"},
		{otherDefuzzification(r), "model.defuzzification", "model.init",
			m.Defuzzification + ": the shares of the rules of a page (model.init) sum to one: set it to tsk"},
		{m.Order == 0, "model.order", "model.init", "0, but rules of a page (model.init) have terms: set it to 1"},
		{m.Consequents == LeastSquares, "model.consequents", "model.init",
			"a page (model.init) has least-squares estimates of its own: set it to gradient"},
		{withNeighbours(r), "model.neighbours", "model.init",
			"auto: corrections by neighbours cannot be computed by hand, as a page (model.init) is: set it to none"},
		{withTeacher(r), "train.teacher", "model.init",
			"committee: a page (model.init) learns the target alone: set it to none, or model.init to tree"},
		{r.Prune.Rounds > 0, "prune.rounds", "model.init",
			fmt.Sprintf("%d: a page (model.init) has few rules already: set it to 0, or model.page to fewer numbers", r.Prune.Rounds)},
	}
}

// CheckPage checks that the keys that are set have an effect on the page that the recipe trains: a race, a number of iterations and a
// rounding of numbers have none. Values that `config print` wrote are accepted: the race of the preset and, beside it, any iterations and
// rounding. Errors are of type *[Error], joined.
func (r Recipe) CheckPage(preset string, set func(key string) bool) error {
	p, err := Preset(preset)
	if err != nil || !r.Model.OnPage() || !set("model.init") {
		return err
	}
	var found faults
	add := func(key, format string, a ...any) {
		found.add(&Error{Key: key, With: []string{"model.init"},
			Message: fmt.Sprintf(format, a...) + "; remove the key, or set model.init to tree"})
	}
	if set("train.race") {
		if len(r.Train.Race) > 0 && !narrowed(r.Train.Race, p.Train.Race) {
			add("train.race", "a page (model.init) has no race")
		}
		return found.join()
	}
	if set("train.iterations") && r.Train.Iterations != p.Train.Iterations {
		add("train.iterations", "%d: a page (model.init) has no iterations", r.Train.Iterations)
	}
	if set("model.round") && r.Model.Round != p.Model.Round && r.Model.Round != 0 {
		add("model.round", "%d: the numbers of a page (model.init) are round already", r.Model.Round)
	}
	return found.join()
}

// onPage reports whether a recipe, or a setting of its race, trains a page.
func onPage(r *Recipe) bool { return startsFrom(r, PageInit) }
