// Package tune chooses the settings of a model by cross-validation, and says how
// much a model depends on its seed.
//
// [Search] starts from the settings of a race ([recipe.Train].Race), or those
// of the base. Each further trial takes one of the three best so far and moves one of its
// settings, half of the time two, and so on, along the lists of a [Space]. What has no
// list (the initialiser, the batch, the ratio of the two learning rates) comes from the
// settings that it started from.
//
// Trials are compared by their RMSE on folds of the training part, which is divided
// into five folds twice, see [data.Dataset.Folds]. These are the budget of a successive halving: trials come in
// brackets of eight; all of a bracket are measured on one fold, the better half on two,
// the better half of these on four, and the best on all. What the search started from is
// measured on the folds of the first division, the better half on all. What was measured
// is never measured again. Of the trials measured on all folds the simplest is chosen
// that is not worse than the best by more than one standard error, see [Trial]; it allows for
// folds that share training samples, as Nadeau and Bengio (2003) do.
//
// The same data, options and machine architecture give the same choice, whatever
// the number of workers and however often the search was interrupted: every fit
// depends on its settings and its fold alone, and what is drawn on the brackets before.
// Only a time budget depends on the machine.
//
// [Stability] trains the same model with several seeds and compares predictions,
// rules and response curves.
package tune
