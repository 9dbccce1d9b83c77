//go:build !nofigures

package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tskgraph/tskgraph/internal/safefile"
	"github.com/tskgraph/tskgraph/internal/shell"
	"github.com/tskgraph/tskgraph/study"
	studyreport "github.com/tskgraph/tskgraph/study/report"
)

const experimentHelp = `Run the algorithms that the paper compares on its ten data sets, over random splits into 70% for training and 30% for
testing, and write the paper's tables and figures, with intervals and tests, to a directory: report.md, tables, figures, and
summary.json. The directory also keeps each result: an interrupted study continues where it stopped, and no run is repeated.
A shard (--shard 1/4) runs only its part of the study; to combine shards, copy their results into one directory and run
without --shard. docs/datasets.md says where to get the data sets.

If --data names CSV files, or a directory with CSV files but none of the ten, the study runs on these tables: with the same
splits, algorithms, tables and tests. Each is named after its file; all start with 32 rules, and those with at most 2000 rows
take part in the comparison with ANFIS.

With --classifiers it compares trainings of classifiers instead, on the built-in iris and on tables of --data whose target
is a class: mini-batch gradient descent with AdaBound (MBGD), with Rule Dropout, with uniform regularisation and batch
normalisation (MBGD-UR, MBGD-UR-BN), with DropRule (MBGD-RDA), and the default preset. It prints means over the splits.`

func newExperiment() *cobra.Command {
	var flags experimentFlags
	cmd := &cobra.Command{
		Use:   "experiment",
		Short: "Repeat the study of the paper, on its data sets or on your own",
		Long:  experimentHelp,
		Example: `  tskgraph experiment --data data --out study
  tskgraph experiment --data data --datasets no2,concrete --algorithms 'vMBGD-RDA[R0],vMBGD-RDA[R0->R]' --repeats 5 --json
  tskgraph experiment --data data --curves --shard 1/2
  tskgraph experiment --data mine.csv,yours.csv --target y --repeats 10 --out mine
  tskgraph experiment --classifiers --repeats 5`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if flags.classifiers {
				return compareClassifiers(cmd, flags)
			}
			if err := needed(cmd, "data", "out"); err != nil {
				return err
			}
			if err := exclusive(cmd, "shard", "json"); err != nil {
				return err
			}
			plan, err := flags.plan()
			if err != nil {
				return err
			}
			if err := ownStudy(flags.out); err != nil {
				return err
			}
			plan.OnNote = func(note string) { fmt.Fprintf(cmd.ErrOrStderr(), "note: %s\n", note) }
			bar := newStudyProgress(cmd.ErrOrStderr())
			plan.OnProgress = bar.show
			results, err := plan.Run(cmd.Context())
			bar.stop()
			if cmd.Context().Err() != nil {
				return fmt.Errorf("%w\ncontinue with: %s", err, sameCommand(cmd))
			}
			if err != nil {
				return err
			}
			if plan.Shard != (study.Shard{}) {
				_, err := fmt.Fprintf(cmd.OutOrStdout(), "shard %d/%d: %d results in %s\n", plan.Shard.Index, plan.Shard.Count, len(results.Runs), plan.Store)
				return err
			}
			return writeStudy(cmd, studyreport.New(results), flags.out, flags.asJSON)
		},
	}
	flags.add(cmd)
	return cmd
}

// resultsDir is where a study keeps its results, beside the tables and figures.
const resultsDir = "results"

// ownStudy refuses a directory that holds something other than a study, and a results directory that is a symbolic link.
func ownStudy(dir string) error {
	held, err := safefile.Held(dir)
	if err != nil {
		return usageError{fmt.Errorf("--out: %w", err)}
	}
	results := filepath.Join(dir, resultsDir)
	if info, err := os.Lstat(results); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return usageError{fmt.Errorf("--out %s: %s is a symbolic link, which is not followed: remove it, or name another directory", dir, results)}
	}
	inside, err := safefile.Held(results)
	begun := err == nil && len(inside) == 0 && slices.Equal(held, []string{resultsDir}) // interrupted before the first result
	if len(held) > 0 && !begun && !study.Begun(results) {
		return usageError{fmt.Errorf("--out: %w", safefile.Foreign(dir, "a study"))}
	}
	return nil
}

