package tune

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/membership"
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

// DefaultSpace returns the lists that a search starts from: up to 32 rules, three
// shapes, several rates of DropRule, and multiples of the base's penalty, length
// and learning rate. The base's own values are among them; those that it cannot be
// trained with are not.
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
	one := single{sp, base, b}
	sp.Rules, sp.DropRule = possible(sp.Rules, one.rules), possible(sp.DropRule, one.dropRule)
	sp.Iterations, sp.LearningRate = possible(sp.Iterations, one.iterations), possible(sp.LearningRate, one.learningRate)
	sp.Membership = possible(sp.Membership, func(f membership.Function) error { return one.membership(f.Name()) })
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
