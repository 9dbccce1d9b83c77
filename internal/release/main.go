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
	"runtime"
	"strings"

	"github.com/tskgraph/tskgraph"
)

// platform is an operating system and an architecture to build for.
type platform struct{ os, arch string }

var platforms = []platform{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"},
}

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
	for _, p := range platforms {
		program, err := build(p, os.Environ())
		if err != nil {
			return err
		}
		if check && p == (platform{runtime.GOOS, runtime.GOARCH}) {
			if err := same(p, program); err != nil {
				return err
			}
		}
		name := fmt.Sprintf("tskgraph-%s-%s-%s", tskgraph.Version, p.os, p.arch)
		files := []file{{p.program(), program, 0o755}}
		for _, d := range documents {
			content, err := os.ReadFile(d)
			if err != nil {
				return err
			}
			files = append(files, file{d, content, 0o644})
		}
		packed, extension, err := p.pack(name, files)
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

// program returns the file name of the program.
func (p platform) program() string {
	if p.os == "windows" {
		return "tskgraph.exe"
	}
	return "tskgraph"
}

// build builds the program without cgo, source paths and version control information.
func build(p platform, env []string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "tskgraph-release-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, p.program())
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", path, "./cmd/tskgraph")
	cmd.Env = append(env, "CGO_ENABLED=0", "GOOS="+p.os, "GOARCH="+p.arch, "GOAMD64=v1", "GOFLAGS=")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s/%s: %w", p.os, p.arch, err)
	}
	return os.ReadFile(path)
}

// same rebuilds a program with an empty build cache and returns an error if it differs.
func same(p platform, program []byte) error {
	cache, err := os.MkdirTemp("", "tskgraph-cache-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(cache)
	again, err := build(p, append(os.Environ(), "GOCACHE="+cache))
	if err != nil {
		return err
	}
	if !bytes.Equal(again, program) {
		return fmt.Errorf("%s/%s: two builds differ", p.os, p.arch)
	}
	return nil
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
