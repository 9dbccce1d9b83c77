package recipe

import (
	"math"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/byhand"
	"github.com/tskgraph/tskgraph/interval"
	"github.com/tskgraph/tskgraph/membership"
)

// Model is the `model:` section of config.yaml, and data.pca.
type Model struct {
	Rules      int                 // R, at least 1; if Init is a file or grid, 0: its number of rules; of a file of rules, at least that
	Membership membership.Function // the shape, such as membership.Gaussian{}
	// an initialiser, see the table of keys, the file of a saved model whose rules and preprocessing training continues
	// with, or a file of rules
	Init   string
	Page   int    // with Init page: the most numbers on it, see page.Page.Numbers
	TNorm  string // the t-norm of the antecedents, see package inference
	Engine string // autodiff, fused, or auto: the fastest that supports the shape

	Defuzzification string // of the rules' outputs, see package inference

	// Consequents selects how the THEN parts are learned: gradient, by the optimizer like
	// the antecedents, or least-squares, solving for them after each update of the
	// antecedents (package lse). The latter requires full batches and all rules:
	// Train.Batch 0, Train.DropRule 1.
	Consequents string

	// PCA is data.pca of config.yaml: the number of principal components of the
	// standardised features that replace these as inputs of the rules; 0: none. If there
	// are at most PCA features, the features themselves are used.
	PCA int

	// most features that the IF part of a rule mentions, on average; 0: all. The others are dropped after 0.3 of a
	// training, see rules.Shorten
	Antecedents float64
	// most terms (slopes that are not zero) in the THEN part of a rule, on average; 0: all. The others are removed after
	// 0.6 of a training, see lse.RemoveTerms
	Terms        float64
	Round        int          // significant digits of the numbers that a trained model is printed with, see model.Round; 0: all
	Order        int          // of the consequents: 1, linear, or 0, constants
	Curves       string       // in the consequents, see rules.RuleBase: none, shared by all rules, or own of every rule
	Knots        int          // k, intervals between the knots of a curve, see rules.SortedColumns
	Monotone     Monotone     // directions of columns; nil: none, or those of a saved model
	Roles        Roles        // of columns; nil: all in both parts
	Interactions Interactions // columns that may meet; nil: all
	Transform    string       // of the features for the antecedents: none, or yeo-johnson for skewed ones, see model.Power
	Softness     float64      // of the borders of a tree, see tree.Tree.Rules
	SpreadFloor  float64      // least spread, in scaled units; 0: a tenth of the smallest initial one
	Margin       Margin       // of predictions around the range of the training targets
	// none, or auto: correct predictions by the errors on similar training samples if that lowers the leave-one-out error,
	// see model.Neighbours
	Neighbours string
	// fixed limits of predictions, besides those of Margin; nil: none. A saved model keeps its Margin and the narrower
	// bounds
	Range *Range
}

// Margin is the distance, as a share of the range of the training targets, by which
// predictions may leave this range on either side. [Unlimited] is no limit.
type Margin float64

// Unlimited is the margin of predictions without limits.
var Unlimited = Margin(math.Inf(1))

// Range holds limits of predictions, low and high; infinite: no limit.
type Range [2]float64

// SavedModel is the value of Model.Init that [Of] sets: training continues from a model
// in memory.
const SavedModel = "saved model"

// LeastSquares is the value of Model.Consequents for least-squares estimates.
const LeastSquares = "least-squares"

// Values of Model.Curves.
const (
	NoCurves     = "none"
	SharedCurves = "shared"
	OwnCurves    = "own"
)

// Values of Model.Neighbours.
const (
	NoNeighbours   = "none"
	AutoNeighbours = "auto"
)

// Values of Model.Init for a grid of 2^M rules, for the leaves of a tree of linear models, and for
// clusters class by class.
const (
	Grid    = "grid"
	Tree    = "tree"
	ByClass = "by-class"
)

// FromFile reports whether Init is the path of a saved model or of the directory of its
// run instead of the name of an initialiser: whether it contains a dot, a slash or a
// backslash.
func (m Model) FromFile() bool { return IsPath(m.Init) && !m.FromRules() }

// FromRules reports whether Init is the path of a file of rules, by its extension, see package
// knowledge: training starts with these rules.
func (m Model) FromRules() bool { return byhand.IsFile(m.Init) }

