package data

import "slices"

// Twins reports which samples of d have a twin in another Dataset of the same features: a sample in which every
// feature is equal. Missing features equal one another, and 0 equals -0; targets, weights and groups are not compared.
// The cost is sorting the samples of the other Dataset, N log N comparisons of rows and N integers.
func Twins(d, other *Dataset) []bool {
	sorted := inOrder(other.Len())
	slices.SortFunc(sorted, func(i, j int) int { return slices.Compare(other.X[i], other.X[j]) })
	twins := make([]bool, d.Len())
	for i, row := range d.X {
		_, twins[i] = slices.BinarySearchFunc(sorted, row, func(j int, row []float64) int { return slices.Compare(other.X[j], row) })
	}
	return twins
}
