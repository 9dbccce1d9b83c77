package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/plot"
)

// growthRounds is how often each benchmark of growth runs.
const growthRounds = 3

// grow measures how cost grows, adds it to the results and draws the figures into dir.
func grow(ctx context.Context, r *results, p *programs, dir string) error {
	for round := range growthRounds {
		fmt.Fprintf(os.Stderr, "bench: growth, round %d of %d\n", round+1, growthRounds)
		var lines []measured
		for _, of := range p.growth {
			some, err := of.bench(ctx, p.benchtime, "^BenchmarkGrowth$")
			if err != nil {
				return err
			}
			lines = append(lines, some...)
		}
		for _, m := range lines {
			find(&r.Growth, m.name, "", size{}).add(m)
			// The C program runs after the fused engine at each size.
			varied, s, ok := stepSize(m.name)
			if !ok {
				continue
			}
			shape := strings.Split(m.name, "/")[2]
			limit := p.limits[0]
			m, err := limit.run(ctx, shape, s)
			if err != nil {
				return err
			}
			find(&r.Growth, fmt.Sprintf("Growth/%s/%s, %s/%s", varied, shape, limit.name, s), "", size{}).add(m)
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, f := range figures {
		if err := draw(r.Growth, f, dir); err != nil {
			return err
		}
	}
	return nil
}

// figure is a figure of growth: the size that varies, by its letter, and the axes.
type figure struct {
	letter, file, title, x, y string
	unit                      float64 // of y, in nanoseconds
}

var figures = []figure{
	{"B", "batch.svg", "Time of a training step, R=32, M=11", "samples in a batch, B", "microseconds", 1e3},
	{"R", "rules.svg", "Time of a training step, B=64, M=11", "rules, R", "microseconds", 1e3},
	{"M", "features.svg", "Time of a training step, B=64, R=32", "features, M", "microseconds", 1e3},
	{"N", "samples.svg", "Time of training (500 updates) and of evaluating, R=32, M=9", "samples, N", "milliseconds", 1e6},
}

// draw draws a figure of growth, with a curve for each program.
func draw(growth []*series, f figure, dir string) error {
	var curves []plot.Curve
	for _, s := range growth {
		parts := strings.Split(s.Program, "/") // Growth/B/gaussian/B=64/R=32/M=11 or Growth/N/train/gaussian/N=1000
		if parts[1] != f.letter {
			continue
		}
		name, at := curveName(parts)
		x, err := strconv.ParseFloat(at, 64)
		if err != nil {
			return fmt.Errorf("benchmark %s: no %s in its name", s.Program, f.letter)
		}
		i := len(curves) - 1
		for i >= 0 && curves[i].Name != name {
			i--
		}
		if i < 0 {
			i = len(curves)
			curves = append(curves, plot.Curve{Name: name})
		}
		curves[i].Points = append(curves[i].Points, plot.Point{X: x, Y: quartile(s.Values["ns/op"], 2) / f.unit})
	}
	drawn, err := plot.Growth(f.title, f.x, f.y, curves)
	if err != nil {
		return err
	}
	return writeFigure(filepath.Join(dir, f.file), drawn)
}

func writeFigure(path string, f *plot.Figure) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := f.Write(out, "svg"); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// curveName splits the name of a benchmark of growth into the name of its curve and
// the value of the size that varies.
func curveName(parts []string) (name, value string) {
	for _, p := range parts[2:] {
		if v, ok := strings.CutPrefix(p, parts[1]+"="); ok {
			value = v
		}
		if !strings.Contains(p, "=") {
			name = strings.TrimPrefix(name+", "+p, ", ")
		}
	}
	return name, value
}

// stepSize parses the letter and the size in "Growth/B/gaussian/B=64/R=32/M=11".
func stepSize(name string) (letter string, s size, ok bool) {
	parts := strings.SplitN(name, "/", 4)
	if len(parts) < 4 {
		return "", s, false
	}
	n, err := fmt.Sscanf(parts[3], "B=%d/R=%d/M=%d", &s.B, &s.R, &s.M)
	return parts[1], s, n == 3 && err == nil
}
