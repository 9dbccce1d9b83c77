// Command bench compares training steps with the practical speed limit, a C program
// of the same step (limit.c), and times the rest of the pipeline.
//
//	go -C tools run ./bench                                                  # Markdown tables on standard output
//	go -C tools run ./bench -page docs/performance.md -growth docs/performance   # the page's tables and figures
//	go -C tools run ./bench -rounds 0 -rows 1e8 -page docs/performance.md -growth docs/performance   # by rows: an hour, 10 GB
//
// Paths are relative to the root of the repository; it needs a C compiler. The programs
// run in turn, round by round, so that a change of the machine's speed affects all of
// them; ratios compare times of the same round.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/tskgraph/tskgraph/tools/checkout"
)

// options are the flags.
type options struct {
	rounds    int
	benchtime time.Duration
	limit     string
	json      string
	page      string
	growth    string
	rows      float64
}

func main() {
	var o options
	flag.IntVar(&o.rounds, "rounds", 7, "how often to run each program; 0 omits the tables")
	flag.DurationVar(&o.benchtime, "benchtime", 200*time.Millisecond, "how long a Go benchmark runs each time")
	flag.StringVar(&o.limit, "limit", "tools/bench/limit.c",
		"the C program to compare with: its arguments are shape B R M; it prints them and the nanoseconds of a step")
	flag.StringVar(&o.json, "json", "", "write all measurements to this file")
	flag.StringVar(&o.page, "page", "", "rewrite the tables between the markers of this Markdown page")
	flag.StringVar(&o.growth, "growth", "", "measure how cost grows with B, R, M and N, and draw figures in this directory")
	flag.Float64Var(&o.rows, "rows", 0,
		"measure instead the whole command on tables of 1000 rows up to so many; -page and -growth receive table and figures")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := check(o, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
	err := checkout.Enter()
	if err == nil {
		err = bench(ctx, o)
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		os.Exit(130)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func check(o options, rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("unexpected argument %q", rest[0])
	case o.rounds < 0 || o.rounds == 0 && o.growth == "" && o.rows == 0:
		return fmt.Errorf("-rounds %d: nothing to measure", o.rounds)
	case o.benchtime <= 0:
		return fmt.Errorf("-benchtime %v: must be positive", o.benchtime)
	case o.page != "" && o.rounds == 0 && o.rows == 0:
		return errors.New("-page needs the tables: -rounds must be at least 1")
	}
	return nil
}

// bench runs the measurements that the options select and writes their results.
func bench(ctx context.Context, o options) error {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if o.rows > 0 {
		return benchRows(ctx, dir, o)
	}
	p, err := build(ctx, dir, o)
	if err != nil {
		return err
	}
	if os.Getenv("TSKGRAPH_DATA") == "" {
		fmt.Fprintln(os.Stderr, "bench: TSKGRAPH_DATA is not set: skipping benchmarks on real data")
	}
	r := &results{Machine: machine(), Rounds: o.rounds, Limit: o.limit}
	for round := range o.rounds {
		fmt.Fprintf(os.Stderr, "bench: round %d of %d\n", round+1, o.rounds)
		if err := r.round(ctx, p); err != nil {
			return err
		}
	}
	if o.growth != "" {
		fmt.Fprintln(os.Stderr, "bench: growth")
		if err := grow(ctx, r, p, o.growth); err != nil {
			return err
		}
	}
	if o.rounds > 0 {
		fmt.Print(tables(r))
	}
	if o.page != "" {
		if err := rewrite(o.page, "measured", tables(r)); err != nil {
			return err
		}
	}
	if o.json == "" {
		return nil
	}
	out, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(o.json, append(out, '\n'), 0o644)
}

// benchRows measures the cost against the rows of a table.
func benchRows(ctx context.Context, dir string, o options) error {
	runs, err := measureRows(ctx, dir, o.rows)
	if err != nil {
		return err
	}
	table := rowsTable(runs)
	fmt.Print(table)
	if o.growth != "" {
		if err := drawRows(runs, o.growth); err != nil {
			return err
		}
	}
	if o.page != "" {
		return rewrite(o.page, "rows", table)
	}
	return nil
}
