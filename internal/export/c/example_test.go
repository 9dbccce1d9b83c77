package c_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/export/c"
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
	result, err := c.Target{}.Write(form, export.Options{Name: "weight", Stem: "weight"})
	if err != nil {
		log.Fatal(err)
	}
	header := string(result.Files[1].Data)
	fmt.Print(header[strings.Index(header, "/* The columns"):strings.Index(header, "/*\n * Computes")])
	fmt.Println(result.Notes[0])
	// Output:
	// /* The columns, with their ranges in the training part. */
	// enum weight_column {
	//     /* a [mm]: from 7 to 13 */
	//     WEIGHT_IN_A,
	//     WEIGHT_COLUMNS
	// };
	//
	// /* The outputs. */
	// enum weight_output {
	//     /* y [kg] */
	//     WEIGHT_OUT_Y,
	//     WEIGHT_OUTPUTS
	// };
	//
	// 204 bytes of tables, 32 bytes of arrays on the stack, no other memory
}
