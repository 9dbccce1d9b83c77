// Package crossbuild builds the command for the platforms of a release, as a static
// program. The same sources and version of Go give the same bytes.
package crossbuild

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// Platform is an operating system and an architecture to build for, as Go names them.
type Platform struct{ OS, Arch string }

// Platforms are those of a release.
var Platforms = []Platform{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"},
}

// Epoch is the modification time of all files in archives.
var Epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// Here returns the platform of this machine.
func Here() Platform { return Platform{runtime.GOOS, runtime.GOARCH} }

// Program returns the file name of the program.
func (p Platform) Program() string {
	if p.OS == "windows" {
		return "tskgraph.exe"
	}
	return "tskgraph"
}

// Build returns the program of a checkout, built with build tags, separated by commas, without cgo, source
// paths and version control information.
func (p Platform) Build(root, tags string) ([]byte, error) { return p.build(root, tags, os.Environ()) }

func (p Platform) build(root, tags string, env []string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "tskgraph-build-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, p.Program())
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-tags", tags, "-ldflags=-s -w -buildid=", "-o", path, "./cmd/tskgraph")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	cmd.Env = append(env, "CGO_ENABLED=0", "GOOS="+p.OS, "GOARCH="+p.Arch, "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=", "GOEXPERIMENT=")
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s/%s: %w", p.OS, p.Arch, err)
	}
	return os.ReadFile(path)
}

// Check rebuilds a program with an empty build cache and returns an error if it differs.
func (p Platform) Check(root, tags string, program []byte) error {
	cache, err := os.MkdirTemp("", "tskgraph-cache-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(cache)
	again, err := p.build(root, tags, append(os.Environ(), "GOCACHE="+cache))
	if err != nil {
		return err
	}
	if !bytes.Equal(again, program) {
		return fmt.Errorf("%s/%s: two builds differ", p.OS, p.Arch)
	}
	return nil
}
