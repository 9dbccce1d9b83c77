package rules

import (
	"fmt"
	"slices"
)

// Keep is the set of parts of a rule that are kept: neither training nor rounding nor a
// reduction of rules, conditions or terms changes them, to the bit. A rule of which a part is
// kept is neither removed nor merged.
type Keep int

// The parts of a rule. A kept IF part holds its membership functions, in all rules that share
// them (see [RuleBase.Shared]). A kept THEN part holds bias and slopes of all outputs, and the
// curves that are added to them: those of the rule or, if all rules share curves, all.
const (
	KeepIf Keep = 1 << iota
	KeepThen
	KeepAll = KeepIf | KeepThen
)

var keepNames = []string{"", "if", "then", "all"}

// ParseKeep returns the parts with the given name: if, then, all, or "" for none.
func ParseKeep(name string) (Keep, error) {
	k := slices.Index(keepNames, name)
	if k < 0 {
		return 0, fmt.Errorf("keep: %q: must be if, then or all", name)
	}
	return Keep(k), nil
}

// String returns the name of the parts, see [ParseKeep].
func (k Keep) String() string {
	if k < 0 || k > KeepAll {
		return fmt.Sprintf("Keep(%d)", int(k))
	}
	return keepNames[k]
}

// MarshalText writes the name of the parts.
func (k Keep) MarshalText() ([]byte, error) {
	if k < 0 || k > KeepAll {
		return nil, fmt.Errorf("keep: %d is not a set of parts", int(k))
	}
	return []byte(k.String()), nil
}

// UnmarshalText reads what MarshalText writes.
func (k *Keep) UnmarshalText(text []byte) (err error) {
	*k, err = ParseKeep(string(text))
	return err
}

// Kept marks each parameter of rb that is kept, or of a function or a slope that RuleBase.Without excludes, with one, and all others with
// zero. Without any it returns nil.
func Kept(rb *RuleBase) *Parameters {
	if rb.Without == nil && !slices.ContainsFunc(rb.Keep, func(k Keep) bool { return k != 0 }) {
		return nil
	}
	M := rb.Features()
	marks := NewParameters(len(rb.Antecedents), rb.Rules(), M)
	for r := range rb.Rules() {
		for j := range marks.Antecedents {
			mark(marks.Antecedents[j][r], rb.Keeps(r, KeepIf))
			for m := range M {
				if rb.lacks(r, m, KeepIf) {
					marks.Antecedents[j][r][m] = 1
				}
			}
		}
	}
	for _, group := range rb.Shared() {
		if slices.ContainsFunc(group, func(e Element) bool { return *marks.At(e) == 1 }) {
			for _, e := range group {
				*marks.At(e) = 1
			}
		}
	}
	marks.Consequents, marks.Curves = cloneRows(rb.Consequents), cloneRows(rb.Curves)
	for r, row := range marks.Consequents {
		mark(row, rb.Keeps(r, KeepThen))
		for i := range row {
			if m := i%(M+1) - 1; m >= 0 && rb.lacks(r, m, KeepThen) {
				row[i] = 1
			}
		}
	}
	for i, row := range marks.Curves {
		mark(row, keepsCurve(rb, i))
	}
	return &marks
}

// KeepsFunction reports whether, of the marks that [Kept] returns (nil: none), one is on a
// parameter of X_{r,m}.
func (p *Parameters) KeepsFunction(r, m int) bool {
	return p != nil && slices.ContainsFunc(p.Antecedents, func(rows [][]float64) bool { return rows[r][m] == 1 })
}

// mark sets all elements of a row to one, if they are kept, or to zero.
func mark(row []float64, kept bool) {
	for i := range row {
		if row[i] = 0; kept {
			row[i] = 1
		}
	}
}

// keepsCurve reports whether row i of Curves is kept.
func keepsCurve(rb *RuleBase, i int) bool {
	if len(rb.Curves) == rb.OutputCount() {
		return slices.ContainsFunc(rb.Keep, func(k Keep) bool { return k&KeepThen != 0 })
	}
	return rb.Keeps(i%rb.Rules(), KeepThen)
}

