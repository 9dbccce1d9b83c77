package sql_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/export/sql"
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
	result, err := sql.Target{}.Write(form, export.Options{Table: "measured.parts", Key: "part"})
	if err != nil {
		log.Fatal(err)
	}
	query := string(result.Files[0].Data)
	fmt.Print(query[strings.LastIndex(query, "SELECT"):])
	// Output:
	// SELECT id AS "part",
	//   CASE WHEN k1 = 1e0 THEN p1 END AS "prediction"
	// FROM tsk_8;
}
