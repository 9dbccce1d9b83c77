// Package studying has what `tskgraph experiment` and `tskgraph-beam experiment` share: the flags and the study that they describe,
// and the directory of a study.
package studying

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tskgraph/tskgraph/internal/base/shell"
	"github.com/tskgraph/tskgraph/internal/study"
)

// Flags are the values of the flags.
type Flags struct {
	Out, Shard, Target                string
	Data                              []string
	Datasets, Algorithms, Memberships []string
	Repeats, Workers                  int
	Seed                              uint64
	Curves, Classifiers               bool
}

// Add adds the flags to a command.
func (f *Flags) Add(flags *pflag.FlagSet) {
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

// Plan returns the study that the flags describe. usage marks an error in the command line.
func (f *Flags) Plan(usage func(error) error) (study.Plan, error) {
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
	own, err := f.ownTables(usage)
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
func (f *Flags) ownTables(usage func(error) error) ([]string, error) {
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
		return nil, usage(fmt.Errorf("--target is for tables of your own, and no CSV file in %s", f.Data[0]))
	}
	return tables, nil
}

// Command returns a command with the flags that were given, quoted for a shell.
func Command(path string, flags *pflag.FlagSet) string {
	words := strings.Fields(path)
	flags.Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		if list, ok := f.Value.(pflag.SliceValue); ok {
			value = strings.Join(list.GetSlice(), ",")
		}
		words = append(words, "--"+f.Name+"="+value)
	})
	return shell.Line(words...)
}
