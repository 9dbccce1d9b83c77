package realdata

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Splits returns the fixed splits of a data set: for each split the rows (from 0) of
// the training and of the test part, ascending. The file splits/<name>.txt has a line
// per row with a digit per split, 1 for the test part.
func Splits(t testing.TB, name string) (train, test [][]int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(Dir(t), "splits", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	for row, digits := range strings.Fields(string(text)) {
		for k, digit := range digits {
			if k == len(train) {
				train, test = append(train, nil), append(test, nil)
			}
			if digit == '1' {
				test[k] = append(test[k], row)
			} else {
				train[k] = append(train[k], row)
			}
		}
	}
	return train, test
}

// Reference returns the test RMSE of another method (boosting, forest or ols) on each of
// these splits, from reference.json.
func Reference(t testing.TB, name, method string) []float64 {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(Dir(t), "reference.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]map[string][]float64
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all[name][method]
}
