//go:build !nofigures

package command

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tskgraph/tskgraph/internal/app/message"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/study"
)

// ExperimentFlags are the values of the flags.
type ExperimentFlags struct {
	Out, Shard, Target                string
	Data                              []string
	Datasets, Algorithms, Memberships []string
	Repeats, Workers                  int
	Seed                              uint64
	Curves, Classifiers               bool
}

// Add adds the flags to a command.
func (f *ExperimentFlags) Add(flags *pflag.FlagSet) {
	flags.StringSliceVarP(&f.Data, "data", "d", nil, "`directory` of the data sets, or tables of your own: CSV files, or a directory of them")
	flags.StringVar(&f.Target, "target", "", "the `column` to predict in tables of your own (default: the last one)")
	flags.StringVarP(&f.Out, "out", "o", "study", "`directory` for results, tables and figures: a new one, or one of the same study")
	flags.StringSliceVar(&f.Datasets, "datasets", nil, "only these data `sets` (default: all ten)")
	flags.StringSliceVar(&f.Algorithms, "algorithms", nil, "only these `algorithms` (default: all)")
	flags.StringSliceVar(&f.Memberships, "membership", []string{"gaussian", "trapezoid"}, "`shapes` of the membership functions")
	flags.IntVar(&f.Repeats, "repeats", 30, "random splits per data set; the comparison with ANFIS takes the first ten")
	flags.Uint64Var(&f.Seed, "seed", 1, "seed of the first repeat; each further repeat adds 1")
	flags.IntVar(&f.Workers, "workers", 0, "runs at a time (default: the number of processors)")
	flags.BoolVar(&f.Curves, "curves", false, "measure the test RMSE after every iteration, and draw the paper's figures")
	flags.StringVar(&f.Shard, "shard", "", "run part `i/n` of the study only, and write no tables")
	flags.BoolVar(&f.Classifiers, "classifiers", false, "compare trainings of classifiers, on iris and the tables of --data")
}

// Plan returns the study that the flags describe.
func (f *ExperimentFlags) Plan() (study.Plan, error) {
	s := study.Plan{
		Memberships: f.Memberships, Repeats: f.Repeats, Seed: f.Seed,
		Curves: f.Curves, Workers: f.Workers, Store: filepath.Join(f.Out, ResultsDir),
	}
	var err error
	if s.Algorithms, err = study.FindAlgorithms(f.Algorithms); err != nil {
		return s, err
	}
	if s.Shard, err = study.ParseShard(f.Shard); err != nil {
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
		s.Dir = f.Data[0]
		s.Sets, err = study.ChooseSets(study.Sets(), f.Datasets)
	} else {
		s.Sets, err = study.OwnSets(own, f.Target, f.Datasets)
	}
	return s, err
}

// ownTables returns the user's tables that --data names; nil if it names the directory of the study's data sets, or one
// without tables.
func (f *ExperimentFlags) ownTables() ([]string, error) {
	info, err := os.Stat(f.Data[0])
	database := err != nil && strings.ContainsAny(f.Data[0], ":=") // perhaps with a password: reading it as a table refuses it
	if database || len(f.Data) > 1 || err == nil && !info.IsDir() {
		return f.Data, nil
	}
	entries, err := os.ReadDir(f.Data[0])
	if err != nil && f.Target == "" {
		return nil, nil // the study reports what is missing
	}
	var tables []string
	for _, e := range entries {
		of := func(s study.Set) bool { return s.File == e.Name() }
		if f.Target == "" && slices.ContainsFunc(study.Sets(), of) {
			return nil, nil
		}
		if strings.EqualFold(filepath.Ext(e.Name()), ".csv") && !e.IsDir() {
			tables = append(tables, filepath.Join(f.Data[0], e.Name()))
		}
	}
	if f.Target != "" && tables == nil {
		return nil, message.Usagef("--target is for tables of your own, and no CSV file in %s", f.Data[0])
	}
	return tables, nil
}

// ExperimentLine returns a command with the flags that were given, quoted for a shell.
func ExperimentLine(path string, flags *pflag.FlagSet) string {
	words := strings.Fields(path)
	flags.Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		if list, ok := f.Value.(pflag.SliceValue); ok {
			value = strings.Join(list.GetSlice(), ",")
		}
		words = append(words, "--"+f.Name+"="+value)
	})
	return escape.ShellLine(words...)
}

// The directories in that of a study, beside tables and figures.
const (
	ResultsDir = "results"
	StateDir   = "state" // of the workers of a cluster, as long as the study runs
)

// OwnExperiment refuses a directory that holds something other than a study, and a results directory that is a symbolic link.
func OwnExperiment(dir string) error {
	held, err := safefile.Held(dir)
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	results := filepath.Join(dir, ResultsDir)
	if info, err := os.Lstat(results); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("--out %s: %s is a symbolic link, which is not followed: remove it, or name another directory", dir, results)
	}
	inside, err := safefile.Held(results)
	held = slices.DeleteFunc(held, func(name string) bool { return name == StateDir })
	begun := err == nil && len(inside) == 0 && slices.Equal(held, []string{ResultsDir}) // interrupted before the first result
	if len(held) > 0 && !begun && !study.Begun(results) {
		return fmt.Errorf("--out: %w", safefile.Foreign(dir, "a study"))
	}
	return nil
}

// WriteExperiment writes the tables and figures of a study to its directory, and the main tables to w, or averages as
// JSON. Of a shard it writes how many results there are.
func WriteExperiment(w io.Writer, results *study.Results, dir string, asJSON bool) error {
	if shard := results.Plan.Shard; shard != (study.Shard{}) {
		_, err := fmt.Fprintf(w, "shard %d/%d: %d results in %s\n", shard.Index, shard.Count, len(results.Runs), results.Plan.Store)
		return err
	}
	r := study.NewReport(results)
	if err := r.Write(dir); err != nil {
		return err
	}
	if asJSON {
		return escape.PrintJSON(w, r.Summaries())
	}
	for _, t := range r.Main() {
		if err := t.Write(w); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	_, err := fmt.Fprintf(w, "report: %s\n", filepath.Join(dir, study.ReportFile))
	return err
}
