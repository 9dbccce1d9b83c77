package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

// faultOf returns [Report].Fault: three lines about the first problem of which a check failed, and nil
// if none did. checks are those of each problem.
func faultOf(problems []drawn, checks [][]Check) []string {
	var passed []*problem
	for i, p := range problems {
		failed := slices.DeleteFunc(slices.Clone(checks[i]), func(c Check) bool { return c.Passed })
		if len(failed) > 0 {
			return linesOf(blame(p.problem, failed, passed), applicable(p.RuleBase), failed)
		}
		passed = append(passed, p.problem)
	}
	return nil
}

// linesOf says which values are wrong, what each route says of one, and which routes stand alone.
func linesOf(s subject, routes []route, failed []Check) []string {
	block := failed[0].Parameter
	if s.ofLoss { // each parameter has the derivative by the predictions as a factor
		block = "w"
		for _, c := range failed {
			if c.Parameter == "loss" {
				block = "loss"
			}
		}
	}
	ofBlock := slices.DeleteFunc(failed, func(c Check) bool { return c.Parameter != block })
	what := "derivatives by " + block
	if block == "prediction" || block == "loss" {
		what = "values (" + block + ")"
	}
	return []string{fmt.Sprintf("%s: the routes give different %s", s.name, what), ofBlock[0].Mismatch, s.verdict(routes, ofBlock)}
}

// subject is what failed checks are about.
type subject struct {
	name    string
	ofLoss  bool              // a loss or penalties
	methods map[string]string // by the names of the routes that use them
}

// blame returns the subject of the failed checks of a problem. Wrong losses and penalties change the
// derivatives by the consequents, and wrong shapes do not. What a problem that passed has, too, is not to blame,
// except for a shape, which does not matter to a single rule.
func blame(p *problem, failed []Check, passed []*problem) subject {
	fails := func(parameter string) bool {
		return slices.ContainsFunc(failed, func(c Check) bool { return c.Parameter == parameter })
	}
	rb := p.RuleBase
	if !fails("prediction") && (fails("loss") || fails("w")) {
		if names := suspects(p, passed, lossesOf); names != "" {
			return subject{names, true, methods("Expr", "Gradient", "Gradient", "Value")}
		}
	}
	if names := suspects(p, passed, inferenceOf); names != "" {
		return subject{names, false, methods("Expr", "Gradient", "Gradient", "Join or LogWeight")}
	}
	if rb.LogSpace() {
		return subject{rb.Shape.Name(), false, methods("LogExpr", "LogGradients", "Gradients", "LogGrades")}
	}
	return subject{rb.Shape.Name(), false, methods("Expr", "Gradients", "Gradients", "Grades")}
}

func methods(autodiff, fused, closedForm, difference string) map[string]string {
	return map[string]string{"autodiff": autodiff, "fused": fused, "closed form": closedForm, "finite difference": difference}
}

// suspects returns the names of what a problem has and none of those that passed.
func suspects(p *problem, passed []*problem, of func(p *problem) []string) string {
	names := slices.DeleteFunc(of(p), func(name string) bool {
		return slices.ContainsFunc(passed, func(o *problem) bool { return slices.Contains(of(o), name) })
	})
	return strings.Join(names, " or ")
}

func lossesOf(p *problem) []string {
	names := []string{"loss " + p.Loss.Name()}
	for _, of := range p.Penalties {
		if of.Weight() > 0 {
			names = append(names, "penalty "+of.Name())
		}
	}
	return names
}

// inferenceOf leaves out what the paper has.
func inferenceOf(p *problem) (names []string) {
	if t := inference.OrProduct(p.RuleBase.TNorm); t != (inference.Product{}) {
		names = append(names, "t-norm "+t.Name())
	}
	if d := inference.OrTSK(p.RuleBase.Defuzzification); d != (inference.TSK{}) {
		names = append(names, "defuzzification "+d.Name())
	}
	return names
}

// verdict says which routes stand alone in the failed checks of a block. allRoutes that agree and use the same
// method have one vote.
func (s subject) verdict(routes []route, failed []Check) string {
	agree := func(i, j int) bool {
		return !slices.ContainsFunc(failed, func(c Check) bool { return c.Pair == pairOf(routes[i], routes[j]) && !(c.MaxRelErr <= c.Tolerance) })
	}
	var names []string // of the routes of each vote
	var votes []int    // the first of them
	for i, r := range routes {
		method := s.methods[r.name()]
		k := slices.IndexFunc(votes, func(j int) bool { return method != "" && s.methods[routes[j].name()] == method && agree(j, i) })
		switch {
		case k >= 0:
			names[k] = r.name() + " and " + names[k]
			continue
		case method != "":
			names = append(names, r.name()+" ("+method+")")
		default:
			names = append(names, r.name())
		}
		votes = append(votes, i)
	}
	alone := numeric.Outvoted(len(votes), func(i, j int) bool { return agree(votes[i], votes[j]) })
	var against []string
	for _, k := range alone {
		against = append(against, names[k])
	}
	switch {
	case against != nil:
		who, stand := strings.Join(against, " and "), " stands alone"
		if strings.Contains(who, " and ") {
			stand = " stand alone"
		}
		return who + stand
	case !slices.ContainsFunc(failed, func(c Check) bool { return !(c.MaxRelErr <= c.Tolerance) }):
		return "no route stands alone: the finite difference is not accurate enough to decide"
	}
	return "no route stands alone: one of " + strings.Join(names, ", ") + " is wrong"
}
