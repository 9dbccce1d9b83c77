package tune

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/optim"
)

// Space lists the values that a search draws from, each as likely as the others. A
// list of one value fixes it; an empty one takes the list of [DefaultSpace].
type Space struct {
	Rules        []int
	Membership   []membership.Function
	DropRule     []float64
	L2           []float64
	Iterations   []int
	LearningRate []float64
}

// Settings is a point of the space.
type Settings struct {
	Rules        int     `json:"rules"`
	Membership   string  `json:"membership"` // the shape's name
	DropRule     float64 `json:"droprule"`
	L2           float64 `json:"l2"`
	Iterations   int     `json:"iterations"`
	LearningRate float64 `json:"learning_rate"`
}

// DefaultSpace returns the lists that a search starts from: up to 32 rules, three
// shapes, several rates of DropRule, and multiples of the base's penalty, length
// and learning rate. The base's own values are among them.
func DefaultSpace(base tskgraph.Options) (Space, error) {
	b, err := settingsOf(base)
	if err != nil {
		return Space{}, err
	}
	sp := Space{
		Rules:        with([]int{4, 8, 16, 32}, b.Rules),
		Membership:   []membership.Function{membership.Gaussian{}, membership.GBell{}, membership.Trapezoid{}},
		DropRule:     with([]float64{0.5, 0.65, 0.8, 1}, b.DropRule),
		L2:           []float64{0},
		Iterations:   []int{b.Iterations, 3 * b.Iterations, 10 * b.Iterations},
		LearningRate: multiples(b.LearningRate, 0.3, 1, 3),
	}
	if b.L2 > 0 {
		sp.L2 = multiples(b.L2, 0.01, 0.1, 1, 10)
	}
	if !slices.ContainsFunc(sp.Membership, func(f membership.Function) bool { return f.Name() == b.Membership }) {
		sp.Membership = append(sp.Membership, base.Model.Membership)
	}
	return sp, nil
}

func with[T int | float64](list []T, v T) []T {
	if !slices.Contains(list, v) {
		list = append(list, v)
	}
	return list
}

// multiples returns multiples of v, rounded to three digits; v itself as it is.
func multiples(v float64, factors ...float64) []float64 {
	var list []float64
	for _, f := range factors {
		m := v
		if f != 1 {
			m, _ = strconv.ParseFloat(strconv.FormatFloat(f*v, 'g', 3, 64), 64) // what was formatted can be parsed
		}
		list = append(list, m)
	}
	return list
}

// settingsOf returns the point that options stand for.
func settingsOf(o tskgraph.Options) (Settings, error) {
	if err := o.Validate(); err != nil {
		return Settings{}, err
	}
	solver, err := optim.Resolve(o.Train.Optimizer, o.Train.Solver)
	if err != nil {
		return Settings{}, err
	}
	return Settings{
		Rules: o.Model.Rules, Membership: o.Model.Membership.Name(), DropRule: o.Train.DropRule,
		L2: o.Train.L2, Iterations: o.Train.Iterations, LearningRate: solver.LearningRate,
	}, nil
}

// or fills in empty lists.
func (sp Space) or(other Space) Space {
	sp.Rules = either(sp.Rules, other.Rules)
	sp.Membership = either(sp.Membership, other.Membership)
	sp.DropRule = either(sp.DropRule, other.DropRule)
	sp.L2 = either(sp.L2, other.L2)
	sp.Iterations = either(sp.Iterations, other.Iterations)
	sp.LearningRate = either(sp.LearningRate, other.LearningRate)
	return sp
}

func either[T any](list, other []T) []T {
	if len(list) > 0 {
		return list
	}
	return other
}

// apply returns the base with the settings of a trial. The trial is a single model
// of a given length: no committee, and no validation part that could end it.
func (sp Space) apply(base tskgraph.Options, s Settings) tskgraph.Options {
	o := base
	o.Train.Members, o.Train.Patience = 1, 0
	o.Model.Rules, o.Train.DropRule, o.Train.L2 = s.Rules, s.DropRule, s.L2
	o.Train.Iterations, o.Train.Solver.LearningRate = s.Iterations, s.LearningRate
	for _, f := range sp.Membership {
		if f.Name() == s.Membership {
			o.Model.Membership = f
		}
	}
	return o
}

