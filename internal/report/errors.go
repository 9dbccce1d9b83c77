package report

import "github.com/tskgraph/tskgraph/model"

// Figures are the errors of a model of numbers by part. All are null for classes.
type Figures struct {
	RMSETrain      *float64 `json:"rmse_train"`
	RMSEValidation *float64 `json:"rmse_validation,omitempty"`
	RMSETest       *float64 `json:"rmse_test"` // null without a test part, like the following
	MAETest        *float64 `json:"mae_test"`
	R2Test         *float64 `json:"r2_test"`
	RMSEMean       *float64 `json:"rmse_mean"` // of the constant prediction, such as the training mean
	RMSEOLS        *float64 `json:"rmse_ols"`  // of ordinary least squares; also null for quantiles, counts and costs

	DevianceTest *float64  `json:"deviance_test,omitempty"` // of counts and costs, see model.Criterion
	DevianceMean *float64  `json:"deviance_mean,omitempty"`
	PinballTest  []float64 `json:"pinball_test,omitempty"` // of each quantile
	PinballMean  []float64 `json:"pinball_mean,omitempty"` // of the training quantiles
}

// TargetFigures are the errors of a model of several targets for one of them.
type TargetFigures struct {
	Target string `json:"target"`
	Figures
}

// ClassFigures are the measures of a model of classes by part, see [metric.Classes].
type ClassFigures struct {
	AccuracyTrain      float64  `json:"accuracy_train"`
	LogLossTrain       float64  `json:"log_loss_train"`
	AccuracyValidation *float64 `json:"accuracy_validation,omitempty"`
	LogLossValidation  *float64 `json:"log_loss_validation,omitempty"`
	AccuracyTest       *float64 `json:"accuracy_test"` // null without a test part, like the following
	LogLossTest        *float64 `json:"log_loss_test"`

	BalancedAccuracyTest *float64 `json:"balanced_accuracy_test"`
	AUCTest              *float64 `json:"auc_test"`                 // also null for a test part of one class
	AUCErrorTest         float64  `json:"auc_error_test,omitempty"` // bound of its error, see metric.Histogram
	BrierTest            *float64 `json:"brier_test"`
	CalibrationErrorTest *float64 `json:"calibration_error_test"`

	AccuracyMajority *float64 `json:"accuracy_majority"` // of the most frequent class
	LogLossShares    *float64 `json:"log_loss_shares"`   // of the shares of the classes as probabilities
	AccuracyLogistic *float64 `json:"accuracy_logistic"` // of logistic regression
	LogLossLogistic  *float64 `json:"log_loss_logistic"`
}

// figuresOf returns the figures of the errors by part.
func figuresOf(e Errors) (Figures, *ClassFigures, []TargetFigures) {
	if e.Train.Classes != nil {
		return Figures{}, classFigures(e), nil
	}
	var targets []TargetFigures
	for c, t := range e.Train.Targets {
		targets = append(targets, TargetFigures{t.Target, numberFigures(e, func(m model.Metrics) model.Metrics { return m.Targets[c] })})
	}
	return numberFigures(e, func(m model.Metrics) model.Metrics { return m }), nil, targets
}

// numberFigures returns the figures of all targets, or of the one that of returns.
func numberFigures(all Errors, of func(model.Metrics) model.Metrics) Figures {
	train := of(all.Train)
	f := Figures{RMSETrain: &train.RMSE}
	if all.Validation.Samples > 0 {
		validation := of(all.Validation)
		f.RMSEValidation = &validation.RMSE
	}
	if all.Test.Samples == 0 {
		return f
	}
	test, mean := of(all.Test), of(all.Baselines.Constant)
	f.RMSETest, f.MAETest, f.R2Test, f.RMSEMean = &test.RMSE, &test.MAE, &test.R2, &mean.RMSE
	f.DevianceTest, f.DevianceMean, f.PinballTest, f.PinballMean = test.Deviance, mean.Deviance, test.Pinball, mean.Pinball
	if all.Baselines.Linear != nil {
		linear := of(*all.Baselines.Linear)
		f.RMSEOLS = &linear.RMSE
	}
	return f
}

// classFigures returns the measures of classes.
func classFigures(e Errors) *ClassFigures {
	f := &ClassFigures{AccuracyTrain: e.Train.Classes.Accuracy, LogLossTrain: e.Train.Classes.LogLoss}
	if v := e.Validation.Classes; v != nil {
		f.AccuracyValidation, f.LogLossValidation = &v.Accuracy, &v.LogLoss
	}
	if t := e.Test.Classes; t != nil {
		f.AccuracyTest, f.LogLossTest, f.BalancedAccuracyTest, f.AUCTest = &t.Accuracy, &t.LogLoss, &t.BalancedAccuracy, t.AUC
		f.BrierTest, f.CalibrationErrorTest, f.AUCErrorTest = &t.Brier, &t.CalibrationError, t.AUCError
	}
	if b := e.Baselines.Constant.Classes; b != nil {
		f.AccuracyMajority, f.LogLossShares = &b.Accuracy, &b.LogLoss
	}
	if b := e.Baselines.Linear; b != nil {
		f.AccuracyLogistic, f.LogLossLogistic = &b.Classes.Accuracy, &b.Classes.LogLoss
	}
	return f
}