// IsPath reports whether a value of model.init is a path rather than a name.
func IsPath(text string) bool { return strings.ContainsAny(text, `./\`) }

// Limits of the numbers on a page.
const (
	LeastPage = 10
	MostPage  = 500
)

// Limits of counts: larger values are mistakes that would exhaust memory or time.
const (
	MaxCount      = 1_000_000_000
	MaxRules      = 100_000
	MaxKnots      = 1000
	maxMembers    = 10_000
	maxRounds     = 1000 // of pruning
	maxRaceSplits = 1000
)

var dataKeys = []Key{
	{Name: "data.pca", Limits: interval.From(0).To(MaxCount),
		Field: func(r *Recipe) Field { return Whole(&r.Model.PCA) },
		Shown: func(r *Recipe) bool { return r.Model.PCA > 0 }, Kept: func(r *Recipe) bool { return r.Model.PCA != 0 }},
}

// ruleKeys returns the keys of the IF parts and of where rules start, with the values that are
// registered.
func ruleKeys() []Key {
	return []Key{
		{Name: "model.rules", Race: true, Limits: interval.From(1).To(MaxRules), ZeroWhere: countsItself,
			Draw:  &Draw{Order: 1, Heading: "rules", Values: []any{8, 16, 32, 64}},
			Field: func(r *Recipe) Field { return Whole(&r.Model.Rules) },
			Shown: func(r *Recipe) bool { return r.Model.Rules > 0 }, Kept: func(r *Recipe) bool { return r.Model.Rules != 0 }},
		{Name: "model.membership", Race: true, Doc: Doc("model.membership", membership.Names()),
			Draw:  &Draw{Order: 2, Heading: "membership", Values: []any{membership.Gaussian{}}},
			Field: func(r *Recipe) Field { return at(&r.Model.Membership, &shapes) }},
		{Name: "model.tnorm", Label: "t-norm", Choices: namesOf(inference.TNorms()),
			Field: func(r *Recipe) Field { return Word(&r.Model.TNorm) },
			Shown: otherTNorm, Kept: otherTNorm},
		{Name: "model.defuzzification", Race: true, Choices: namesOf(inference.Defuzzifications()),
			Draw:  &Draw{Order: 20, Inherited: true},
			Field: func(r *Recipe) Field { return Word(&r.Model.Defuzzification) },
			Shown: otherDefuzzification, Kept: otherDefuzzification},
		{Name: "model.init", Race: true, Choices: []string{"auto", "fcm", "kmeans", ByClass, "one-feature", Grid, Tree, PageInit, "genfis"},
			OrModel: true, Doc: Doc("model.init", byhand.Extensions()),
			Draw:  &Draw{Order: 4, Heading: "start"},
			Field: func(r *Recipe) Field { return Word(&r.Model.Init) }},
		{Name: "model.page", Limits: interval.From(LeastPage).To(MostPage), Label: "numbers on the page",
			Field: func(r *Recipe) Field { return Whole(&r.Model.Page) }, Shown: onPage, Kept: onPage},
	}
}

var modelKeys = []Key{
	{Name: "model.engine", Choices: []string{"auto", "fused", "autodiff"},
		Field: func(r *Recipe) Field { return Word(&r.Model.Engine) }},
	{Name: "model.consequents", Choices: []string{"gradient", LeastSquares},
		Field: func(r *Recipe) Field { return Word(&r.Model.Consequents) }},
	{Name: "model.antecedents", Race: true, Label: "conditions per rule", Limits: interval.From(0),
		Draw:  &Draw{Order: 3, Heading: "features", ZeroIsAll: true, Values: []any{3.0, 5.0, 0.0}},
		Field: func(r *Recipe) Field { return Real(&r.Model.Antecedents) }},
	{Name: "model.terms", Race: true, Label: "terms per rule", Limits: interval.From(0),
		Draw:  &Draw{Order: 18},
		Field: func(r *Recipe) Field { return Real(&r.Model.Terms) },
		Kept:  func(r *Recipe) bool { return r.Model.Terms != 0 }},
	{Name: "model.round", Limits: interval.From(0).To(15),
		Field: func(r *Recipe) Field { return Whole(&r.Model.Round) },
		Kept:  func(r *Recipe) bool { return r.Model.Round != 0 }},
	{Name: "model.order", Limits: interval.From(0).To(1),
		Field: func(r *Recipe) Field { return Whole(&r.Model.Order) }},
	{Name: "model.curves", Race: true, Choices: []string{NoCurves, SharedCurves, OwnCurves},
		Draw:  &Draw{Order: 13, Heading: "curves"},
		Field: func(r *Recipe) Field { return Word(&r.Model.Curves) },
		Kept:  withCurves},
	{Name: "model.knots", Race: true, Limits: interval.From(2).To(MaxKnots),
		Draw:  &Draw{Order: 14, Values: []any{8, 16, 32}},
		Field: func(r *Recipe) Field { return Whole(&r.Model.Knots) },
		Shown: withCurves, Kept: withCurves},
	{Name: "model.roles", Example: "{}",
		Field: func(r *Recipe) Field { return at(&r.Model.Roles, &roles) },
		Shown: withRoles, Kept: withRoles},
	{Name: "model.interactions", Example: "[]",
		Field: func(r *Recipe) Field { return at(&r.Model.Interactions, &togethers) },
		Shown: withInteractions, Kept: withInteractions},
	{Name: "model.monotone", Example: "{}",
		Field: func(r *Recipe) Field { return at(&r.Model.Monotone, &monotones) },
		Shown: withMonotone, Kept: withMonotone},
	{Name: "model.transform", Choices: []string{"yeo-johnson", "none"},
		Field: func(r *Recipe) Field { return Word(&r.Model.Transform) }},
	{Name: "model.softness", Race: true, Limits: interval.Above(0),
		Draw:  &Draw{Order: 19},
		Field: func(r *Recipe) Field { return Real(&r.Model.Softness) },
		Shown: fromTree, Kept: fromTree},
	{Name: "model.spread_floor", Limits: interval.From(0),
		Field: func(r *Recipe) Field { return Real(&r.Model.SpreadFloor) }},
	{Name: "model.margin", Limits: interval.From(0),
		Field: func(r *Recipe) Field { return at(&r.Model.Margin, &margins) }},
	{Name: "model.range",
		Field: func(r *Recipe) Field { return at(&r.Model.Range, &limits) },
		Shown: func(r *Recipe) bool { return r.Model.Range != nil }, Kept: func(r *Recipe) bool { return r.Model.Range != nil }},
	{Name: "model.neighbours", Choices: []string{NoNeighbours, AutoNeighbours},
		Field: func(r *Recipe) Field { return Word(&r.Model.Neighbours) },
		Shown: withNeighbours, Kept: withNeighbours},
}

// withCurves reports whether THEN parts have curves, in a setting of the race at least.
func withCurves(r *Recipe) bool {
	return r.Model.Curves != NoCurves || slices.ContainsFunc(r.Train.Race, func(s Setting) bool {
		curves := s.Text("curves")
		return curves != "" && curves != NoCurves
	})
}

func withMonotone(r *Recipe) bool { return len(r.Model.Monotone) > 0 }

func withRoles(r *Recipe) bool { return len(r.Model.Roles) > 0 }

func withInteractions(r *Recipe) bool { return r.Model.Interactions != nil }

func withNeighbours(r *Recipe) bool { return r.Model.Neighbours == AutoNeighbours }

func otherTNorm(r *Recipe) bool { return r.Model.TNorm != (inference.Product{}).Name() }

func otherDefuzzification(r *Recipe) bool { return r.Model.Defuzzification != (inference.TSK{}).Name() }

func namesOf[T interface{ Name() string }](all []T) []string {
	var names []string
	for _, v := range all {
		names = append(names, v.Name())
	}
	return names
}

// Inference returns the t-norm and the defuzzification of a rulebase; nil for the product and
// for TSK. The recipe must be valid.
func (m Model) Inference() (t inference.TNorm, d inference.Defuzzification) {
	if m.TNorm != (inference.Product{}).Name() {
		t, _ = inference.LookupTNorm(m.TNorm)
	}
	if m.Defuzzification != (inference.TSK{}).Name() {
		d, _ = inference.LookupDefuzzification(m.Defuzzification)
	}
	return t, d
}

// fromTree reports whether rules start from a tree, in a setting of the race or instead of a page at least.
func fromTree(r *Recipe) bool {
	return startsFrom(r, Tree) || r.Model.Init == PageInit && len(r.Train.Race) > 0
}

// startsFrom reports whether rules start from an initialiser, in a setting of the race at least.
func startsFrom(r *Recipe, init string) bool {
	return r.Model.Init == init || slices.ContainsFunc(r.Train.Race, func(s Setting) bool { return s.Text("init") == init })
}

// countsItself reports whether a saved model, a file of rules or a grid determines the number of rules.
func countsItself(r *Recipe) bool {
	return r.Model.Init == SavedModel || r.Model.Init == Grid || r.Model.FromFile() || r.Model.FromRules()
}