// lists returns the lists by their keys, as text.
func (sp Space) lists() map[string]string {
	var shapes []string
	for _, f := range sp.Membership {
		shapes = append(shapes, describe(f))
	}
	return map[string]string{
		"tune.rules": fmt.Sprint(sp.Rules), "tune.membership": fmt.Sprint(shapes), "tune.droprule": fmt.Sprint(sp.DropRule),
		"tune.l2": fmt.Sprint(sp.L2), "tune.iterations": fmt.Sprint(sp.Iterations), "tune.learning_rate": fmt.Sprint(sp.LearningRate),
	}
}

// describe returns a shape's name, or its formula.
func describe(f membership.Function) string {
	if formula, ok := membership.Written(f); ok {
		text, _ := json.Marshal(formula) // text and finite numbers
		return string(text)
	}
	return f.Name()
}

// validate refuses values that occur twice, and each that the base cannot be
// trained with.
func (sp Space) validate(base tskgraph.Options) error {
	b, err := settingsOf(base)
	if err != nil {
		return err
	}
	var names []string
	for _, f := range sp.Membership {
		names = append(names, f.Name())
	}
	return firstError(
		checkList("tune.rules", sp.Rules, func(v int) error { s := b; s.Rules = v; return sp.apply(base, s).Validate() }),
		checkList("tune.membership", names, func(v string) error { s := b; s.Membership = v; return sp.apply(base, s).Validate() }),
		checkList("tune.droprule", sp.DropRule, func(v float64) error { s := b; s.DropRule = v; return sp.apply(base, s).Validate() }),
		checkList("tune.l2", sp.L2, func(v float64) error { s := b; s.L2 = v; return sp.apply(base, s).Validate() }),
		checkList("tune.iterations", sp.Iterations, func(v int) error { s := b; s.Iterations = v; return sp.apply(base, s).Validate() }),
		checkList("tune.learning_rate", sp.LearningRate, func(v float64) error {
			if v == 0 {
				return fmt.Errorf("0: must be above 0") // the solver would take its default
			}
			s := b
			s.LearningRate = v
			return sp.apply(base, s).Validate()
		}),
	)
}

func checkList[T comparable](key string, list []T, valid func(T) error) error {
	for i, v := range list {
		if slices.Contains(list[:i], v) {
			return &tskgraph.OptionError{Key: key, Message: fmt.Sprintf("%v is there twice", v)}
		}
		if err := valid(v); err != nil {
			return &tskgraph.OptionError{Key: key, Message: err.Error()}
		}
	}
	return nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// draw returns the base's settings and then, in random order, up to n-1 other
// points of the space, each once. A larger n gives the same points and more.
func (sp Space) draw(base Settings, n int, rng *rand.Rand) []Settings {
	points := []Settings{base}
	for _, at := range rng.Perm(sp.size()) {
		if len(points) >= n {
			break
		}
		if s := sp.point(at); s != base {
			points = append(points, s)
		}
	}
	return points
}

// size is the number of points.
func (sp Space) size() int {
	return len(sp.Rules) * len(sp.Membership) * len(sp.DropRule) * len(sp.L2) * len(sp.Iterations) * len(sp.LearningRate)
}

// point is the point of a number from 0, below size.
func (sp Space) point(at int) Settings {
	digit := func(n int) int {
		d := at % n
		at /= n
		return d
	}
	return Settings{
		Rules: sp.Rules[digit(len(sp.Rules))], Membership: sp.Membership[digit(len(sp.Membership))].Name(),
		DropRule: sp.DropRule[digit(len(sp.DropRule))], L2: sp.L2[digit(len(sp.L2))],
		Iterations: sp.Iterations[digit(len(sp.Iterations))], LearningRate: sp.LearningRate[digit(len(sp.LearningRate))],
	}
}
