package fis

import (
	"math/big"
	"regexp"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/byhand"
)

var ruleIs = regexp.MustCompile(`^([^,()]*),([^,()]*)\(([^()]*)\)\s*:\s*(\S+)$`)

// readRules reads the rules. The variables come before them.
func readRules(s *system, part section) error {
	for _, e := range part.entries {
		is := ruleIs.FindStringSubmatch(e.value)
		if is == nil || e.key != "" {
			return s.fault(e.line, "not a rule: want the functions of inputs, comma, those of outputs, (weight) : 1, such as 1 2, 1 (1) : 1")
		}
		weight, ok := byhand.ParseDecimal(strings.TrimSpace(is[3]))
		if !ok || weight.Sign() < 0 {
			return s.fault(e.line, "weight %s: want a number of at least zero", escape.Quote(is[3]))
		}
		r := rule{weight: weight, line: e.line}
		var err error
		if r.conditions, err = readIndices(s, is[1], s.inputs, e.line); err != nil {
			return err
		}
		if r.outputs, err = readIndices(s, is[2], s.outputs, e.line); err != nil {
			return err
		}
		stated := 0
		for _, i := range r.conditions {
			stated += min(i, 1)
		}
		if is[4] != "1" && (is[4] != "2" || stated > 1) {
			return s.fault(e.line, "the rule joins its conditions by OR, and the rules of a model join theirs by AND: write rules without OR")
		}
		s.rules = append(s.rules, r)
	}
	return nil
}

// readIndices reads the functions of a rule, one of each variable.
func readIndices(s *system, text string, of []variable, line int) ([]int, error) {
	values, ok := numbers(text)
	if !ok || len(values) != len(of) {
		return nil, s.fault(line, "%s: want %d numbers of functions", escape.Quote(strings.TrimSpace(text)), len(of))
	}
	all := make([]int, len(of))
	for i, v := range values {
		switch {
		case v.Sign() < 0:
			return nil, s.fault(line, "%s is negated (NOT): write a membership function that is its complement", escape.Quote(of[i].name))
		case !v.IsInt():
			return nil, s.fault(line, "%s has a hedge: write a membership function of its power", escape.Quote(of[i].name))
		case v.Cmp(new(big.Rat).SetInt64(int64(len(of[i].functions)))) > 0:
			return nil, s.fault(line, "%s has no MF%s: it has %d", escape.Quote(of[i].name), v.Num(), len(of[i].functions))
		}
		all[i] = int(v.Num().Int64())
	}
	return all, nil
}
