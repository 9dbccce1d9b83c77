package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

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
	out, err := output(ctx, t.dir, path, "-test.run", "^$", "-test.bench", pattern, "-test.benchtime", benchtime.String(), "-test.timeout", "0")
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
