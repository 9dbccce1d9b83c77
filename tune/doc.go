// Package tune chooses the settings of a model by cross-validation, and says how
// much a model depends on its seed.
//
// [Search] draws settings at random from lists ([Space]) and compares them by their
// RMSE on folds of the training part. Folds are the budget of a successive halving:
// trials come in brackets of eight; all of a bracket are measured on one fold, the
// better half on a second, the better half of these on the rest. What was measured
// is never measured again. The settings that the search started from are trial 1
// and are measured on all folds. Of the trials measured on all folds the simplest
// one within a standard error of the best is chosen, see [Result].
//
// The same data, options and machine architecture give the same choice, whatever
// the number of workers and however often the search was interrupted: every fit
// depends on its settings and its fold alone. Only a time budget depends on the
// machine.
//
// [Stability] trains the same model with several seeds and compares predictions,
// rules and response curves.
package tune
