package cluster

import (
	"flag"
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
		if p.Usage = usual[g.Name]; p.Usage == "" {
			p.Usage, p.Hidden = g.Usage, true
		}
		f.AddFlag(p)
	})
}

// usual are the flags of Beam's SDK that most jobs on a cluster need, in our words.
var usual = map[string]string{
	"endpoint": "`address` of the job server of prism, flink, spark or universal, HOST:PORT (default for prism: it runs in " +
		"this process)",
	"environment_type":   "`type` of the workers of a job server: DOCKER, EXTERNAL, PROCESS or LOOPBACK (see tskgraph-beam help runners)",
	"environment_config": "`text` for that type: an image, HOST:PORT of tskgraph-beam worker, or a command as JSON",
	"parallelism":        "`number` of tasks of flink at a time",
	"job_name":           "`name` of the job on the job server",
	"worker_binary":      "`file` that the workers run, tskgraph-beam for Linux (default: this program)",
	"project":            "`project` of Google Cloud, for dataflow",
	"region":             "`region` of Google Cloud, for dataflow",
	"staging_location":   "`directory` for what the workers of dataflow start with, gs://BUCKET/NAME",
	"temp_location":      "`directory` for temporary files of dataflow, gs://BUCKET/NAME",
	"num_workers":        "`number` of machines that dataflow starts with",
	"max_num_workers":    "`number` of machines that dataflow may use",
}

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
	return all.FlagUsages()
}
