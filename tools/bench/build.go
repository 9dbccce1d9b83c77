package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// programs are the built programs.
type programs struct {
	limits    []program // the C program by target; the first is the reference of the ratios
	engines   []program
	step      goTest // benchmarks of training steps
	pipeline  []goTest
	benchtime time.Duration
}

// program times the training steps of one implementation.
type program struct {
	name string
	run  func(ctx context.Context, shape string, s size) (measured, error)
}

// goTest is a test binary and its working directory.
type goTest struct{ path, dir string }

// pipelinePackages are the packages with benchmarks of the rest of the pipeline.
var pipelinePackages = []string{"rules", "model", "data", "cli"}

// build compiles all programs into dir.
func build(ctx context.Context, dir string, o options) (*programs, error) {
	p := &programs{benchtime: o.benchtime}
	cc, err := compiler()
	if err != nil {
		return nil, err
	}
	for _, march := range marches() {
		exe := filepath.Join(dir, "limit-"+march)
		if err := command(ctx, cc, "-O3", "-march="+march, "-ffast-math", o.limit, "-lm", "-o", exe); err != nil {
			return nil, err
		}
		p.limits = append(p.limits, program{"C, " + march, func(ctx context.Context, shape string, s size) (measured, error) {
			return runLimit(ctx, exe, shape, s)
		}})
	}
	assembly, purego := goTest{filepath.Join(dir, "step.test"), "."}, goTest{filepath.Join(dir, "purego.test"), "."}
	if err := command(ctx, "go", "test", "-c", "-o", assembly.path, "."); err != nil {
		return nil, err
	}
	if err := command(ctx, "go", "test", "-c", "-tags", "purego", "-o", purego.path, "."); err != nil {
		return nil, err
	}
	for _, e := range []struct {
		name, engine string
		test         goTest
	}{{"fused", "fused", assembly}, {"fused, pure Go", "fused", purego}, {"autodiff", "autodiff", assembly}} {
		p.engines = append(p.engines, program{e.name, func(ctx context.Context, shape string, s size) (measured, error) {
			return e.test.one(ctx, o.benchtime, fmt.Sprintf("TrainStep/%s/%s/%s", e.engine, shape, s))
		}})
	}
	p.step = assembly
	for _, name := range pipelinePackages {
		t := goTest{filepath.Join(dir, filepath.Base(name)+".test"), filepath.FromSlash(name)}
		if err := command(ctx, "go", "test", "-c", "-o", t.path, "./"+name); err != nil {
			return nil, err
		}
		p.pipeline = append(p.pipeline, t)
	}
	return p, nil
}

// compiler returns the path of the C compiler: that of CC if set, else the first installed.
func compiler() (string, error) {
	names := []string{"cc", "gcc", "clang"}
	if cc := os.Getenv("CC"); cc != "" {
		names = []string{cc}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no C compiler (%s) found: install gcc or clang (on Debian: apt-get install gcc libc6-dev), or set CC to one",
		strings.Join(names, ", "))
}

// marches returns the targets (-march) that the C program is compiled for.
func marches() []string {
	if runtime.GOARCH == "amd64" {
		return []string{"x86-64-v3", "native"}
	}
	return []string{"native"}
}

// command runs a command; the error contains its output.
func command(ctx context.Context, name string, args ...string) error {
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

// output runs a command in a directory and returns its standard output.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("%w\n%s%s", err, out, exit.Stderr)
	}
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return string(out), nil
}
