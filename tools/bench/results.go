package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/tskgraph/tskgraph/membership"
)

// results are all measurements, as in the JSON file.
type results struct {
	Machine  string    `json:"machine"`
	Rounds   int       `json:"rounds"`
	Limit    string    `json:"limit"`
	Steps    []*series `json:"steps"`
	Pipeline []*series `json:"pipeline"`
	Growth   []*series `json:"growth,omitempty"`
}

// series are the figures of a program, one a round.
type series struct {
	Program string               `json:"program"` // or name of a benchmark
	Shape   string               `json:"shape,omitempty"`
	Size    *size                `json:"size,omitempty"`
	Values  map[string][]float64 `json:"values"` // by unit
}

func (s *series) add(m measured) {
	if s.Values == nil {
		s.Values = map[string][]float64{}
	}
	for unit, v := range m.values {
		s.Values[unit] = append(s.Values[unit], v)
	}
}

// machine describes the processor, the platform and the Go version.
func machine() string {
	name := runtime.GOARCH
	info, _ := os.ReadFile("/proc/cpuinfo") // Linux only; elsewhere the architecture is the name
	for line := range strings.Lines(string(info)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			name = strings.TrimSpace(value)
			break
		}
	}
	return fmt.Sprintf("%s, %d cores, %s/%s, %s", name, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
}

// limitShapes are the shapes that the C program implements.
var limitShapes = []string{"gaussian", "trapezoid"}

var sizes = []size{{64, 32, 5}, {64, 32, 11}, {64, 16, 4}, {64, 32, 13}, {512, 32, 9}}

// otherSize is the size of the steps of the other shapes; their reference is the
// Gaussian limit.
var otherSize = size{64, 32, 11}

// otherShapes returns the shapes that the C program does not implement.
func otherShapes() []string {
	return slices.DeleteFunc(membership.Names(), func(name string) bool { return slices.Contains(limitShapes, name) })
}

// round runs every program once.
func (r *results) round(ctx context.Context, p *programs) error {
	step := func(program program, shape string, s size) error {
		m, err := program.run(ctx, shape, s)
		if err == nil {
			r.step(program.name, shape, s).add(m)
		}
		return err
	}
	for _, s := range sizes {
		for _, shape := range limitShapes {
			for _, program := range slices.Concat(p.limits, p.engines) {
				if err := step(program, shape, s); err != nil {
					return err
				}
			}
		}
	}
	for _, shape := range otherShapes() {
		if err := step(p.engines[0], shape, otherSize); err != nil {
			return err
		}
	}
	for _, t := range p.pipeline {
		lines, err := t.bench(ctx, p.benchtime, "^Benchmark(FuzzyCMeans|Predict|ReadCSV)$")
		if err != nil {
			return err
		}
		for _, m := range lines {
			find(&r.Pipeline, m.name, "", size{}).add(m)
		}
	}
	return nil
}

// step returns the series of a training step.
func (r *results) step(program, shape string, s size) *series {
	return find(&r.Steps, program, shape, s)
}

// find returns a series, and adds it if there is none.
func find(all *[]*series, program, shape string, s size) *series {
	for _, known := range *all {
		if known.Program == program && known.Shape == shape && (known.Size == nil && s == size{} || known.Size != nil && *known.Size == s) {
			return known
		}
	}
	n := &series{Program: program, Shape: shape}
	if s != (size{}) {
		n.Size = &s
	}
	*all = append(*all, n)
	return n
}
