package data

import (
	_ "embed"
	"github.com/tskgraph/tskgraph/data/table"
	"slices"
	"strings"
)

// irisTable has a header, four lengths in cm and the species. The values are those of Fisher's paper, as in R and in
// scikit-learn (the copy of the UCI repository has two misprints); facts of 1936, in the public domain.
//
//go:embed iris.csv
var irisTable string

var irisSpecies = []string{"setosa", "versicolor", "virginica"}

// iris has four measurements of 150 flowers, 50 of each of three species, to tell the species. Customary split: at random,
// 70% for training.
//
// R. A. Fisher, "The use of multiple measurements in taxonomic problems", Annals of Eugenics 7 (1936) 179-188, table I.
var iris = builtin{
	name:    "iris",
	doc:     "three species of iris by the lengths and widths of petals and sepals: 150 flowers",
	target:  "species",
	classes: irisSpecies,
	split:   Split{Kind: splitRandom, Train: 0.7},
	generate: func() (names []string, x [][]float64, y []float64) {
		header, rows, _ := strings.Cut(irisTable, "\n")
		names = strings.Split(header, ",")[:4]
		for line := range strings.Lines(rows) {
			cells := strings.Split(strings.TrimSpace(line), ",")
			sample := make([]float64, len(names))
			for m := range sample {
				sample[m], _ = table.ParseNumber(cells[m]) // the table is part of the program
			}
			x, y = append(x, sample), append(y, float64(slices.Index(irisSpecies, cells[4])))
		}
		return names, x, y
	},
}
