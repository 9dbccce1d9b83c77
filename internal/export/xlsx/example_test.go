package xlsx_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/xuri/excelize/v2"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/export/xlsx"
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
	result, err := xlsx.Target{}.Write(form, export.Options{})
	if err != nil {
		log.Fatal(err)
	}
	file, err := excelize.OpenReader(bytes.NewReader(result.Files[0].Data))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(file.GetSheetList())
	// Output:
	// [Prediction Rules Calculation Texts]
}
