// Package python writes models as one file of Python that needs NumPy alone, for Python from
// version 3.8.
//
// Its function predict takes a mapping from the names of columns to lists, arrays or pandas Series,
// such as a DataFrame. Numbers are int or float, categories str, or numbers whose text is one;
// None, NaN, NA and an empty text are missing values. It returns
//
//   - of one target an array [N];
//   - of several targets a dict of such arrays by target;
//   - of quantiles a dict of them by level;
//   - of classes an array [N] of the most probable class, None for a row without a prediction;
//     predict_proba returns a dict of probabilities by class.
//
// Rows are evaluated in blocks, without warnings and with the memory of a block besides the columns
// and the result. As a program the file is a filter: it reads a table with a header from standard
// input and writes it with the columns that `tskgraph predict` adds.
package python

import (
	_ "embed" // predictor.py, main.py
	"fmt"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/export"
)

// Target writes Python.
type Target struct{}

func init() { export.Register(Target{}) }

// Name returns "python".
func (Target) Name() string { return "python" }

// Meaning describes the file.
func (Target) Meaning() string { return "a file of Python that needs NumPy alone" }

// File returns "model.py".
func (Target) File() string { return "model.py" }

// Options returns none.
func (Target) Options() []string { return nil }

var (
	//go:embed predictor.py
	predictor string

	//go:embed main.py
	program string
)

// Write writes a form.
func (Target) Write(f *export.Form, _ export.Options) (*export.Result, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "# Written by tskgraph %s: predictions of %s by a TSK fuzzy model.\n#\n", buildinfo.Version, escape.Text(f.Target))
	if err := writeWords(&b, f); err != nil {
		return nil, err
	}
	b.WriteString(imports)
	writeColumns(&b, f)
	b.WriteString(functions(f) + predictor)
	writeConstants(&b, f)
	b.WriteString(program)
	return &export.Result{Files: []export.File{{Data: []byte(b.String())}}}, nil
}

const imports = `"""Predictions by a fuzzy model, see predict, COLUMNS and OUTPUTS."""

from __future__ import annotations

import csv
import difflib
import itertools
import json
import re
import sys
from numbers import Real
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional, Sequence

import numpy as np

`

// writeWords writes the rules in words, as comments.
func writeWords(b *strings.Builder, f *export.Form) error {
	var text strings.Builder
	if err := words.Model(f.Model).WriteWords(&text); err != nil {
		return err
	}
	for line := range strings.Lines(text.String()) {
		b.WriteString(strings.TrimRight("# "+escape.Text(strings.TrimRight(line, "\n")), " ") + "\n")
	}
	return nil
}

// writeColumns writes what describes columns and outputs.
func writeColumns(b *strings.Builder, f *export.Form) {
	b.WriteString("COLUMNS = [\n")
	for _, c := range f.Columns {
		switch c.Encoding {
		case data.Numeric:
			fmt.Fprintf(b, "    {\"name\": %s, \"unit\": %s, \"encoding\": \"numeric\", \"min\": %s, \"max\": %s},\n", text(c.Name), text(c.Unit), number(c.Min), number(c.Max))
		default:
			encoding := map[data.Encoding]string{data.Ordinal: "ordinal", data.OneHot: "one-hot"}[c.Encoding]
			fmt.Fprintf(b, "    {\"name\": %s, \"unit\": %s, \"encoding\": %q, \"levels\": %s},\n", text(c.Name), text(c.Unit), encoding, list(c.Levels, text))
		}
	}
	fmt.Fprintf(b, "]\nTARGET, UNIT = %s, %s\nOUTPUTS = %s\n", text(f.Target), text(f.Unit), list(f.Outputs, func(o export.Output) string {
		if f.Kind == export.Quantiles {
			return number(o.Level)
		}
		return text(o.Name)
	}))
}
