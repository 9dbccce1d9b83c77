// Command release writes what a release has, each part by a verb:
//
//	release archives [-out dist] [-sbom PROGRAM]    static programs for six platforms, checksums, and SBOMs by cyclonedx-gomod
//	release wheels [-out python/dist] [-here]       the Python package, with the program of a platform in each wheel
//	release page [-out web/dist] [-draft]           the page that trains in the browser, for any static host and for file://
//	release licences [DIRECTORY PACKAGE]            on standard output: the modules linked into a command, by default cmd/tskgraph
//
// The same sources and version of Go give the same bytes. With -check, archives and wheels also build the program of this machine
// with an empty build cache, and compare.
//
// Other programs for this were weighed. goreleaser brings several hundred modules, and Syft, which it calls for SBOMs, is no Go module;
// go-licenses reads one platform at a time and knows no licence of the standard library; Python's build, with setuptools, needs a Python
// with setuptools 77 and one run for each platform, after which the tags are rewritten. Together they are as much configuration as this
// is code.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/tskgraph/tskgraph/tools/checkout"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: release archives|wheels|page|licences [flags]")
		os.Exit(2)
	}
	verb := os.Args[1]
	flags := flag.NewFlagSet("release "+verb, flag.ExitOnError)
	defaults := map[string]string{"archives": "dist", "wheels": "python/dist", "page": "web/dist"}
	out := flags.String("out", defaults[verb], "`directory` for the files; created if missing")
	sbom := flags.String("sbom", "", "archives: the `program` cyclonedx-gomod; if empty, no SBOM is written")
	here := flags.Bool("here", false, "wheels: only the wheel for this machine")
	check := flags.Bool("check", false, "archives, wheels: build the program of this machine twice and compare")
	draft := flags.Bool("draft", false, "page: compress fast, for tests")
	_ = flags.Parse(os.Args[2:]) // which exits
	checkout.Main("release", func() error {
		switch verb {
		case "archives":
			return writeArchives(*out, *sbom, *check)
		case "wheels":
			return writeWheels(*out, *here, *check)
		case "page":
			return writePage(*out, *draft)
		case "licences":
			return printLicences(flags.Args())
		}
		return fmt.Errorf("no verb %q", verb)
	})
}

// printLicences prints the page of the modules that are linked into a command.
func printLicences(args []string) error {
	root, command := ".", "./cmd/tskgraph"
	if len(args) == 2 {
		root, command = args[0], args[1]
	}
	page, err := thirdParty(root, command)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(page)
	return err
}
