package model_test

import (
	"fmt"
	"log"

	_ "github.com/tskgraph/tskgraph/data/table/csv" // the tests read tables of this format
	"github.com/tskgraph/tskgraph/model"
)

func Example() {
	m, err := model.Load("testdata/model.json")
	if err != nil {
		log.Fatal(err)
	}
	p, err := m.Predict([][]float64{{10}, {12}, {20}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Schema.Features(), "->", m.Schema.Target)
	fmt.Printf("%.4f, %d out of range\n", p.Values, p.OutOfRange)
	// Output:
	// [a] -> y
	// [5.2449 5.9257 6.5001], 1 out of range
}
