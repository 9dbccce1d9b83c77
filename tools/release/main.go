// Command release builds the archives of a release into a directory: static programs for
// every platform with licences, checksums (SHA256SUMS) and a CycloneDX SBOM of each program.
// Builds are reproducible for the same sources and version of Go; -check rebuilds the
// program of this platform with an empty build cache and compares.
package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/tools/crossbuild"
)

// documents are the files in every archive.
var documents = []string{"LICENSE", "README.md", "THIRD_PARTY.md"}

func main() {
	out := flag.String("out", "dist", "`directory` for the archives; created if missing")
	sbom := flag.String("sbom", "", "the `program` cyclonedx-gomod; if empty, no SBOM is written")
	check := flag.Bool("check", false, "rebuild the program of this platform and compare")
	flag.Parse()
	if err := release(*out, *sbom, *check); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release writes all files of a release.
func release(out, sbom string, check bool) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var sums bytes.Buffer
	add := func(name string, content []byte) error {
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(content), name)
		return os.WriteFile(filepath.Join(out, name), content, 0o644)
	}
	for _, p := range crossbuild.Platforms {
		program, err := p.Build(".", "")
		if err != nil {
			return err
		}
		if check && p == crossbuild.Here() {
			if err := p.Check(".", "", program); err != nil {
				return err
			}
		}
		name := fmt.Sprintf("tskgraph-%s-%s-%s", tskgraph.Version, p.OS, p.Arch)
		files := []file{{p.Program(), program, 0o755}}
		for _, d := range documents {
			content, err := os.ReadFile(d)
			if err != nil {
				return err
			}
			files = append(files, file{d, content, 0o644})
		}
		packed, extension, err := pack(p, name, files)
		if err != nil {
			return err
		}
		if err := add(name+extension, packed); err != nil {
			return err
		}
		if sbom == "" {
			continue
		}
		bill, err := billOf(sbom, program)
		if err != nil {
			return err
		}
		if err := add(name+".cdx.json", bill); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), sums.Bytes(), 0o644)
}

// billOf returns the SBOM of a program, without time stamp and serial number.
func billOf(tool string, program []byte) ([]byte, error) {
	dir, err := os.MkdirTemp("", "tskgraph-sbom-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "tskgraph")
	if err := os.WriteFile(path, program, 0o755); err != nil {
		return nil, err
	}
	var stderr strings.Builder
	cmd := exec.Command(tool, "bin", "-json", "-noserial", "-version", "v"+tskgraph.Version, path)
	cmd.Stderr = &stderr
	bill, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", tool, err, &stderr)
	}
	return withoutTime(bill)
}