// restoreKept sets the antecedents that are marked as kept to those of from, of the same sizes.
func restoreKept(rb, from *RuleBase, kept *Parameters) {
	for j, rows := range kept.Antecedents {
		for r, row := range rows {
			for m, k := range row {
				if k == 1 {
					rb.Antecedents[j][r][m] = from.Antecedents[j][r][m]
				}
			}
		}
	}
}

// checkKeep checks that Keep has a set of parts for each rule.
func checkKeep(rb *RuleBase) error {
	if rb.Keep != nil && len(rb.Keep) != rb.Rules() {
		return fmt.Errorf("keep: %d sets of parts; there are %d rules", len(rb.Keep), rb.Rules())
	}
	for r, k := range rb.Keep {
		if k < 0 || k > KeepAll {
			return fmt.Errorf("keep[r=%d] = %d: must lie between 0 and %d", r, int(k), int(KeepAll))
		}
	}
	return nil
}

// Lasting returns the numbers of conditions and of terms that no reduction removes: those of kept parts, and conditions with functions that
// rules share by RuleBase.Tie. The features of each of the categories are one condition, see [Shorten].
func Lasting(rb *RuleBase, categories [][]int) (conditions, terms int) {
	_, conditions = influences(rb, categories)
	for r, w := range rb.Consequents {
		for i, v := range w {
			if rb.Keeps(r, KeepThen) && i%(rb.Features()+1) != 0 && v != 0 {
				terms++
			}
		}
	}
	return conditions, terms
}

// ProjectSigns sets the slopes that RuleBase.Signs does not allow to zero, and the values of curves to monotone ones: the nearest that it
// allows.
func ProjectSigns(rb *RuleBase) {
	if rb.Signs == nil {
		return
	}
	for _, w := range rb.Consequents {
		for i, sign := range rb.Signs {
			w[i] = Signed(w[i], sign)
		}
	}
	for c := range rb.OutputCount() {
		rb.EachBound(c, func(from, to, sign int) {
			for _, values := range rb.Output(c).Curves {
				Monotone(values[from:to], sign)
			}
		})
	}
}

// Signed returns the number nearest to v with the given sign: 1, not negative; -1, not
// positive; 0, any.
func Signed(v float64, sign int) float64 {
	switch {
	case sign > 0:
		return max(v, 0)
	case sign < 0:
		return min(v, 0)
	}
	return v
}

// checkSigns checks the sizes of Signs, and that all consequents satisfy them.
func checkSigns(rb *RuleBase) error {
	if rb.Signs == nil {
		return nil
	}
	M := rb.Features()
	if got, want := len(rb.Signs), rb.OutputCount()*(M+1); got != want {
		return fmt.Errorf("signs: %d; there are %d consequents of a rule", got, want)
	}
	for i, sign := range rb.Signs {
		m := i%(M+1) - 1
		switch {
		case sign < -1 || sign > 1:
			return fmt.Errorf("signs[%d] = %d: must be -1, 0 or 1", i, sign)
		case sign != 0 && m < 0:
			return fmt.Errorf("signs[%d] = %d: is of a bias, which has no bound", i, sign)
		}
		for r, w := range rb.Consequents {
			if Signed(w[i], sign) != w[i] {
				return fmt.Errorf("w[r=%d,m=%d] = %v: signs[%d] is %d", r, i, w[i], i, sign)
			}
		}
	}
	return checkBoundCurves(rb)
}

// checkBoundCurves checks that the curves of bounded features are monotone.
func checkBoundCurves(rb *RuleBase) (err error) {
	for c := range rb.OutputCount() {
		rb.EachBound(c, func(from, to, sign int) {
			for i, values := range rb.Output(c).Curves {
				for q := from + 1; q < to; q++ {
					if err == nil && float64(sign)*(values[q]-values[q-1]) < 0 {
						err = fmt.Errorf("curves[%d,q=%d] = %v after %v: the sign of the feature is %d", i, q, values[q], values[q-1], sign)
					}
				}
			}
		})
	}
	return err
}
