package fmu_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/export"
	_ "github.com/tskgraph/tskgraph/internal/export/fmu"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// targets are the targets by version, with the attribute that identifies a description.
var targets = map[string]struct{ version, token, library string }{
	"fmu":  {"3", "instantiationToken", "binaries/x86_64-linux/tsk.so"},
	"fmu2": {"2", "guid", "binaries/linux64/tsk.so"},
}

// unpacked writes a form as a unit, and returns its files in a directory.
func unpacked(t *testing.T, target string, f *export.Form) string {
	t.Helper()
	result, err := testenv.Must(export.Lookup(target)).Write(f, export.Options{})
	if err != nil {
		t.Fatal(err)
	}
	data := result.Files[0].Data
	dir := t.TempDir()
	for _, file := range testenv.Must(zip.NewReader(bytes.NewReader(data), int64(len(data)))).File {
		path := filepath.Join(dir, file.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, testenv.Must(io.ReadAll(testenv.Must(file.Open()))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// token returns an attribute of the description of a unit.
func token(t *testing.T, dir, attr string) string {
	t.Helper()
	var root struct {
		Attrs []xml.Attr `xml:",any,attr"`
	}
	if err := xml.Unmarshal(testenv.Must(os.ReadFile(filepath.Join(dir, "modelDescription.xml"))), &root); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(root.Attrs, func(a xml.Attr) bool { return a.Name.Local == attr })
	return root.Attrs[i].Value
}

// value returns a cell as the value of an input: a number, or the item of a level, of a missing cell or of another level.
func value(c export.Column, cell string) string {
	cell = strings.Trim(cell, export.Blanks)
	missing := slices.Contains(export.Missing(), strings.ToLower(cell))
	switch k := slices.Index(c.Levels, cell); {
	case c.Numbers() && missing:
		return "nan"
	case c.Numbers():
		if _, err := strconv.ParseFloat(cell, 64); err != nil {
			return "inf"
		}
		return cell
	case missing:
		return strconv.Itoa(len(c.Levels) + 1)
	case k < 0:
		return strconv.Itoa(len(c.Levels) + 2)
	default:
		return strconv.Itoa(k + 1)
	}
}

// TestPredicts: a unit that is loaded and stepped row by row predicts what the model does.
func TestPredicts(t *testing.T) {
	importer := filepath.Join(t.TempDir(), "import")
	gcc := exporttest.Tool(t, "gcc", "cc")
	if out, err := exec.Command(gcc, "-Wall", "-Wextra", "-o", importer, "testdata/import.c", "-ldl").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for target, of := range targets {
		t.Run(target, func(t *testing.T) {
			predict := func(t *testing.T, f *export.Form, cells [][]string) (y [][]float64, classes []string) {
				dir := unpacked(t, target, f)
				kinds, class := "", "0"
				for _, c := range f.Columns {
					kinds += map[bool]string{true: "n", false: "e"}[c.Numbers()]
				}
				if f.Kind == export.Classes {
					class = "1"
				}
				var in, errs strings.Builder
				for _, row := range cells {
					for i, c := range f.Columns {
						fmt.Fprintf(&in, "%s ", value(c, row[i]))
					}
					fmt.Fprintln(&in)
				}
				cmd := exec.Command(importer, filepath.Join(dir, of.library), of.version, token(t, dir, of.token), kinds,
					strconv.Itoa(len(f.Outputs)), class)
				cmd.Stdin, cmd.Stderr = strings.NewReader(in.String()), &errs
				out, err := cmd.Output()
				if err != nil {
					t.Fatalf("%v: %s", err, errs.String())
				}
				for line := range strings.Lines(string(out)) {
					texts := strings.Fields(line)
					if class == "1" {
						name := ""
						if k := testenv.Must(strconv.Atoi(texts[0])); k > 0 {
							name = f.Outputs[k-1].Name
						}
						classes, texts = append(classes, name), texts[1:]
					}
					var row []float64
					for _, text := range texts {
						row = append(row, testenv.Must(strconv.ParseFloat(text, 64)))
					}
					y = append(y, row)
				}
				return y, classes
			}
			if exporttest.Matrix() {
				exporttest.Hold(t, predict, 0, exporttest.All, exporttest.Trimming, exporttest.Tables)
				return
			}
			for _, table := range []*exporttest.Table{ // package c has the other cases of its evaluator
				exporttest.NewCells(t).Of(exporttest.All, exporttest.Trimming, exporttest.Tables),
				exporttest.Case{Shape: "gaussian", Response: "classes", Committee: true}.Table(t, 50),
				exporttest.Case{Shape: "ramp", Response: "number", ImputeMeans: true, Own: true, Page: true}.Table(t, 50),
			} {
				y, classes := predict(t, table.Form, table.Cells)
				table.Compare(t, y, exporttest.Tolerance)
				table.CompareChoices(t, y, classes)
			}
		})
	}
}

// TestDescriptions: the descriptions are valid by the schemas of the standard, whatever the names in a model are.
func TestDescriptions(t *testing.T) {
	xmllint := exporttest.Tool(t, "xmllint")
	for _, c := range []exporttest.Case{{Shape: "gaussian", Response: "number"}, {Shape: "gaussian", Response: "classes"},
		{Shape: "gaussian", Response: "quantiles"}} {
		f := c.Form(t)
		f.Columns[0].Name, f.Columns[0].Unit, f.Columns[1].Name = "time", "<\"&\n", "two\nlines"
		f.Columns[1].Min = math.Inf(-1)
		for target, of := range targets {
			dir := unpacked(t, target, f)
			if text := testenv.Must(os.ReadFile(filepath.Join(dir, "modelDescription.xml"))); !strings.Contains(string(text), `name="two\nlines"`) {
				t.Errorf("%s: no name without a line end in %s", target, text)
			}
			for file, schema := range map[string]string{"modelDescription.xml": "ModelDescription.xsd",
				"sources/buildDescription.xml": "BuildDescription.xsd"} {
				if of.version == "2" && file != "modelDescription.xml" {
					continue
				}
				path := "testdata/fmi" + of.version + "/fmi" + of.version + schema
				if out, err := exec.Command(xmllint, "--noout", "--schema", path, filepath.Join(dir, file)).CombinedOutput(); err != nil {
					t.Errorf("%s %s: %v\n%s", target, file, err, out)
				}
			}
		}
	}
}

// TestSources: the sources compile without warnings, also for static linking.
func TestSources(t *testing.T) {
	gcc := exporttest.Tool(t, "gcc", "cc")
	for target, of := range targets {
		for _, response := range []string{"number", "classes"} {
			dir := filepath.Join(unpacked(t, target, exporttest.Case{Shape: "gaussian", Response: response}.Form(t)), "sources")
			out, err := exec.Command(gcc, "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only",
				"-DFMI"+of.version+"_FUNCTION_PREFIX=tsk_", filepath.Join(dir, "fmi.c"), filepath.Join(dir, "tsk.c")).CombinedOutput()
			if err != nil {
				t.Errorf("%s: %v\n%s", target, err, out)
			}
		}
	}
}

// TestWithoutCompiler: where no compiler is found, the unit has its source alone, and a note says so.
func TestWithoutCompiler(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	result, err := testenv.Must(export.Lookup("fmu")).Write(exporttest.Case{Shape: "gaussian", Response: "number"}.Form(t), export.Options{})
	if err != nil || !strings.Contains(strings.Join(result.Notes, "\n"), "no C compiler was found") {
		t.Errorf("%v, %v", result.Notes, err)
	}
}
