package tskgraph

import (
	"runtime"
	"runtime/debug"

	"github.com/tskgraph/tskgraph/layers/kernel"
)

// Version is the version of tskgraph.
const Version = "0.1.0-dev"

// versions returns what a model file says about the programs that made it, and about
// the arithmetic, whose last bits differ from one kind of processor to another.
func versions() map[string]string {
	v := map[string]string{"tskgraph": Version, "go": runtime.Version(), "arch": runtime.GOARCH, "kernel": kernel.Name()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == "gorgonia.org/gorgonia" {
				v["gorgonia"] = dep.Version
			}
		}
	}
	return v
}
