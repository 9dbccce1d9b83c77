package byhand

import "slices"

// on returns the rulebook without the rules that are off, and without what Saved has of them: their own curves, and all splits,
// whose sides would lack rules. Without rules that are off it is b itself; if all are off it is an error.
func (b *Rulebook) on() (*Rulebook, error) {
	off := func(r Rule) bool { return r.Off }
	if !slices.ContainsFunc(b.Rules, off) {
		return b, nil
	}
	one := *b
	one.Rules = slices.DeleteFunc(slices.Clone(b.Rules), off)
	if len(one.Rules) == 0 {
		return nil, Errorf(b.File, b.Rules[0].Line, 0, "all rules are off: a model needs one")
	}
	if b.Saved == nil {
		return &one, nil
	}
	saved := *b.Saved
	saved.Splits = nil
	if R := len(b.Rules); len(saved.Curves) == len(b.Rules[0].Then)*R { // own curves, those of output c from row c R
		saved.Curves = nil
		for i, values := range b.Saved.Curves {
			if !b.Rules[i%R].Off {
				saved.Curves = append(saved.Curves, values)
			}
		}
	}
	one.Saved = &saved
	return &one, nil
}
