package python_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/export/python"
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
	result, err := python.Target{}.Write(form, export.Options{})
	if err != nil {
		log.Fatal(err)
	}
	file := result.Files[0].Data
	fmt.Printf("%s", file[bytes.Index(file, []byte("COLUMNS =")):bytes.Index(file, []byte("\n\ndef predict"))])
	// Output:
	// COLUMNS = [
	//     {"name": "a", "unit": "mm", "encoding": "numeric", "min": 7.0, "max": 13.0},
	// ]
	// TARGET, UNIT = "y", "kg"
	// OUTPUTS = ["y"]
}
