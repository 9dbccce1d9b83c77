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

// tables formats the results as Markdown.
func tables(r *results) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Machine: %s. %d rounds.\n", r.Machine, r.Rounds)
	for _, shape := range limitShapes {
		writeRatios(&b, r, shape)
	}
	writeOthers(&b, r)
	writePipeline(&b, r.Pipeline)
	return b.String()
}

// writeRatios writes the table of a shape that the C program implements.
func writeRatios(b *strings.Builder, r *results, shape string) {
	var names []string
	for _, s := range r.Steps {
		if s.Shape == shape && !slices.Contains(names, s.Program) {
			names = append(names, s.Program)
		}
	}
	fmt.Fprintf(b, "\n%s: time of a step, and ratios to %s\n\n| B, R, M | %s |\n|---|%s\n",
		title(shape), names[0], strings.Join(names, " | "), strings.Repeat("---:|", len(names)))
	for _, s := range sizes {
		limit := r.step(names[0], shape, s).Values["ns/op"]
		row := []string{fmt.Sprintf("%d, %d, %d", s.B, s.R, s.M), duration(quartile(limit, 2))}
		for _, name := range names[1:] {
			row = append(row, ratio(r.step(name, shape, s).Values["ns/op"], limit))
		}
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
	}
}

// writeOthers writes the table of the other shapes.
func writeOthers(b *strings.Builder, r *results) {
	limit := r.Steps[0]
	fmt.Fprintf(b, "\nOther shapes, fused, B, R, M = %d, %d, %d: ratios to %s of the Gaussian\n\n| shape | time | ratio |\n|---|---:|---:|\n",
		otherSize.B, otherSize.R, otherSize.M, limit.Program)
	against := r.step(limit.Program, "gaussian", otherSize).Values["ns/op"]
	for _, shape := range otherShapes() {
		ns := r.step("fused", shape, otherSize).Values["ns/op"]
		fmt.Fprintf(b, "| %s | %s | %s |\n", shape, duration(quartile(ns, 2)), ratio(ns, against))
	}
}

// writePipeline writes the table of the rest of the pipeline.
func writePipeline(b *strings.Builder, pipeline []*series) {
	if len(pipeline) == 0 {
		return
	}
	fmt.Fprint(b, "\nThe rest of the pipeline\n\n| benchmark | time | throughput |\n|---|---:|---:|\n")
	for _, s := range pipeline {
		rate := ""
		if v := s.Values["MB/s"]; len(v) > 0 {
			rate = fmt.Sprintf("%.0f MB/s", quartile(v, 2))
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", s.Program, duration(quartile(s.Values["ns/op"], 2)), rate)
	}
}

// ratio formats the ratios a/b by round: the median and, in parentheses, the first and
// third quartiles.
func ratio(a, b []float64) string {
	q := make([]float64, len(a))
	for i := range a {
		q[i] = a[i] / b[i]
	}
	return fmt.Sprintf("%.2f (%.2f to %.2f)", quartile(q, 2), quartile(q, 1), quartile(q, 3))
}

// quartile returns quartile k, 1 to 3 (2 is the median), with linear interpolation
// between values.
func quartile(v []float64, k int) float64 {
	sorted := slices.Sorted(slices.Values(v))
	at := float64(len(sorted)-1) * float64(k) / 4
	i := int(at)
	j := min(i+1, len(sorted)-1)
	return sorted[i] + (at-float64(i))*(sorted[j]-sorted[i])
}

// duration formats nanoseconds to three digits.
func duration(ns float64) string {
	for _, u := range []struct {
		name  string
		scale float64
	}{{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}} {
		if ns >= 0.9995*u.scale { // 999.6 us is 1 ms
			return fmt.Sprintf("%.3g %s", ns/u.scale, u.name)
		}
	}
	return fmt.Sprintf("%.3g ns", ns)
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// markers returns the lines around the tables of a page that were measured together.
func markers(name string) (begin, end string) {
	return "<!-- " + name + ": begin -->\n", "<!-- " + name + ": end -->\n"
}

// rewrite replaces the tables of a name in a page.
func rewrite(page, name, tables string) error {
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	text, err := between(string(old), name, tables)
	if err != nil {
		return fmt.Errorf("%s: %w", page, err)
	}
	return os.WriteFile(page, []byte(text), 0o644)
}

// between replaces the text between the markers.
func between(text, name, tables string) (string, error) {
	begin, end := markers(name)
	before, rest, ok := strings.Cut(text, begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return "", fmt.Errorf("no lines %q and %q: add them where the tables belong", strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return before + begin + "\n" + tables + "\n" + end + after, nil
}
