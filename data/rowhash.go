package data

import "math"

// Random streams of an ingested table besides splitStream and calibStream: the order of the rows in the sample, their buckets, and the
// members of a committee that have rows of their own.
const (
	sampleStream = 0x73616d706c65 // "sample"
	bucketStream = 0x6275636b6574 // "bucket"
	memberStream = 0x6d656d626572 // "member"
)

// rowHash returns a random number of a row, or of another key, in a stream of a seed. It does not depend on other rows, so that
// the division of a table needs no second pass, and no order of its shards.
func rowHash(seed, stream, key uint64) uint64 { return mix(mix(seed^mix(stream)) + key) }

// share returns a hash as a number from 0, below 1.
func share(hash uint64) float64 { return float64(hash>>11) / (1 << 53) }

// mix is the output function of SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number generators,
// OOPSLA 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// valuesKey returns a key that rows of equal values share; missing values are equal.
func valuesKey(values []float64) (key uint64) {
	for _, v := range values {
		if math.IsNaN(v) {
			v = math.NaN()
		}
		key = mix(key ^ math.Float64bits(v+0)) // -0 + 0 is 0
	}
	return key
}
