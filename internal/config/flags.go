package config

import (
	"os"
	"slices"

	"github.com/spf13/pflag"
)

// Flags are the flags of commands that read a configuration.
type Flags struct {
	Path            string   // --config, or the configuration of what is resumed
	Run             bool     // see Source
	Set             []string // --set
	Memory, Scratch string
}

// Add adds the flags to a command.
func (f *Flags) Add(flags *pflag.FlagSet) {
	flags.StringVarP(&f.Path, "config", "c", "", "configuration `file` (default: the defaults of config.yaml)")
	flags.StringArrayVar(&f.Set, "set", nil, "set a key of the configuration, `key=value`; may be repeated")
	flags.StringVar(&f.Memory, "memory", "", "memory for a large table, a `size` such as 512MiB; the same as --set data.memory=...")
	flags.StringVar(&f.Scratch, "scratch", "", "`directory` for what of a large table exceeds it; the same as --set data.scratch=...")
}

// Settings returns the values of keys that the flags set, as Source.Set has them.
func (f *Flags) Settings() []string {
	set := slices.Clone(f.Set)
	if f.Memory != "" {
		set = append(set, "data.memory="+f.Memory)
	}
	if f.Scratch != "" {
		set = append(set, "data.scratch="+f.Scratch)
	}
	return set
}

// Load reads the configuration: the file, the environment and what the flags set.
func (f *Flags) Load() (*Config, error) {
	return Load(Source{Path: f.Path, Run: f.Run, Env: os.Environ(), Set: f.Settings()})
}
