package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// programs are the built programs.
type programs struct {
	limits    []program // the C program by target; the first is the reference of the ratios
	engines   []program
	growth    []goTest // benchmarks of training steps, and of trainings
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
	assembly, purego := goTest{filepath.Join(dir, "step.test"), "graph"}, goTest{filepath.Join(dir, "purego.test"), "graph"}
	if err := command(ctx, "go", "test", "-c", "-o", assembly.path, "./graph"); err != nil {
		return nil, err
	}
	if err := command(ctx, "go", "test", "-c", "-tags", "purego", "-o", purego.path, "./graph"); err != nil {
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
	training := goTest{filepath.Join(dir, "training.test"), filepath.Join("internal", "train", "ensemble")}
	if err := command(ctx, "go", "test", "-c", "-o", training.path, "./internal/train/ensemble"); err != nil {
		return nil, err
	}
	p.growth = []goTest{assembly, training}
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

// size is the size of a training step: B samples in a batch, R rules, M features.
type size struct{ B, R, M int }

// String formats a size as in the names of benchmarks.
func (s size) String() string { return fmt.Sprintf("B=%d/R=%d/M=%d", s.B, s.R, s.M) }

// measured is a line of benchmark output: a figure for each unit, such as "ns/op".
type measured struct {
	name   string
	values map[string]float64
}

// runLimit runs the C program once.
func runLimit(ctx context.Context, exe, shape string, s size) (measured, error) {
	out, err := output(ctx, ".", exe, shape, strconv.Itoa(s.B), strconv.Itoa(s.R), strconv.Itoa(s.M))
	if err != nil {
		return measured{}, err
	}
	fields := strings.Fields(out)
	if len(fields) < 5 || strings.Join(fields[:4], " ") != fmt.Sprint(shape, " ", s.B, " ", s.R, " ", s.M) {
		return measured{}, fmt.Errorf("%s: want shape, B, R, M and nanoseconds, got %q", exe, out)
	}
	ns, err := strconv.ParseFloat(fields[4], 64)
	if err != nil || !(ns > 0) {
		return measured{}, fmt.Errorf("%s: invalid nanoseconds %q", exe, fields[4])
	}
	return measured{values: map[string]float64{"ns/op": ns}}, nil
}

// one runs a single benchmark.
func (t goTest) one(ctx context.Context, benchtime time.Duration, name string) (measured, error) {
	lines, err := t.bench(ctx, benchtime, "^Benchmark"+strings.ReplaceAll(name, "/", "$/^")+"$")
	if err != nil {
		return measured{}, err
	}
	if len(lines) != 1 {
		return measured{}, fmt.Errorf("%d benchmarks match %s, want one", len(lines), name)
	}
	return lines[0], nil
}

// bench runs the benchmarks that match a pattern.
func (t goTest) bench(ctx context.Context, benchtime time.Duration, pattern string) ([]measured, error) {
	path, err := filepath.Abs(t.path)
	if err != nil {
		return nil, err
	}
	out, err := output(ctx, t.dir, path, "-test.run", "^$", "-test.bench", pattern, "-test.benchtime", benchtime.String(),
		"-test.timeout", "0")
	if err != nil {
		return nil, err
	}
	return parse(out)
}

// parse parses the lines of benchmarks, such as "BenchmarkA/b-2  100  12 ns/op  0 B/op".
// It removes the number of processors from the name and skips other lines.
func parse(out string) ([]measured, error) {
	var all []measured
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if len(fields) < 4 || len(fields)%2 != 0 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		m := measured{strings.TrimPrefix(fields[0], "Benchmark"), map[string]float64{}}
		if i := strings.LastIndexByte(m.name, '-'); i >= 0 {
			if _, err := strconv.Atoi(m.name[i+1:]); err == nil {
				m.name = m.name[:i]
			}
		}
		for i := 2; i < len(fields); i += 2 {
			v, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return nil, fmt.Errorf("benchmark line %q: %w", strings.TrimSpace(line), err)
			}
			m.values[fields[i+1]] = v
		}
		all = append(all, m)
	}
	return all, nil
}
