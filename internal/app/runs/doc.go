// Package runs trains and prunes in the directory of a run, which holds model.json, config.yaml,
// metrics.jsonl (a line per iteration), summary.json, the rows of each part, and a checkpoint until the run is finished.
//
// [Create] makes the directory of a new run, [Resume] opens that of an interrupted one; both lock it. Then call
// [Run.Train], [Run.Prune] or [Run.PrunePath]:
//
//	run, err := runs.Create("runs", "no2-gaussian", note)
//	if err != nil {
//		return err
//	}
//	defer run.Close()
//	result, summary, err := run.Train(ctx, job)
//
// A training that ends early leaves the best model so far. Every file is written completely or not at all, so that a run
// killed at any moment can be resumed, and ends with the bits of an uninterrupted one.
//
// The package does not write to a terminal: messages for the user go to the function note. [ReadSummary],
// [ReadMetrics] and [ReadCheckpoint] read the files of a run.
package runs
