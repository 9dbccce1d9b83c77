package c_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/export/c"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/model"
)

// TestSanitized runs cases without behaviour that is not defined.
func TestSanitized(t *testing.T) {
	for _, one := range []exporttest.Case{
		{Shape: "trapezoid", Response: "classes", Committee: true, Components: true, Curves: "own", Defuzz: "htsk"},
		{Shape: "gaussian", Response: "quantiles", Curves: "shared", Transform: true},
		{Shape: "gbell", Response: "targets", TNorm: "minimum", Committee: true},
	} {
		t.Run(one.Name(), func(t *testing.T) {
			m, err := one.Model()
			if err != nil {
				t.Fatal(err)
			}
			table, err := exporttest.NewTable(m, 200)
			if err != nil {
				t.Fatal(err)
			}
			table.Compare(t, predictions(t, sanitized(t, table.Form), table), exporttest.Tolerance)
		})
	}
}

// TestMembersOfTwoShapes: each member has its own formulas.
func TestMembersOfTwoShapes(t *testing.T) {
	f := form(t, exporttest.Case{Shape: "gaussian", Response: "number", Committee: true})
	f.Members[1] = form(t, exporttest.Case{Shape: "trapezoid", Response: "number", Defuzz: "htsk"}).Members[0]
	table := &exporttest.Table{Form: f, Cells: [][]string{{"20", "2", "O'Hare", "middle", "-42"}, {"-3", "", "=wed", "none", ""}}}
	for n := range table.Cells {
		table.Want = append(table.Want, f.Predict(table.Features(n)))
	}
	table.Compare(t, predictions(t, sanitized(t, f), table), exporttest.Tolerance)
}

// hostile is text that would end comments, strings and lines.
const (
	hostileLevel = "*/ /* ??/ \\\n\" %s ' // \u202e é"
	hostile      = hostileLevel + "\x00 */*/"
)

// caller uses a model by its header, linked from an object of its own.
const caller = `
#include "model.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    double cells[NO2_COLUMNS], outputs[NO2_OUTPUTS];

    for (int c = 0; c < NO2_COLUMNS; c++)
        cells[c] = c;
    cells[2] = no2_level((enum no2_column)2, LEVEL);
    if (cells[2] != 1 || no2_level((enum no2_column)2, "other") != -1 || !isnan(no2_level((enum no2_column)2, "")))
        return 1;
    if (no2_level((enum no2_column)3, "small") != 1 || !isnan(no2_level((enum no2_column)3, "other")) || !isnan(no2_level((enum no2_column)0, "1")))
        return 2;
    if (no2_predict(cells, outputs) != 0 || no2_class(outputs) < 0 || strcmp(no2_classes[1], LEVEL) != 0)
        return 3;
    cells[0] = -INFINITY;
    if (no2_predict(cells, outputs) != -1 || no2_class(outputs) != -1 || !isnan(outputs[0] + outputs[1] + outputs[2]))
        return 4;
    return 0;
}
`

// TestHeader: strangers' names are harmless, the header serves C and C++, and there is no name
// outside the prefix.
func TestHeader(t *testing.T) {
	f := form(t, exporttest.Case{Shape: "gaussian", Response: "classes", Committee: true})
	for i := range f.Columns {
		f.Columns[i].Name, f.Columns[i].Unit = hostile, hostile
	}
	f.Columns[2].Levels[1], f.Outputs[1].Name, f.Target = hostileLevel, hostileLevel, hostile
	source := write(t, f, export.Options{Name: "no2"})
	dir := filepath.Dir(source)
	main := filepath.Join(dir, "main.c")
	level := `"*/ /* \?\?/ \\\n\" %s ' // \342\200\256 \303\251"`
	if err := os.WriteFile(main, []byte(caller), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, compile(t, "-I"+dir, "-DLEVEL="+level, main, source))
	run(t, compile(t, "-xc++", "-std=c++11", "-Wno-conversion", "-Wno-error", "-I"+dir, "-DLEVEL="+level, main, "-xc", "-std=c99", source))
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(strings.ReplaceAll(string(text), "TSK_MAIN", ""), "TSK_") || strings.Contains(string(text), "tsk_") {
		t.Error("the file has names with another prefix")
	}
}

func TestOptions(t *testing.T) {
	f := form(t, exporttest.Case{Shape: "gaussian", Response: "number"})
	for _, name := range []string{"2no", "a b", "a-b", "é", "_x", strings.Repeat("a", 21), "x\n"} {
		var wrong *export.OptionError
		if _, err := c.Write(f, export.Options{Name: name}); !errors.As(err, &wrong) || wrong.Option != export.OptionName {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestRefusals(t *testing.T) {
	for want, spoil := range map[string]func(f *export.Form) export.Options{
		"beyond the range of 32 bits": func(f *export.Form) export.Options {
			f.Members[0].Inputs[0].Mean = 1e39
			return export.Options{Float: true}
		},
		"more than 4095 bytes": func(f *export.Form) export.Options {
			f.Columns[2].Levels[0] = strings.Repeat("x", 4096)
			return export.Options{}
		},
	} {
		f := form(t, exporttest.Case{Shape: "gaussian", Response: "number"})
		o := spoil(f)
		var refusal *export.Refusal
		if _, err := c.Write(f, o); !errors.As(err, &refusal) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestSameBytes: the same form gives the same files.
func TestSameBytes(t *testing.T) {
	f := form(t, exporttest.Case{Shape: "sigmoid", Response: "quantiles", Committee: true})
	f.Members[0].Low[0] = math.Inf(-1)
	one, err := c.Write(f, export.Options{})
	if err != nil {
		t.Fatal(err)
	}
	two, err := c.Write(f, export.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range one.Files {
		if string(one.Files[i].Data) != string(two.Files[i].Data) {
			t.Errorf("file %d differs", i)
		}
	}
	if !strings.Contains(string(one.Files[0].Data), "-INFINITY") {
		t.Error("no limit is written as an infinity")
	}
}

// floatTolerance is the largest difference of numbers of 32 bits to a prediction, as a share of the
// target's range.
const floatTolerance = 1e-4

func TestFloat(t *testing.T) {
	exporttest.Each(t, func(t *testing.T, _ exporttest.Case, _ *model.Model, table *exporttest.Table) {
		source := write(t, table.Form, export.Options{Float: true})
		program := compile(t, "-O2", "-DTSK_MAIN", source)
		table.Compare(t, predictions(t, program, table), floatTolerance)
	})
}
