package page

import (
	"fmt"
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/explain/byhand"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/rules"
)

// editParam is a parameter of a membership function.
type editParam struct {
	Kind    string   `json:"kind"` // position, spread, slope, exponent or number
	Meaning string   `json:"meaning"`
	Least   *float64 `json:"least,omitempty"` // scaled
}

var kinds = map[membership.Kind]string{
	membership.Position: "position", membership.Spread: "spread", membership.Slope: "slope", membership.Exponent: "exponent", membership.Number: "number",
}

// editParams describes the parameters of a rulebase's membership functions. ordered: their positions ascend.
func editParams(rb *rules.RuleBase) (all []editParam, ordered bool) {
	params := rb.Shape.Params()
	_, ordered = rb.Shape.(membership.Projector)
	low := make([][]float64, len(params))
	for j := range low {
		low[j] = []float64{-math.MaxFloat64}
	}
	positions := 0
	for _, p := range params {
		if p.Kind == membership.Position {
			positions++
		}
	}
	ordered = ordered && positions == len(params)
	if !ordered {
		rules.Project(rb.Shape, rb.SpreadFloor, low)
	}
	for j, p := range params {
		one := editParam{Kind: kinds[p.Kind], Meaning: p.Meaning}
		if low[j][0] > -math.MaxFloat64 {
			one.Least = &low[j][0]
		}
		all = append(all, one)
	}
	return all, ordered
}

// indicator has the parameters of functions over the indicator of a level, in its unit: both holds for zero and one, absent for
// zero alone, as the terms of levels in rules.yaml do.
type indicator struct {
	Both   []float64 `json:"both"`
	Absent []float64 `json:"absent"`
}

func newIndicator(shape membership.Function) *indicator {
	if s, ok := shape.(membership.Between); ok {
		return &indicator{s.Between(-100, 100, 0.2), s.Between(-100, 0.5, 0.2)}
	}
	return &indicator{shape.Place(0.5, 100), shape.Place(0, 0.3)}
}

// termNumbers returns the number of the term of each input that the IF part of a rule mentions.
func termNumbers(book *byhand.Rulebook, rb *rules.RuleBase, names []string) [][]int {
	all := make([][]int, rb.Rules())
	for r, rule := range book.Rules {
		all[r] = []int{}
		for i, name := range names {
			if rb.IsFlat(r, i) {
				continue
			}
			at := slices.IndexFunc(rule.If, func(c byhand.Condition) bool { return c.Column == name })
			all[r] = append(all[r], slices.IndexFunc(book.Terms, func(t byhand.Term) bool {
				return t.Column == name && t.Name == rule.If[at].Term
			}))
		}
	}
	return all
}

// ifKey is the key of the edits of parameter j of a term.
func ifKey(term, j int) string { return fmt.Sprintf("if %d %d", term, j) }

// links returns the keys of the parameters that different terms share: of rules on both sides of a border of a tree.
func links(rb *rules.RuleBase, terms [][]int) [][]string {
	var all [][]string
	for _, group := range rb.Shared() {
		var keys []string
		for _, e := range group {
			if rb.IsFlat(e.Rule, e.Feature) {
				continue
			}
			at := 0
			for i := range e.Feature {
				if !rb.IsFlat(e.Rule, i) {
					at++
				}
			}
			if key := ifKey(terms[e.Rule][at], e.Parameter); !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
		if len(keys) > 1 {
			all = append(all, keys)
		}
	}
	return all
}
