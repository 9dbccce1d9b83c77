package cluster

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// sdkFlag is a flag of Beam's SDK in a command. It is set as in the SDK's own flag set, whose pipeline options are the
// flags that were set.
type sdkFlag struct {
	pflag.Value
	name string
}

func (f sdkFlag) Set(value string) error { return flag.Set(f.name, value) }

// addSDKFlags adds the flags of Beam's SDK. Help shows those that most jobs need.
func addSDKFlags(f *pflag.FlagSet) {
	sdkFlags(func(g *flag.Flag) {
		if f.Lookup(g.Name) != nil {
			return
		}
		p := pflag.PFlagFromGoFlag(g)
		p.Value = sdkFlag{p.Value, g.Name}
		p.Hidden = !slices.Contains(usual, g.Name)
		f.AddFlag(p)
	})
}

// usual are the flags of Beam's SDK that most jobs on a cluster need.
var usual = []string{"endpoint", "environment_type", "environment_config", "parallelism", "job_name", "worker_binary",
	"project", "region", "staging_location", "temp_location", "num_workers", "max_num_workers"}

// ours are flags that stand for others here, or that a runner sets when it starts a worker.
var ours = []string{"runner", "dry_run", "worker", "id", "logging_endpoint", "control_endpoint", "semi_persist_dir", "options"}

// sdkFlags calls use for each flag of Beam's SDK.
func sdkFlags(use func(*flag.Flag)) {
	flag.VisitAll(func(g *flag.Flag) {
		if !strings.HasPrefix(g.Name, "test.") && !slices.Contains(ours, g.Name) {
			use(g)
		}
	})
}

// SDKFlags returns the descriptions of all flags of Beam's SDK.
func SDKFlags() string {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	all.SortFlags = true
	sdkFlags(all.AddGoFlag)
	return fmt.Sprint(all.FlagUsages())
}
