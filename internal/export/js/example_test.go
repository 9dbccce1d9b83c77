package js_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/export/js"
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
	result, err := js.Target{}.Write(form, export.Options{Stem: "weights"})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range result.Files[1:] {
		fmt.Println(f.Name)
	}
	types := result.Files[2].Data
	fmt.Printf("%s", types[bytes.Index(types, []byte("export interface Row")):bytes.Index(types, []byte("/** What"))])
	// Output:
	// weights.cjs
	// weights.d.mts
	// weights.d.cts
	// export interface Row {
	//   /** mm, from 7 to 13 in training */
	//   "a": number | null;
	// }
}
