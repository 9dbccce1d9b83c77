package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/layers/kernel"
)

// build is what is known of how the program was built.
type build struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	Kernel   string `json:"kernel"`             // of the fused engine's arithmetic
	Gorgonia string `json:"gorgonia,omitempty"` // version of the module
	Module   string `json:"module,omitempty"`   // version of ours, as the go command knows it
	Revision string `json:"revision,omitempty"` // of the sources
	Time     string `json:"time,omitempty"`     // of the revision
	Modified bool   `json:"modified,omitempty"` // whether the sources had changes that were not committed
}

func readBuild() build {
	b := build{Version: tskgraph.Version, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, Kernel: kernel.Name()}
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

func (b build) write(w io.Writer) error {
	text := fmt.Sprintf("tskgraph %s\n", b.Version)
	line := func(name, value string) {
		if value != "" {
			text += fmt.Sprintf("  %-9s %s\n", name, value)
		}
	}
	line("go", b.Go)
	line("platform", b.OS+"/"+b.Arch)
	line("kernel", b.Kernel)
	line("gorgonia", b.Gorgonia)
	line("module", b.Module)
	if b.Modified {
		b.Revision += ", and changes that are not committed"
	}
	line("revision", b.Revision)
	line("of", b.Time)
	_, err := io.WriteString(w, text)
	return err
}

func newVersion() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, and how the program was built",
		Long: `Print the version, and how the program was built: the version of Go, the platform, the kernel (the arithmetic of the fused
engine, which depends on the processor: the same seed gives the same bits with the same kernel), the version of Gorgonia,
and the revision of the sources, where that is known.`,
		Example: `  tskgraph version
  tskgraph version --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return printJSON(cmd.OutOrStdout(), readBuild())
			}
			return readBuild().write(cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}
