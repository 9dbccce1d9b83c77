package model

// Output returns the model of output c of the rules, 0 <= c < OutputCount, on the scale of
// the link: one target by the identity link. It shares the antecedents and consequents, and
// has neither calibration nor neighbours. Of several targets it is the model of target c; of
// quantiles that of output c, which the response sorts; with the log link the prediction is
// the logarithm of the response, and of classes the logit of the second one or the score of
// class c before softmax, with a range from 1% to 99%. Its target is named so, such as log odds of yes. A model of one number
// is returned as it is.
func (m *Model) Output(c int) *Model {
	p, own := m.kind().output(c)
	if own {
		return m
	}
	one := *m
	one.Preprocessing, one.Calibration, one.Neighbours, one.Members = p, nil, nil, nil
	if m.RuleBase != nil {
		one.RuleBase = m.RuleBase.Output(c)
	}
	for _, member := range m.Members {
		one.Members = append(one.Members, member.Output(c))
	}
	return &one
}
