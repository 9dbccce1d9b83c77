package data_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/data/table"
)

func ExampleSource() {
	parts, err := data.Source{Builtin: "mackey-glass"}.Load(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(parts.Train.Schema.Features(), "->", parts.Train.Schema.Target)
	fmt.Println(parts.Train.Len(), "for training,", parts.Test.Len(), "for test")
	// Output:
	// [x(t-18) x(t-12) x(t-6) x(t)] -> x(t+6)
	// 500 for training, 500 for test
}

func ExampleRead() {
	dir, err := os.MkdirTemp("", "data")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "abalone.csv")
	content := "sex,length,rings\nM,0.455,15\nF,0.53,9\nI,0.33,7\n"
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		log.Fatal(err)
	}

	d, err := data.Read(path, table.Options{Target: "rings"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.Schema.Features())
	for i, x := range d.X {
		fmt.Println(x, d.Y[i])
	}
	// Output:
	// [sex=F sex=I sex=M length]
	// [0 0 1 0.455] 15
	// [1 0 0 0.53] 9
	// [0 1 0 0.33] 7
}
