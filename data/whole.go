package data

// SampleRows is the largest number of rows of positive weight of a table from which everything is computed. Of a larger table,
// what sorts, clusters, compares settings or describes uses a random sample of so many rows of each part, see Dataset.Whole.
const SampleRows = 200_000

// Whole is a part of a table with more than SampleRows rows: all of them, of which a Dataset is the sample. The rows lie in
// random buckets, of which one at a time need be in memory.
type Whole interface {
	Len() int                // N, the number of rows, all of positive weight
	Weight() float64         // the sum of their weights as given; N without weights
	Features() []Moments     // [M], of each of Schema.Features()
	Targets() []Moments      // [C]; of classes zero values
	ClassWeights() []float64 // [K], the sum of the weights of each class; nil without classes
	Buckets() int
	// Bucket returns the rows of bucket i in the order of the table, with the Schema and Missing of the sample and weights as given; nil if there are
	// none. It may be called concurrently. A bucket that cannot be read is an *Error.
	Bucket(i int) (*Dataset, error)
	Fingerprint() string // identifies the rows, see Dataset.Fingerprint
}
