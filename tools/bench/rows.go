package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/tskgraph/tskgraph/internal/plot"
)

// tableFeatures is the number of features of the tables whose rows are counted.
const tableFeatures = 20

// rowsMemory is the limit of memory (--memory) of all commands on them.
const rowsMemory = "1GiB"

// rowsRun is a command that ran on a table of generated rows.
type rowsRun struct {
	Command string  `json:"command"`
	Rows    int     `json:"rows"`
	Bytes   int64   `json:"bytes"`   // of the table as CSV
	CPU     float64 `json:"cpu"`     // seconds, user and system
	Wall    float64 `json:"wall"`    // seconds, with the generator beside it
	Peak    float64 `json:"peak"`    // MiB resident
	Copy    float64 `json:"copying"` // seconds to copy as many bytes in memory
}

// measureRows runs commands on tables of 1000 rows and up, ten times as many each time, which they read on standard input.
func measureRows(ctx context.Context, dir string, most float64) (all []rowsRun, err error) {
	exe := filepath.Join(dir, "tskgraph")
	if err := command(ctx, "go", "build", "-o", exe, "./cmd/tskgraph"); err != nil {
		return nil, err
	}
	model := ""
	for n := 1000; float64(n) <= most; n *= 10 {
		for _, name := range []string{"train, preset paper", "train, default preset", "predict"} {
			args := []string{"train", "--set", "data.path=-", "--set", "data.target=y", "--memory", rowsMemory, "--set", "output.dir=" +
				filepath.Join(dir, "runs")}
			switch name {
			case "train, preset paper":
				args = append(args, "--set", "preset=paper")
			case "predict":
				args = []string{"predict", "--model", model, "--data", "-", "--out", os.DevNull}
			}
			run, err := runRows(ctx, exe, args, n)
			if err != nil {
				return nil, err
			}
			run.Command = name
			all = append(all, run)
			fmt.Fprintf(os.Stderr, "bench: %s, %d rows, %.0f MB: %.2f CPU seconds, %.0f MiB\n", name, n, float64(run.Bytes)/1e6, run.CPU, run.Peak)
			if name == "train, default preset" {
				if model, err = newestRun(filepath.Join(dir, "runs")); err != nil {
					return nil, err
				}
			}
		}
	}
	speed := copySpeed() // last: the memory of this process counts as that of a command when it starts
	for i := range all {
		all[i].Copy = float64(all[i].Bytes) / speed
	}
	return all, nil
}

// newestRun returns the last of the runs in a directory.
func newestRun(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	newest, at := "", time.Time{}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.IsDir() && info.ModTime().After(at) {
			newest, at = filepath.Join(dir, e.Name()), info.ModTime()
		}
	}
	if newest == "" {
		return "", errors.New("no run in " + dir)
	}
	return newest, nil
}

// runRows runs a command with a table of n generated rows on its standard input.
func runRows(ctx context.Context, exe string, args []string, n int) (r rowsRun, err error) {
	cmd := exec.CommandContext(ctx, exe, args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return r, err
	}
	var words strings.Builder
	cmd.Stderr = &words
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return r, err
	}
	bytes, written := writeRows(in, n, uint64(n))
	if err := errors.Join(written, cmd.Wait()); err != nil {
		return r, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, words.String())
	}
	state := cmd.ProcessState
	return rowsRun{
		Rows: n, Bytes: bytes, Wall: time.Since(start).Seconds(),
		CPU: (state.UserTime() + state.SystemTime()).Seconds(), Peak: peakMiB(state),
	}, nil
}

// writeRows writes a table and closes w: features uniform between 0 and 1, and a target of interactions, bends and noise
// (J. H. Friedman, Multivariate adaptive regression splines, Annals of Statistics 19 (1991), with ten features more).
func writeRows(w io.WriteCloser, n int, seed uint64) (bytes int64, err error) {
	out := bufio.NewWriterSize(w, 1<<20)
	rng := rand.New(rand.NewPCG(seed, seed))
	var line []byte
	for m := range tableFeatures {
		line = fmt.Appendf(line, "x%d,", m+1)
	}
	line = append(line, "y\n"...)
	var x [tableFeatures]float64
	for range n + 1 {
		if _, err := out.Write(line); err != nil {
			return bytes, errors.Join(err, w.Close())
		}
		bytes += int64(len(line))
		line = line[:0]
		for m := range x {
			x[m] = rng.Float64()
			line = append(strconv.AppendFloat(line, x[m], 'f', 5, 64), ',')
		}
		y := 10*math.Sin(math.Pi*x[0]*x[1]) + 20*(x[2]-0.5)*(x[2]-0.5) + 10*x[3] + 5*x[4] + 3*x[5]*x[6] + rng.NormFloat64()
		line = append(strconv.AppendFloat(line, y, 'f', 4, 64), '\n')
	}
	return bytes, errors.Join(out.Flush(), w.Close())
}

// copySpeed returns the bytes that the machine copies in memory in a second, one processor.
func copySpeed() float64 {
	from, to := make([]byte, 256<<20), make([]byte, 256<<20)
	copy(to, from)
	start := time.Now()
	const times = 8
	for range times {
		copy(to, from)
	}
	return times * float64(len(from)) / time.Since(start).Seconds()
}

// rowsTable formats the runs as Markdown.
func rowsTable(runs []rowsRun) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Machine: %s. Memory limit %s.\n\n| rows | CSV | copying it in memory |", machine(), rowsMemory)
	var names []string
	for _, r := range runs[:min(3, len(runs))] {
		names = append(names, r.Command)
		fmt.Fprintf(&b, " %s | |", r.Command)
	}
	fmt.Fprintf(&b, "\n|---:|---:|---:|%s\n", strings.Repeat("---:|---:|", len(names)))
	for i := 0; i < len(runs); i += len(names) {
		fmt.Fprintf(&b, "| %.0e | %s | %s |", float64(runs[i].Rows), megabytes(runs[i].Bytes), duration(runs[i].Copy*1e9))
		for _, r := range runs[i:min(i+len(names), len(runs))] {
			fmt.Fprintf(&b, " %s | %.0f MiB |", duration(r.CPU*1e9), r.Peak)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func megabytes(n int64) string { return fmt.Sprintf("%.3g MB", float64(n)/1e6) }

// drawRows draws time and memory against the rows into dir.
func drawRows(runs []rowsRun, dir string) error {
	for _, f := range []struct {
		file, title, y string
		of             func(rowsRun) float64
	}{
		{"rows-time.svg", "Processor time against rows, 20 features", "seconds", func(r rowsRun) float64 { return r.CPU }},
		{"rows-memory.svg", "Peak memory against rows, 20 features", "MiB", func(r rowsRun) float64 { return r.Peak }},
	} {
		var curves []plot.Curve
		add := func(name string, rows int, y float64) {
			i := len(curves)
			for k, c := range curves {
				if c.Name == name {
					i = k
				}
			}
			if i == len(curves) {
				curves = append(curves, plot.Curve{Name: name})
			}
			curves[i].Points = append(curves[i].Points, plot.Point{X: float64(rows), Y: y})
		}
		for i, r := range runs {
			add(r.Command, r.Rows, f.of(r))
			if i%3 == 0 && f.y == "seconds" {
				add("copying in memory", r.Rows, r.Copy)
			}
		}
		drawn, err := plot.Growth(f.title, "rows", f.y, curves)
		if err != nil {
			return err
		}
		if err := writeFigure(filepath.Join(dir, f.file), drawn); err != nil {
			return err
		}
	}
	return nil
}
