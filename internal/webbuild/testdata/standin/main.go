//go:build js && wasm

// Command standin links what the page needs.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/tskgraph/tskgraph"
	"github.com/tskgraph/tskgraph/data"
	_ "github.com/tskgraph/tskgraph/data/csv"
	_ "github.com/tskgraph/tskgraph/export/c"
	_ "github.com/tskgraph/tskgraph/export/fis"
	_ "github.com/tskgraph/tskgraph/export/gosrc"
	_ "github.com/tskgraph/tskgraph/export/js"
	_ "github.com/tskgraph/tskgraph/export/jsonform"
	_ "github.com/tskgraph/tskgraph/export/onnx"
	_ "github.com/tskgraph/tskgraph/export/python"
	_ "github.com/tskgraph/tskgraph/export/sql"
	"github.com/tskgraph/tskgraph/internal/runs"
	"github.com/tskgraph/tskgraph/knowledge"
	"github.com/tskgraph/tskgraph/report/page"
)

func main() {
	if len(os.Args) > 5 {
		fmt.Println(runs.ConfigFile, page.New, (*page.Page)(nil).Write, knowledge.FromModel, knowledge.ReadFile)
	}
	s := data.Source{Path: os.Args[1]}
	p, err := s.Load(context.Background())
	if err != nil {
		panic(err)
	}
	run := tskgraph.Run{Recipe: tskgraph.Readable()}
	res, err := run.Train(context.Background(), p.Train, nil)
	fmt.Println(res != nil, err)
}
