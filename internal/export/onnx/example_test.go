package onnx_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/export/onnx"
	"github.com/tskgraph/tskgraph/model"
)

func Example() {
	m, err := model.Load("../../model/testdata/model.json")
	if err != nil {
		log.Fatal(err)
	}
	form, err := export.New(m)
	if err != nil {
		log.Fatal(err)
	}
	result, err := onnx.Target{}.Write(form, export.Options{Float: true})
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(os.TempDir(), onnx.Target{}.File())
	if err := os.WriteFile(path, result.Files[0].Data, 0o600); err != nil {
		log.Fatal(err)
	}
	defer os.Remove(path)
	for _, c := range form.Columns {
		fmt.Printf("input %s, from %g to %g %s\n", c.Name, c.Min, c.Max, c.Unit)
	}
	for _, o := range form.Outputs {
		fmt.Printf("output %s in %s\n", o.Name, o.Unit)
	}
	// Output:
	// input a, from 7 to 13 mm
	// output y in kg
}
