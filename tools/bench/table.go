package main

import (
	"fmt"
	"slices"
	"strings"
)

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
