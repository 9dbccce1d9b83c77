package tune

import (
	"cmp"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/internal/digits"
	"github.com/tskgraph/tskgraph/membership"
)

// Space lists the values that settings may take. A list of one value fixes it; an
// empty one takes the list of [DefaultSpace].
type Space struct {
	Rules        []int
	Membership   []membership.Function
	Antecedents  []float64 // as ModelOptions.Antecedents: 0 means all features
	DropRule     []float64
	L2           []float64
	Uniform      []float64
	Iterations   []int
	LearningRate []float64
}

// DefaultSpace returns the lists that are used where none is given: up to 64 rules,
// several shapes, lengths of rules and rates of DropRule, and multiples of the base's
// penalties, iterations and learning rate; those of the first setting, if there is a
// race. What that setting cannot be trained with is left out.
func DefaultSpace(base tskgraph.Recipe) (Space, error) {
	base = base.Candidates(math.MaxInt)[0]
	b, err := settingsOf(base)
	if err != nil {
		return Space{}, err
	}
	sp := Space{
		Rules:        with([]int{8, 16, 32, 64}, b.Rules),
		Membership:   []membership.Function{membership.Gaussian{}},
		Antecedents:  with([]float64{3, 5, 0}, b.Antecedents),
		DropRule:     with([]float64{0.3, 0.4, 0.5, 0.65, 0.8, 1}, b.DropRule),
		L2:           multiples(b.L2, 0.01, 0.03, 0.1, 0.3, 1, 3, 10),
		Uniform:      multiples(b.Uniform, 0.04, 0.2, 1, 5),
		LearningRate: multiples(b.LearningRate, 0.25, 0.5, 1, 2),
	}
	for _, f := range []int{1, 2, 4, 8, 16, 32} {
		sp.Iterations = append(sp.Iterations, max(1, b.Iterations*f/4))
	}
	sp.Iterations = slices.Compact(sp.Iterations)
	if b.Membership != sp.Membership[0].Name() {
		sp.Membership = append(sp.Membership, base.Model.Membership)
	}
	one := single{sp, base, b}
	sp.Rules, sp.DropRule = possible(sp.Rules, one.rules), possible(sp.DropRule, one.dropRule)
	sp.Antecedents = possible(sp.Antecedents, one.antecedents)
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

// multiples returns multiples of v, rounded; v itself as it is, and nothing else if
// it is zero.
func multiples(v float64, factors ...float64) []float64 {
	if v == 0 {
		return []float64{0}
	}
	var list []float64
	for _, f := range factors {
		m := v
		if f != 1 {
			m = digits.Round(f*v, 3)
		}
		list = append(list, m)
	}
	return list
}

// or fills in empty lists.
func (sp Space) or(other Space) Space {
	sp.Rules = either(sp.Rules, other.Rules)
	sp.Membership = either(sp.Membership, other.Membership)
	sp.Antecedents = either(sp.Antecedents, other.Antecedents)
	sp.DropRule = either(sp.DropRule, other.DropRule)
	sp.L2 = either(sp.L2, other.L2)
	sp.Uniform = either(sp.Uniform, other.Uniform)
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

// hold returns settings with the values of the lists: what a list that is not empty
// lacks becomes the next higher of its values, or the highest; a shape the first.
func (sp Space) hold(s Settings) Settings {
	s.Rules = within(sp.Rules, s.Rules, cmp.Compare)
	s.Antecedents = within(sp.Antecedents, s.Antecedents, byLength)
	s.DropRule = within(sp.DropRule, s.DropRule, cmp.Compare)
	s.L2 = within(sp.L2, s.L2, cmp.Compare)
	s.Uniform = within(sp.Uniform, s.Uniform, cmp.Compare)
	s.Iterations = within(sp.Iterations, s.Iterations, cmp.Compare)
	s.pace(within(sp.LearningRate, s.LearningRate, cmp.Compare))
	if names := sp.shapes(); len(names) > 0 && !slices.Contains(names, s.Membership) {
		s.Membership = names[0]
	}
	return s
}

// within returns the least value of the list that is at least v; else its greatest; v
// if the list is empty.
func within[T any](list []T, v T, compare func(a, b T) int) T {
	sorted := slices.SortedFunc(slices.Values(list), compare)
	for _, w := range sorted {
		if compare(w, v) >= 0 {
			return w
		}
	}
	if len(sorted) > 0 {
		return sorted[len(sorted)-1]
	}
	return v
}

// byLength orders numbers of antecedents, of which 0 is the highest: all.
func byLength(a, b float64) int { return cmp.Compare(length(a), length(b)) }

func length(antecedents float64) float64 {
	if antecedents == 0 {
		return math.Inf(1)
	}
	return antecedents
}

// pace sets the learning rate and keeps the ratio of the consequents' rate to it.
func (s *Settings) pace(rate float64) {
	if rate != s.LearningRate {
		s.LearningRate, s.ConsequentRate = rate, digits.Round(s.ConsequentRate*rate/s.LearningRate, 3)
	}
}

// shapes returns the names of the shapes.
func (sp Space) shapes() []string {
	var names []string
	for _, f := range sp.Membership {
		names = append(names, f.Name())
	}
	return names
}
