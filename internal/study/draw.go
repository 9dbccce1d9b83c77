//go:build !nofigures

package study

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/plot"
)

// Write writes the report to a directory: report.md, tables/*.csv, *.json and *.md, figures/*.svg and *.png, and the [Report.Summaries] as
// summary.json. It replaces each file atomically; a symbolic link of that name is an error. The same results give the same bytes.
func (r *Report) Write(dir string) error {
	out, err := safefile.MakeDir(dir)
	if err != nil {
		return err
	}
	defer out.Close()
	if err := errors.Join(out.Make(tablesDir, 0o777), out.Make(figuresDir, 0o777)); err != nil {
		return err
	}
	summary, err := json.MarshalIndent(r.summaries, "", "  ")
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	files := map[string][]byte{summaryTable: append(summary, '\n'), ReportFile: []byte(r.Markdown())}
	for _, t := range r.tables() {
		base := filepath.Join(tablesDir, t.Name)
		if files[base+".csv"], err = t.CSV(); err != nil {
			return err
		}
		if files[base+".json"], err = t.JSON(); err != nil {
			return err
		}
		if t.Layout.Head != nil {
			files[base+".md"] = []byte(t.Markdown())
		}
	}
	for _, f := range figures(r) {
		for _, format := range plot.Formats() {
			if files[filepath.Join(figuresDir, f.name+"."+format)], err = f.draw(format); err != nil {
				return err
			}
		}
	}
	for name, content := range files {
		if err := out.Write(name, content, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// series are the strokes of the algorithms, the same in every figure.
var series = map[string]plot.Series{
	MBGDRDA:        {Reference: true},
	VariantR0:      {Stroke: 0},
	VariantPruning: {Stroke: 1},
	VariantR:       {Stroke: 2},
	FullR:          {Stroke: 2},
	GDR:            {Stroke: 0},
	LSER:           {Stroke: 1},
}

// draw returns the figure in one of [plot.Formats].
func (f *figure) draw(format string) ([]byte, error) {
	p := plot.Panels{Label: f.label, Zero: f.zero, Log: f.log}
	for _, name := range f.algorithms {
		s := series[name]
		s.Name = name
		p.Series = append(p.Series, s)
	}
	for _, of := range f.panels {
		p.Panels = append(p.Panels, plot.Panel{Title: of.title, Curves: of.curves})
	}
	drawn, err := plot.Multiples(p)
	if err != nil {
		return nil, fmt.Errorf("report: figure %s: %w", f.name, err)
	}
	var b bytes.Buffer
	err = drawn.Write(&b, format)
	return b.Bytes(), err
}
