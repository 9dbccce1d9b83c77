package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	got, err := parse("goos: linux\nBenchmarkTrainStep/fused/pi/B=1/R=2/M=3-2 \t 100\t 12.5 ns/op\t 0 B/op\t 3 MB/s\nBenchmarkX\nPASS\n")
	if err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	if m := got[0]; m.name != "TrainStep/fused/pi/B=1/R=2/M=3" || m.values["ns/op"] != 12.5 || m.values["MB/s"] != 3 {
		t.Error(m)
	}
	if _, err := parse("BenchmarkX-2 1 two ns/op\n"); err == nil {
		t.Error("a malformed figure was accepted")
	}
}

func TestQuartiles(t *testing.T) {
	for k, want := range map[int]float64{1: 1.75, 2: 2.5, 3: 3.25} {
		if got := quartile([]float64{4, 1, 3, 2}, k); got != want {
			t.Errorf("quartile %d: %v, want %v", k, got, want)
		}
	}
	// Ratios by round: 2/1, 30/10, 4/4.
	if got := ratio([]float64{2, 30, 4}, []float64{1, 10, 4}); got != "2.00 (1.50 to 2.50)" {
		t.Error(got)
	}
}

func TestDuration(t *testing.T) {
	for ns, want := range map[float64]string{12: "12 ns", 11904: "11.9 us", 999960: "1 ms", 2.5e9: "2.5 s"} {
		if got := duration(ns); got != want {
			t.Errorf("%v: %q, want %q", ns, got, want)
		}
	}
}

func TestPage(t *testing.T) {
	begin, end := markers("measured")
	got, err := between("a\n"+begin+"old\n"+end+"b\n", "measured", "new\n")
	if want := "a\n" + begin + "\nnew\n\n" + end + "b\n"; got != want || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if again, _ := between(got, "measured", "new\n"); again != got {
		t.Error("writing twice changes the page")
	}
	for _, text := range []string{"", begin, end + begin} {
		if _, err := between(text, "measured", "new\n"); err == nil {
			t.Errorf("%q without markers was accepted", text)
		}
	}
}

func TestTables(t *testing.T) {
	r := &results{}
	for i, program := range []string{"C", "fused"} {
		for _, s := range append(sizes, otherSize) {
			for _, shape := range append(otherShapes(), limitShapes...) {
				r.step(program, shape, s).add(measured{values: map[string]float64{"ns/op": 1000 * float64(1+i)}})
			}
		}
	}
	find(&r.Pipeline, "ReadCSV", "", size{}).add(measured{values: map[string]float64{"ns/op": 5e6, "MB/s": 70}})
	got := tables(r)
	for _, want := range []string{"| 512, 32, 9 | 1 us | 2.00 (2.00 to 2.00) |", "| laplace | 2 us | 2.00", "| ReadCSV | 5 ms | 70 MB/s |"} {
		if !strings.Contains(got, want) {
			t.Errorf("no line %q in\n%s", want, got)
		}
	}
}

func TestCurveName(t *testing.T) {
	for name, want := range map[string]string{
		"Growth/R/pi/B=64/R=16/M=11": "pi 16", "Growth/N/train/pi/N=1000": "train, pi 1000",
	} {
		curve, at := curveName(strings.Split(name, "/"))
		if got := curve + " " + at; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// limit compiles a C program.
func limit(t *testing.T, source string) (exe string) {
	t.Helper()
	cc, err := compiler()
	if err != nil {
		t.Skip(err)
	}
	exe = filepath.Join(t.TempDir(), "limit")
	if err := command(context.Background(), cc, "-O1", "-ffast-math", "-Wall", "-Wextra", "-Werror", source, "-lm", "-o", exe); err != nil {
		t.Fatal(err)
	}
	return exe
}

// TestLimit checks that the C program runs at odd sizes and confirms its gradients.
func TestLimit(t *testing.T) {
	exe := limit(t, "limit.c")
	for _, shape := range limitShapes {
		for _, s := range []size{{1, 1, 1}, {3, 33, 2}, {64, 16, 4}} {
			if _, err := runLimit(context.Background(), exe, shape, s); err != nil {
				t.Error(err)
			}
		}
	}
	if out, err := exec.Command(exe, "pi", "1", "1", "1").CombinedOutput(); err == nil || !strings.HasPrefix(string(out), "usage:") {
		t.Errorf("%s, %v", out, err)
	}
}

// TestWrongLimit checks that a C program with a wrong gradient reports it.
func TestWrongLimit(t *testing.T) {
	right, err := os.ReadFile("limit.c")
	if err != nil {
		t.Fatal(err)
	}
	for _, mistake := range []struct{ shape, old, new string }{
		{"gaussian", "q * q * q * (s2", "q * q * (s2"},
		{"gaussian", "sum[r] + lambda * w", "sum[r] + 2 * lambda * w"},
		{"trapezoid", "= -on_left[r]", "= on_left[r]"},
		{"trapezoid", "h * (out[r] - prediction)", "h * out[r]"},
	} {
		wrong := strings.Replace(string(right), mistake.old, mistake.new, 1)
		if wrong == string(right) {
			t.Fatalf("limit.c has no %q", mistake.old)
		}
		source := filepath.Join(t.TempDir(), "wrong.c")
		if err := os.WriteFile(source, []byte(wrong), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := runLimit(context.Background(), limit(t, source), mistake.shape, size{8, 16, 4}); err == nil ||
			!strings.Contains(err.Error(), "gradient is wrong") {
			t.Errorf("%s for %s: %v", mistake.new, mistake.old, err)
		}
	}
}

type closing struct{ bytes.Buffer }

func (*closing) Close() error { return nil }

func TestWriteRows(t *testing.T) {
	var a, b closing
	n, err := writeRows(&a, 50, 7)
	if err != nil || n != int64(a.Len()) {
		t.Fatalf("%d bytes of %d: %v", n, a.Len(), err)
	}
	if _, err := writeRows(&b, 50, 7); err != nil || a.String() != b.String() {
		t.Error("the same seed gives another table")
	}
	rows, err := csv.NewReader(&a).ReadAll()
	if err != nil || len(rows) != 51 || len(rows[50]) != tableFeatures+1 || rows[0][tableFeatures] != "y" {
		t.Errorf("%d rows: %v", len(rows), err)
	}
}

func TestRowsTable(t *testing.T) {
	var runs []rowsRun
	for _, n := range []int{1000, 10000} {
		for _, name := range []string{"train", "train again", "predict"} {
			runs = append(runs, rowsRun{Command: name, Rows: n, Bytes: int64(170 * n), CPU: float64(n) / 1e5, Peak: 40, Copy: float64(n) / 1e8})
		}
	}
	table := rowsTable(runs)
	if want := "| 1e+04 | 1.7 MB | 100 us | 100 ms | 40 MiB | 100 ms | 40 MiB | 100 ms | 40 MiB |\n"; !strings.HasSuffix(table, want) {
		t.Errorf("the table\n%s lacks %q", table, want)
	}
	dir := t.TempDir()
	if err := drawRows(runs, dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"rows-time.svg", "rows-memory.svg"} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.Contains(string(text), "predict") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
