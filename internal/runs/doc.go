// Package runs trains and prunes in the directory of a run, which holds all that belongs to it: model.json, config.yaml,
// metrics.jsonl (a line per iteration), summary.json, the rows of each part, and a checkpoint until the run is finished.
//
// [Create] makes the directory of a new run, [Resume] opens that of one that was interrupted; both lock it. Then
// [Run.Train], [Run.Prune] or [Run.PrunePath] does the work:
//
//	run, err := runs.Create("runs", "no2-gaussian", note)
//	if err != nil {
//		return err
//	}
//	defer run.Close()
//	result, summary, err := run.Train(ctx, job)
//
// A training that ends early leaves the best model so far. Every file is written whole or not at all, so that a run that
// is killed at any moment can be resumed, and ends with the bits of one that was not interrupted.
//
// The package writes nothing to a terminal: what the user should know goes to the function note. [ReadSummary],
// [ReadMetrics] and [ReadCheckpoint] read what a run left.
package runs
