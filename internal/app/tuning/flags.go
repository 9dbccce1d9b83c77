// Package tuning has what `tskgraph tune` and `tskgraph-beam tune` share: the flags and their checks, the directory of a search, and
// what is written and noted at its end.
package tuning

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"

	"github.com/tskgraph/tskgraph/internal/app/configflags"
	"github.com/tskgraph/tskgraph/internal/config"
)

// Flags are the values of the flags.
type Flags struct {
	configflags.Flags
	Out, Resume, Group string
	Trials             int
	Time               time.Duration
}

// Add adds the flags to a command.
func (f *Flags) Add(flags *pflag.FlagSet) {
	f.Flags.Add(flags)
	flags.StringVarP(&f.Out, "out", "o", "", "`directory` for the results; if it holds the same search, that search continues")
	flags.StringVar(&f.Resume, "resume", "", "`directory` of a search to resume, with its own configuration")
	flags.IntVar(&f.Trials, "trials", 40, "`number` of settings to try, including those that the search starts from")
	flags.DurationVar(&f.Time, "time", 0, "start no further step after this `time`, such as 90s or 10m (default: no limit); the first settings, eight trials and the finalists are always completed")
	flags.StringVar(&f.Group, "group", "", "`column` of groups: rows with equal cells stay together; the same as --set data.group=...")
}

// Check returns an error about a wrong use of the flags that were added to a flag set.
func (f *Flags) Check(flags *pflag.FlagSet) error {
	for _, other := range []string{"config", "set", "group", "out"} {
		if flags.Changed("resume") && flags.Changed(other) {
			return fmt.Errorf("--resume and --%s cannot be combined", other)
		}
	}
	if flags.Changed("trials") && f.Trials < 1 {
		return fmt.Errorf("--trials %d: must be at least 1", f.Trials)
	}
	if f.Time < 0 {
		return fmt.Errorf("--time %v: must be positive", f.Time)
	}
	if f.Resume != "" {
		if _, err := os.Stat(filepath.Join(f.Resume, searchConfigFile)); err != nil {
			return fmt.Errorf("--resume %s: no search to resume: %w", f.Resume, err)
		}
	}
	return nil
}

// Load reads the configuration; to resume, that of the search.
func (f *Flags) Load() (*config.Config, error) {
	if f.Resume != "" {
		f.Out, f.Path, f.Run = f.Resume, filepath.Join(f.Resume, searchConfigFile), true
	}
	if f.Group != "" {
		f.Set = append(f.Set, "data.group="+f.Group)
	}
	return f.Flags.Load()
}
