package metric

import "math"

// PairedStdErr returns the standard error of the mean of n differences with the standard deviation sd (divisor n-1), where each
// is the difference between two algorithms that were trained and tested on the same split of one data set, and
// testToTrain is the number of its test samples over that of its training samples. Splits share samples, so the
// differences are not independent, and sd/sqrt(n) is too small. C. Nadeau and Y. Bengio, "Inference for the
// Generalization Error", Machine Learning 52 (2003) 239-281, correct the variance:
//
//	sqrt((1/n + n_test/n_train) sd²)
//
// R. R. Bouckaert and E. Frank, "Evaluating the Replicability of Significance Tests for Comparing Learning Algorithms"
// (2004), use the same correction for repeated cross-validation.
func PairedStdErr(sd float64, n int, testToTrain float64) float64 {
	return float64(sd * math.Sqrt(1/float64(n)+testToTrain))
}
