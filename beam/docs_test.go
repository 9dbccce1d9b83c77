package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/tskgraph/tskgraph/internal/base/kernel"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
)

// page is the guide to this command.
const page = "../docs/cluster.md"

func blocks(t *testing.T) []testenv.GuideBlock {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	return testenv.GuideBlocks(string(text))
}

// TestGuide runs the guide in a copy of the repository: files are written, blocks of sh are run line by line, and blocks
// of output must be among what the block before printed.
func TestGuide(t *testing.T) {
	dir := t.TempDir()
	if err := testenv.CopyRepository("..", dir); err != nil {
		t.Fatal(err)
	}
	path := "PATH=" + programs(t) + string(os.PathListSeparator) + os.Getenv("PATH")
	printed := ""
	for _, block := range blocks(t) {
		switch {
		case block.Name != "":
			if err := os.MkdirAll(filepath.Join(dir, testenv.Scratch), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, block.Name), []byte(block.Text), 0o600); err != nil {
				t.Fatal(err)
			}
		case block.Language == "output" && kernel.Name() == "avx2": // whose digits are quoted
			if line := testenv.FirstMissing(block.Text, printed); line != "" {
				t.Errorf("quoted, but not printed (here): %s\nprinted:\n%s", line, printed)
			}
		case block.Language == "sh":
			printed = ""
			for line := range strings.Lines(block.Text) {
				more, err := testenv.RunGuide(dir, strings.TrimSpace(line), path)
				if err != nil {
					t.Fatal(err)
				}
				printed += more
			}
		}
	}
}

// programs returns a directory with the commands tskgraph and tskgraph-beam.
func programs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	build := exec.Command("go", "build", "-buildvcs=false", "-o", dir, "./cmd/tskgraph") // of no revision, as programs of tests are
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("#!/bin/sh\n%s=1 exec '%s' \"$@\"\n", asCommand, self)
	if err := os.WriteFile(filepath.Join(dir, "tskgraph-beam"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestGuideFlags checks that tskgraph-beam has the commands and flags of the lines that need a cluster, in blocks of console.
func TestGuideFlags(t *testing.T) {
	before := map[string]string{}
	flag.VisitAll(func(f *flag.Flag) { before[f.Name] = f.Value.String() })
	t.Cleanup(func() {
		for name, value := range before {
			if f := flag.Lookup(name); f.Value.String() != value {
				_ = f.Value.Set(value)
			}
		}
	})
	checked := 0
	for _, block := range blocks(t) {
		if block.Language != "console" {
			continue
		}
		text := strings.ReplaceAll(block.Text, "\\\n", " ")
		for line := range strings.Lines(text) {
			if rest, ok := strings.CutPrefix(line, "tskgraph-beam "); ok {
				checked++
				if err := parse(strings.Fields(rest)); err != nil {
					t.Errorf("%s: %v", strings.TrimSpace(line), err)
				}
			}
		}
	}
	if checked < 4 { // the pool of workers, Flink, Spark, Dataflow
		t.Errorf("%d lines", checked)
	}
}

// parse parses the flags of a command line without running it.
func parse(args []string) error {
	root := newRoot()
	cmd, rest, err := root.Find(args)
	if err == nil && cmd == root {
		err = fmt.Errorf("no command %q", args)
	}
	if err != nil {
		return err
	}
	cmd.RunE = func(*cobra.Command, []string) error { return nil }
	return cmd.ParseFlags(rest)
}

// TestParse feeds lines that the guide must not have.
func TestParse(t *testing.T) {
	for _, args := range []string{"", "scores --runner flink", "help --no-such-flag"} {
		if err := parse(strings.Fields(args)); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
