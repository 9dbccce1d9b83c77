package fis_test

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/export/fis"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/model"
)

func ExampleTarget() {
	m, err := model.Load("../../../model/testdata/model.json")
	if err != nil {
		log.Fatal(err)
	}
	form, err := export.New(m)
	if err != nil {
		log.Fatal(err)
	}
	result, err := fis.Write(form, export.Options{})
	if err != nil {
		log.Fatal(err)
	}
	_, system, _ := strings.Cut(string(result.Files[0].Data), "\n\n")
	fmt.Print(system)
	// Output:
	// [System]
	// Name='y'
	// Type='sugeno'
	// Version=2.0
	// NumInputs=1
	// NumOutputs=1
	// NumRules=3
	// AndMethod='prod'
	// OrMethod='max'
	// ImpMethod='prod'
	// AggMethod='sum'
	// DefuzzMethod='wtaver'
	//
	// % a (mm); a missing value counts as 10
	// % column: {"name":"a","unit":"mm","mean":10,"sd":2}
	// [Input1]
	// Name='a'
	// Range=[7 13]
	// NumMFs=3
	// MF1='mf1':'gaussmf',[2 10]
	// MF2='mf2':'gaussmf',[4 14]
	// MF3='always':'trapmf',[-1e+300 -9e+299 9e+299 1e+300]
	//
	// % y (kg)
	// % column: {"name":"y","unit":"kg"}
	// [Output1]
	// Name='y'
	// Range=[1 8]
	// NumMFs=3
	// MF1='rule1':'linear',[1 -4]
	// MF2='rule2':'linear',[0.25 1.5]
	// MF3='otherwise':'constant',[5]
	//
	// [Rules]
	// 1, 1 (1) : 1
	// 2, 2 (1) : 1
	// 3, 3 (1e-300) : 1
}

// write writes a form.
func write(t *testing.T, f *export.Form) *export.Result {
	t.Helper()
	result, err := fis.Write(f, export.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// Names are identifiers that differ, and that are not words of rules.
func TestNames(t *testing.T) {
	f := exporttest.Case{Shape: "gaussian", Response: "targets"}.Form(t, func(m *model.Model) {
		for i, name := range []string{"is", "IS", `day`, "always", "[Input1]\n[System]", "100 %"} {
			m.Schema.Columns[i].Name = name
		}
		m.Schema.Target, m.Schema.Others[0].Name = "größe", "gr%e"
		for i, name := range m.Schema.Features() {
			m.Features[i].Name = name
		}
	})
	text := string(write(t, f).Files[0].Data)
	var names []string
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "Name="); ok {
			names = append(names, strings.TrimSpace(name))
		}
	}
	want := []string{"'gr_e'", "'is_2'", "'IS_3'", "'day_O_Hare'", "'day_mon_tue'", "'day_wed'", "'Input1_System'", "'x100'", "'gr_e'",
		"'gr_e_2'"}
	if !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
	if n := strings.Count(text, "[Input1]"); n != 1 {
		t.Errorf("%d lines have [Input1]", n)
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "[System]") && line != "[System]\n" {
			t.Errorf("%q", line)
		}
	}
}

// The prefix of function files is checked; two models of different shapes have different files.
func TestFunctionNames(t *testing.T) {
	files := func(shape string, prefix string) (names []string) {
		f := exporttest.Case{Shape: shape, Transform: true, Response: "number"}.Form(t)
		result, err := fis.Write(f, export.Options{Name: prefix})
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range result.Files {
			names = append(names, file.Name)
			if !bytes.Contains(file.Data[:200], []byte(export.Marker)) {
				t.Errorf("%s does not begin with %s", file.Name, export.Marker)
			}
		}
		return names
	}
	for _, c := range []struct {
		shape, prefix string
		want          []string
	}{
		{"gaussian", "", []string{"", "tskyjmf.m"}},
		{"trapezoid", "", []string{"", "tskyjtrapezoidmf.m"}},
		{"laplace", "heat", []string{"", "heatlaplacemf.m", "heatyjlaplacemf.m"}},
		{"softbox", "", []string{"", "tskzsoftboxmf.m", "tskyjsoftboxmf.m"}},
	} {
		if got := files(c.shape, c.prefix); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.shape, got, c.want)
		}
	}
	f := exporttest.Case{Shape: "gaussian", Response: "number"}.Form(t)
	for _, prefix := range []string{"1a", "a b", "../a", "ä"} {
		var option *export.OptionError
		if _, err := fis.Write(f, export.Options{Name: prefix}); !errors.As(err, &option) {
			t.Errorf("%q: %v", prefix, err)
		}
	}
}

// Numbers that are lost in the units of the table are refused.
func TestRefusesLostBorders(t *testing.T) {
	f := exporttest.Case{Shape: "trapezoid", Response: "number"}.Form(t, func(m *model.Model) {
		x := &m.Features[0]
		x.Mean, x.Min, x.Max = 1e18, 1e18, 1e18+1e3
	})
	_, err := fis.Write(f, export.Options{})
	if err == nil || !strings.Contains(err.Error(), `on column "x", of mean 1e+18`) {
		t.Errorf("%v", err)
	}
	f = exporttest.Case{Shape: "gaussian", Response: "number", Unlimited: true}.Form(t, func(m *model.Model) {
		m.Target.SD = 1e300
		m.Features[0].SD = 1e-100
	})
	_, err = fis.Write(f, export.Options{})
	if err == nil || !strings.Contains(err.Error(), "beyond the largest number") {
		t.Errorf("%v", err)
	}
}

// Notes say what the file does otherwise, and nothing that does not apply.
func TestNotes(t *testing.T) {
	all := func(f *export.Form) string { return strings.Join(write(t, f).Notes, "\n") }
	plain := all(exporttest.Case{Shape: "trapezoid", Response: "number", Unlimited: true}.Form(t))
	far := all(exporttest.Case{Shape: "gaussian", Response: "number", Transform: true}.Form(t, func(m *model.Model) {
		m.Features[0].Mean += 1e6
		for j := range m.RuleBase.Antecedents[1] {
			m.RuleBase.Antecedents[1][j][0] = 0.15
		}
	}))
	for _, words := range []string{"not limited", "below 1e-300", "tskyjmf.m lie beside", "standard deviations from zero",
		"fuzzylite ignores rules"} {
		if strings.Contains(plain, words) || !strings.Contains(far, words) {
			t.Errorf("%q:\n%s\n\n%s", words, plain, far)
		}
	}
}

// Octave has no prediction for a row with an infinite number: evalfis fails.
func TestOctaveRefusesInfiniteInputs(t *testing.T) {
	octave := exporttest.Tool(t, "octave-cli")
	f := exporttest.Case{Shape: "gaussian", Response: "number"}.Form(t)
	path := filepath.Join(t.TempDir(), "model.fis")
	if err := os.WriteFile(path, write(t, f).Files[0].Data, 0o666); err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("pkg load fuzzy-logic-toolkit\nf = readfis('%s'); x = mean(cat(1, f.input.range), 2)';\n", path) +
		"printf('%d\\n', isfinite(evalfis(x, f))); x(1) = Inf;\ntry evalfis(x, f), catch e, puts(e.message); end\n"
	out, err := exec.CommandContext(t.Context(), octave, "--quiet", "--no-init-file", "--eval", script).CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "1\n") || !strings.Contains(string(out), "must be a matrix of input values") {
		t.Errorf("%v: %s", err, out)
	}
}
