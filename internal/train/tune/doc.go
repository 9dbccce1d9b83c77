// Package tune chooses the settings of a model by cross-validation, and says how
// much a model depends on its seed.
//
// [Search] starts from the settings of a race ([recipe.Train].Race), or those
// of the base. Each further trial takes one of the three best so far and moves one of its
// settings, half of the time two, and so on, along the lists of a [Space]. What has no
// list (the initialiser, the batch, the ratio of the two learning rates) comes from the
// settings that it started from.
//
// Trials are compared on folds of the training part, see [data.Dataset.Folds], which are
// prepared once. Trials come in brackets of eight and are screened by successive halving:
// all of a bracket are measured on one fold, the better half on two, and the better half of
// these on all folds of the first division. With a cosine schedule, screening trainings make
// an eighth of the updates. The best two settings that the search started from, and the best
// two drawn ones, are then trained for their whole length: on two folds, and the better one
// of each kind on all. What was measured is never measured again. With a limit of fidelity
// (train.fidelity), trials beyond it rank after the others and are never chosen.
//
// A drawn trial replaces the base only if its loss, the figure of the criterion (RMSE, log loss, ..., see [model.Criterion]), is lower by more than one standard error
// than that of the best setting that the search started from, and than that of the setting
// that the race of the base chooses. The standard error is that of the mean, over the
// folds, of the differences between the two trials on the same fold; it allows for folds
// that share training samples, as Nadeau and Bengio (2003) do. Of several such trials the
// simplest is chosen that is not worse than the best by more than one standard error. If
// there is none, the search returns the base.
//
// The same data, options and machine architecture give the same choice, whatever
// the number of workers and however often the search was interrupted: every fit
// depends on its settings and its fold alone, and what is drawn on the brackets before.
// Only a time budget depends on the machine.
//
// With Options.Measure the fits are made elsewhere: [Next] says which ones a search needs next, a [Worker] makes them in any
// process that has the data, and the search, which alone draws, compares and chooses, keeps what they return as if it had made them.
//
// [Stability] trains the same model with several seeds and compares predictions,
// rules and response curves.
package tune
