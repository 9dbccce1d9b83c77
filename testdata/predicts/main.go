// Command predicts loads a model and predicts a sample: what it links is what such a program needs.
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/tskgraph/tskgraph/model"
)

func main() {
	m, err := model.Load(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	p, err := m.Predict([][]float64{make([]float64, len(m.Schema.Features()))})
	fmt.Println(p, err)
}
