package jsonform_test

import (
	"encoding/json"
	"fmt"
	"log"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/export/jsonform"
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
	result, err := jsonform.Target{}.Write(form, export.Options{})
	if err != nil {
		log.Fatal(err)
	}
	var document struct {
		Format, Kind string
		Order        []string
		Members      []struct{ Grade any }
	}
	if err := json.Unmarshal(result.Files[0].Data, &document); err != nil {
		log.Fatal(err)
	}
	fmt.Println(document.Format, document.Kind, document.Order)
	fmt.Println(document.Members[0].Grade)
	// Output:
	// tskgraph predictor numbers [a]
	// map[arguments:3 result:7 steps:[[sub 0 1] [div 3 2] [const -0.5] [square 4] [mul 5 6]]]
}