// sameCommand returns the command line as it was typed.
func sameCommand(cmd *cobra.Command) string {
	words := strings.Fields(cmd.CommandPath())
	cmd.Flags().Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		if list, ok := f.Value.(pflag.SliceValue); ok {
			value = strings.Join(list.GetSlice(), ",")
		}
		words = append(words, "--"+f.Name+"="+value)
	})
	return shell.Line(words...)
}

// experimentFlags are the flags of `experiment`.
type experimentFlags struct {
	out, shard, target                string
	data                              []string
	datasets, algorithms, memberships []string
	repeats, workers                  int
	seed                              uint64
	curves, classifiers, asJSON       bool
}

func (f *experimentFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVarP(&f.data, "data", "d", nil, "`directory` of the data sets, or tables of your own: CSV files, or a directory of them")
	flags.StringVar(&f.target, "target", "", "the `column` to predict in tables of your own (default: the last one)")
	flags.StringVarP(&f.out, "out", "o", "study", "`directory` for results, tables and figures: a new one, or one of the same study")
	flags.StringSliceVar(&f.datasets, "datasets", nil, "only these data `sets` (default: all ten)")
	flags.StringSliceVar(&f.algorithms, "algorithms", nil, "only these `algorithms` (default: all)")
	flags.StringSliceVar(&f.memberships, "membership", []string{"gaussian", "trapezoid"}, "`shapes` of the membership functions")
	flags.IntVar(&f.repeats, "repeats", 30, "random splits per data set; the comparison with ANFIS takes the first ten")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the first repeat; each further repeat adds 1")
	flags.IntVar(&f.workers, "workers", 0, "runs at a time (default: the number of processors)")
	flags.BoolVar(&f.curves, "curves", false, "measure the test RMSE after every iteration, and draw the paper's figures")
	flags.StringVar(&f.shard, "shard", "", "run part `i/n` of the study only, and write no tables")
	flags.BoolVar(&f.classifiers, "classifiers", false, "compare trainings of classifiers, on iris and the tables of --data")
	flags.BoolVar(&f.asJSON, "json", false, "print the averages as one JSON array")
}

// plan returns the study that the flags describe.
func (f *experimentFlags) plan() (study.Plan, error) {
	s := study.Plan{
		Memberships: f.memberships, Repeats: f.repeats, Seed: f.seed,
		Curves: f.curves, Workers: f.workers, Store: filepath.Join(f.out, resultsDir),
	}
	var err error
	if s.Algorithms, err = study.FindAlgorithms(f.algorithms); err != nil {
		return s, err
	}
	if s.Shard, err = study.ParseShard(f.shard); err != nil {
		return s, err
	}
	if err := s.Validate(); err != nil {
		return s, err
	}
	own, err := f.ownTables()
	if err != nil {
		return s, err
	}
	if own == nil {
		s.Dir = f.data[0]
		s.Sets, err = study.ChooseSets(study.Sets(), f.datasets)
	} else {
		s.Sets, err = study.OwnSets(own, f.target, f.datasets)
	}
	return s, err
}

// ownTables returns the user's tables that --data names; nil if it names the directory of the study's data sets, or one
// without tables.
func (f *experimentFlags) ownTables() ([]string, error) {
	if info, err := os.Stat(f.data[0]); len(f.data) > 1 || err == nil && !info.IsDir() {
		return f.data, nil
	}
	entries, err := os.ReadDir(f.data[0])
	if err != nil && f.target == "" {
		return nil, nil // the study reports what is missing
	}
	var tables []string
	for _, e := range entries {
		of := func(s study.Set) bool { return s.File == e.Name() }
		if f.target == "" && slices.ContainsFunc(study.Sets(), of) {
			return nil, nil
		}
		if strings.EqualFold(filepath.Ext(e.Name()), ".csv") && !e.IsDir() {
			tables = append(tables, filepath.Join(f.data[0], e.Name()))
		}
	}
	if f.target != "" && tables == nil {
		return nil, usageError{fmt.Errorf("--target is for tables of your own, and no CSV file in %s", f.data[0])}
	}
	return tables, nil
}

// writeStudy writes the directory of a study, and its main tables to standard
// output.
func writeStudy(cmd *cobra.Command, r *studyreport.Report, dir string, asJSON bool) error {
	if err := r.Write(dir); err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if asJSON {
		return printJSON(out, r.Summaries())
	}
	for _, t := range r.Main() {
		if err := t.Write(out); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	_, err := fmt.Fprintf(out, "report: %s\n", filepath.Join(dir, studyreport.File))
	return err
}
