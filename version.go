package tskgraph

import "github.com/tskgraph/tskgraph/internal/buildinfo"

// Version is the version of tskgraph.
const Version = "0.1.0-dev"

// versions returns what a model file says about the programs that made it, and about
// the arithmetic, whose last bits differ from one kind of processor to another.
func versions() map[string]string {
	b := buildinfo.Read()
	v := map[string]string{"tskgraph": Version, "go": b.Go, "arch": b.Arch, "kernel": b.Kernel}
	if b.Gorgonia != "" {
		v["gorgonia"] = b.Gorgonia
	}
	return v
}
