package gosrc_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/export/gosrc"
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
	result, err := gosrc.Target{}.Write(form, export.Options{Name: "weight"})
	if err != nil {
		log.Fatal(err)
	}
	code := string(result.Files[0].Data)
	fmt.Print(code[strings.Index(code, "// Row has"):strings.Index(code, "\tfeatures :=")])
	// Output:
	// // Row has the cells of a row. NaN is a missing number.
	// type Row struct {
	// 	A float64 // a [mm], in training from 7 to 13
	// }
	//
	// // Prediction has the outputs for a row. They are NaN if a number of the row is infinite, or
	// // 1e+100 standard deviations or more from its mean in training.
	// type Prediction struct {
	// 	Y float64 // y [kg]
	// }
	//
	// // Predict returns the prediction for a row. It allocates no memory, and may be called by several
	// // goroutines at the same time.
	// func Predict(row Row) Prediction {
}
