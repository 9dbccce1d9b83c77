package byhand

import (
	"math"
	"slices"

	"github.com/tskgraph/tskgraph/inference"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/membership"
	"github.com/tskgraph/tskgraph/model"
	"github.com/tskgraph/tskgraph/rules"
)

// Start returns the rules over the inputs of a preprocessing, such as that of a training part. Terms have
// the shape that the file states or, if it states none, the given one. A rule that the preprocessing has
// no column or level for, and terms or formulas that do not suit it, are an [Error].
func (b *Rulebook) Start(p model.Preprocessing, shape membership.Function) (*rules.RuleBase, error) {
	b, err := b.on()
	if err != nil {
		return nil, err
	}
	if b.Shape != nil {
		shape = b.Shape
	}
	if shape == nil {
		return nil, Errorf(b.File, 0, 0, "no shape of the terms: set membership, such as gaussian")
	}
	in := newInputs(b, p)
	rb := &rules.RuleBase{Shape: shape, Parameters: rules.NewParameters(len(shape.Params()), len(b.Rules), len(in.all))}
	rb.SetOutputs(p.OutputCount())
	if err := infer(b, rb); err != nil {
		return nil, err
	}
	if err := ifParts(in, b, rb); err != nil {
		return nil, err
	}
	for r, rule := range b.Rules {
		if err := thenPart(in, rb.Consequents[r], rule, p); err != nil {
			return nil, err
		}
		if rule.Merged > 1 && rb.MergeWeights == nil {
			rb.MergeWeights = slices.Repeat([]int{1}, len(b.Rules))
		}
		if rule.Merged > 1 {
			rb.MergeWeights[r] = rule.Merged
		}
		if rule.Keep != 0 && rb.Keep == nil {
			rb.Keep = make([]rules.Keep, len(b.Rules))
		}
		if rule.Keep != 0 {
			rb.Keep[r] = rule.Keep
		}
	}
	if b.Saved != nil {
		if err := b.Saved.complete(b, rb, p); err != nil {
			return nil, err
		}
	}
	if err := rb.Validate(); err != nil {
		return nil, Errorf(b.File, 0, 0, "%s%s", escape.Text(err.Error()), afterEdit(b))
	}
	return rb, nil
}

// afterEdit says what to do where the section model contradicts edited rules.
func afterEdit(b *Rulebook) string {
	if b.Saved == nil || b.Saved.Splits == nil {
		return ""
	}
	return ": after a change of borders, or of the number of rules, remove splits from the section model"
}

// infer sets the t-norm and the defuzzification that a rulebook states.
func infer(b *Rulebook, rb *rules.RuleBase) (err error) {
	if b.TNorm != "" && b.TNorm != (inference.Product{}).Name() {
		if rb.TNorm, err = inference.LookupTNorm(b.TNorm); err != nil {
			return err
		}
	}
	if b.Defuzzification != "" && b.Defuzzification != (inference.TSK{}).Name() {
		rb.Defuzzification, err = inference.LookupDefuzzification(b.Defuzzification)
	}
	return err
}

// ifParts sets the antecedents: flat, except on the inputs of the terms that a rule names. A term that
// several rules name ties their functions. The spread floor is a tenth of the smallest spread.
func ifParts(in *inputs, b *Rulebook, rb *rules.RuleBase) error {
	uses := map[Condition]int{}
	for _, rule := range b.Rules {
		for _, c := range rule.If {
			uses[Condition{Column: c.Column, Term: c.Term}]++
		}
	}
	names := make([][]string, len(b.Rules)) // of shared functions
	for r, rule := range b.Rules {
		stated := make([]bool, len(in.all))
		names[r] = make([]string, len(in.all))
		for _, c := range rule.If {
			functions, err := functionsOf(in, b, c, rb.Shape)
			if err != nil {
				return err
			}
			for _, f := range functions {
				if stated[f.input] {
					return Errorf(b.File, rule.Line, 0, "two conditions of the rule are on %s: define a term that holds where both do",
						escape.Quote(in.all[f.input].Name))
				}
				stated[f.input] = true
				for j, v := range f.params {
					rb.Antecedents[j][r][f.input] = v
				}
				if uses[Condition{Column: c.Column, Term: c.Term}] > 1 {
					names[r][f.input] = c.Column + "\x00" + c.Term
				}
			}
		}
		for m, is := range stated {
			if is {
				continue
			}
			if !rules.CanBeFlat(rb.Shape) {
				return Errorf(b.File, rule.Line, 0, "the rule has no condition on %s, which %s requires: choose another shape (membership)",
					escape.Quote(in.all[m].Name), rb.Shape.Name())
			}
			rb.Flatten(r, m)
		}
	}
	if rb.SpreadFloor = 0.1 * leastSpread(rb); !(rb.SpreadFloor < wide) {
		rb.SpreadFloor = 0.1 // all functions are flat, or have no spread
	}
	rb.Tie = ties(names)
	return nil
}

// functionsOf returns the functions of the term of a condition.
func functionsOf(in *inputs, b *Rulebook, c Condition, shape membership.Function) ([]function, error) {
	i := slices.IndexFunc(b.Terms, func(t Term) bool { return t.Column == c.Column && t.Name == c.Term })
	if i < 0 {
		return nil, Errorf(b.File, c.Line, 0, "there is no term %s of %s", escape.Quote(c.Term), escape.Quote(c.Column))
	}
	functions, err := place(in, b.Terms[i], shape)
	if err != nil {
		return nil, err
	}
	return functions, inDomain(b, b.Terms[i], shape, functions)
}

// inDomain checks that the parameters of a term are in the domain of the shape.
func inDomain(b *Rulebook, t Term, shape membership.Function, functions []function) error {
	for _, f := range functions {
		before, after := make([][]float64, len(f.params)), make([][]float64, len(f.params))
		for j, v := range f.params {
			before[j], after[j] = []float64{v}, []float64{v}
		}
		rules.Project(shape, math.SmallestNonzeroFloat64, after)
		for j, p := range shape.Params() {
			if before[j][0] != after[j][0] {
				return Errorf(b.File, t.Line, 0,
					"%s of %s: %s is out of the domain of %s: spreads must be positive, exponents at least %g, and positions in order",
					escape.Text(t.Name), escape.Text(t.Column), p.Name, shape.Name(), membership.MinExponent)
			}
		}
	}
	return nil
}

// ties numbers the functions of each input for rules.RuleBase.Tie, in the order of the rules: those of one name [R][M] are shared, of an
// empty one not. It returns nil if no function is shared.
func ties(names [][]string) [][]int {
	shared := slices.ContainsFunc(names, func(of []string) bool {
		return slices.ContainsFunc(of, func(name string) bool { return name != "" })
	})
	if !shared {
		return nil
	}
	tie := make([][]int, len(names))
	for m := range names[0] {
		labels, next := map[string]int{}, 0
		for r := range names {
			label, known := labels[names[r][m]]
			if !known || names[r][m] == "" {
				label = next
				labels[names[r][m]] = label
				next++
			}
			tie[r] = append(tie[r], label)
		}
	}
	return tie
}
