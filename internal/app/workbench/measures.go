package workbench

import "github.com/tskgraph/tskgraph/internal/report"

// measure is a figure of a run.
type measure struct {
	name    string
	value   *float64 // nil: the run has none
	sign    float64  // 1: lower is better, -1: higher, 0: neither
	isError bool
}

// measuresOf returns the same measures in the same order for every run.
func measuresOf(s *report.Summary) []measure {
	c := s.ClassFigures
	if c == nil {
		c = &report.ClassFigures{}
	}
	var accuracyTrain, lossTrain, fidelity *float64
	if s.ClassFigures != nil {
		accuracyTrain, lossTrain = &c.AccuracyTrain, &c.LogLossTrain
	}
	if s.Readability != nil {
		fidelity = s.Readability.Fidelity
	}
	rules, seconds := float64(s.Rules), s.Seconds
	return []measure{
		{"RMSE, test", s.RMSETest, 1, true},
		{"MAE, test", s.MAETest, 1, true},
		{"R², test", s.R2Test, -1, true},
		{"deviance, test", s.DevianceTest, 1, true},
		{"mean pinball loss, test", pinball(s), 1, true},
		{"RMSE, training", s.RMSETrain, 1, true},
		{"accuracy, test", c.AccuracyTest, -1, true},
		{"balanced accuracy, test", c.BalancedAccuracyTest, -1, true},
		{"log loss, test", c.LogLossTest, 1, true},
		{"AUC, test", c.AUCTest, -1, true},
		{"accuracy, training", accuracyTrain, -1, true},
		{"log loss, training", lossTrain, 1, true},
		{"rules", &rules, 1, false},
		{"conditions per rule", &s.RuleLength, 1, false},
		{"error of the strongest rule alone, over that of the model", fidelity, 1, false},
		{"seconds", &seconds, 0, false},
	}
}

// errorsOf returns the figure that models of the task are compared by, Summary.Metric, on the training part and on the test part;
// nil where the summary does not have it.
func errorsOf(s *report.Summary) (train, test *float64) {
	switch {
	case s.ClassFigures != nil:
		return &s.LogLossTrain, s.LogLossTest
	case s.DevianceTest != nil:
		return nil, s.DevianceTest
	case s.PinballTest != nil:
		return nil, pinball(s)
	case s.Metric == "MAE":
		return nil, s.MAETest
	case s.Metric == "RMSE":
		return s.RMSETrain, s.RMSETest
	}
	return nil, nil
}

// pinball returns the mean pinball loss over the quantiles on the test part; nil of other models.
func pinball(s *report.Summary) *float64 {
	if len(s.PinballTest) == 0 {
		return nil
	}
	sum := 0.0
	for _, one := range s.PinballTest {
		sum += one
	}
	mean := sum / float64(len(s.PinballTest))
	return &mean
}
