// Package buildinfo describes how the program was built, as far as the bits of a result
// may depend on it.
package buildinfo

import (
	"runtime"
	"runtime/debug"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
)

// Version is the version of tskgraph.
const Version = "0.1.0-dev"

// Info describes the build of the running program.
type Info struct {
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	GOAMD64  string `json:"goamd64,omitempty"`  // minimum microarchitecture level
	Kernel   string `json:"kernel"`             // of the fused engine's arithmetic
	Gorgonia string `json:"gorgonia,omitempty"` // version of the module
	Module   string `json:"module,omitempty"`   // version of the main module, by the go command
	Revision string `json:"revision,omitempty"` // of the sources
	Time     string `json:"time,omitempty"`     // of the revision
	Modified bool   `json:"modified,omitempty"` // whether the sources had uncommitted changes
}

// Read returns the build information of the running program.
func Read() Info {
	b := Info{Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, Kernel: kernel.Name()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "(devel)" {
		b.Module = info.Main.Version
	}
	for _, dep := range info.Deps {
		if dep.Path == "gorgonia.org/gorgonia" {
			b.Gorgonia = dep.Version
		}
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "GOAMD64":
			b.GOAMD64 = s.Value
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// Sources returns the revision of the sources and whether they had uncommitted changes,
// or nothing if the revision is unknown.
func (b Info) Sources() string {
	if b.Modified {
		return b.Revision + ", with uncommitted changes"
	}
	return b.Revision
}

// Arithmetic names what the last bits of a result depend on: processor architecture,
// kernel, and the version of Go, whose package math may change.
func (b Info) Arithmetic() string { return b.Arch + " " + b.Kernel + " " + b.Go }

// Versions returns the versions that a model file records: of the program, of Go and of the
// arithmetic, whose last bits differ between kinds of processor.
func Versions() map[string]string {
	b := Read()
	v := map[string]string{"tskgraph": Version, "go": b.Go, "arch": b.Arch, "kernel": b.Kernel}
	if b.Gorgonia != "" {
		v["gorgonia"] = b.Gorgonia
	}
	return v
}
