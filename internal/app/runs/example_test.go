package runs_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/app/runs"
)

// A program trains in the directory of a run, which the command can show, resume and report on.
func Example() {
	root, err := os.MkdirTemp("", "runs")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(root)
	source := data.Source{Builtin: "friedman1"}
	parts, err := source.Load(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	recipe := tskgraph.Paper()
	recipe.Train.Iterations = 100
	run, err := runs.Create(root, "friedman1", func(note string) { log.Print(note) })
	if err != nil {
		log.Fatal(err)
	}
	defer run.Close()
	_, summary, err := run.Train(context.Background(), runs.Job{Training: tskgraph.Run{Recipe: recipe}, Data: source, Parts: parts,
		Config: []byte("preset: paper\n"), Start: time.Now()})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(filepath.Base(run.Path()), summary.Stopped, summary.Verdict.BeatsConstant)
	// Output: friedman1-001 completed true
}
