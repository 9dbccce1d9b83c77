package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/tskgraph/tskgraph/tools/checkout"
)

// platform is an operating system and an architecture to build for, as Go names them.
type platform struct{ os, arch string }

// platforms are those of a release.
var platforms = []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"},
	{"windows", "arm64"}}

// here is the platform of this machine.
var here = platform{runtime.GOOS, runtime.GOARCH}

// epoch is the modification time of all files in archives.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// program returns the file name of the command.
func (p platform) program() string {
	if p.os == "windows" {
		return "tskgraph.exe"
	}
	return "tskgraph"
}

// build returns the command of a checkout, built with build tags, separated by commas, without cgo, source paths and version control
// information. If twice is set, the command of this machine is built again with an empty build cache; it is an error if it differs.
func (p platform) build(root, tags string, twice bool) ([]byte, error) {
	program, err := p.buildOnce(root, tags)
	if err != nil || !twice || p != here {
		return program, err
	}
	cache, err := os.MkdirTemp("", "tskgraph-cache-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(cache)
	again, err := p.buildOnce(root, tags, "GOCACHE="+cache)
	if err == nil && !bytes.Equal(again, program) {
		err = fmt.Errorf("%s/%s: two builds differ", p.os, p.arch)
	}
	return program, err
}

func (p platform) buildOnce(root, tags string, environment ...string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "tskgraph-build-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, p.program())
	environment = append(environment, "CGO_ENABLED=0", "GOOS="+p.os, "GOARCH="+p.arch, "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=",
		"GOEXPERIMENT=")
	_, err = checkout.Go(root, environment, "build", "-trimpath", "-buildvcs=false", "-tags", tags, "-ldflags=-s -w -buildid=", "-o", path,
		"./cmd/tskgraph")
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}
