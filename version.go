package tskgraph

import (
	"runtime"
	"runtime/debug"
)

// Version is the version of tskgraph.
const Version = "0.1.0-dev"

// versions returns what a model file says about the programs that made it.
func versions() map[string]string {
	v := map[string]string{"tskgraph": Version, "go": runtime.Version()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == "gorgonia.org/gorgonia" {
				v["gorgonia"] = dep.Version
			}
		}
	}
	return v
}
