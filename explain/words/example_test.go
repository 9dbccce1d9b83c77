package words_test

import (
	"log"
	"os"

	"github.com/tskgraph/tskgraph/explain/words"
	"github.com/tskgraph/tskgraph/model"
)

func ExampleModel() {
	m, err := model.Load("../../model/testdata/model.json")
	if err != nil {
		log.Fatal(err)
	}
	if err := words.Model(m).Write(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// Rule 1: 75.0% of the firing, strongest for 3 of 4 samples
	//   IF  a [mm] is gaussian(c = 10, sigma = 2)
	//   THEN y [kg] = -4 + 1 a
	//
	// Rule 2: 25.0% of the firing, strongest for 1 of 4 samples
	//   IF  a [mm] is gaussian(c = 14, sigma = 4)
	//   THEN y [kg] = 1.5 + 0.25 a
	//
	// y is the mean of what the rules say, weighted by the product of their grades; where no rule fires it is 5.
}
