package data

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// sampledRow is a row of a sample.
type sampledRow struct {
	hash   uint64
	row    int       // number in the table, from 1
	values []float64 // [K]
	member int       // number of the group
	record string    // the row as it stands
}

// reservoir keeps the rows of least hash, at most a number of them: a uniform random sample, whatever the order of the rows.
type reservoir struct {
	most  int
	rows  []sampledRow // at most a sixteenth more
	bound uint64       // rows of a larger hash are not in the sample; 0: not known yet
	freed [][]float64  // values of rows that were in the sample
}

// admits reports whether a row of the hash may belong to the sample of the rows so far.
func (r *reservoir) admits(hash uint64) bool { return r.bound == 0 || hash <= r.bound }

// add adds a row that the sample admits. It keeps a copy of the values.
func (r *reservoir) add(s sampledRow) {
	var room []float64
	if n := len(r.freed); n > 0 {
		room, r.freed = r.freed[n-1], r.freed[:n-1]
	}
	s.values = append(room[:0], s.values...)
	r.rows = append(r.rows, s)
	if len(r.rows) > r.most+r.most/16 {
		r.cut()
	}
}

// cut removes the rows beyond the sample.
func (r *reservoir) cut() {
	if len(r.rows) <= r.most {
		return
	}
	r.bound = r.smallest(r.most)
	r.rows = slices.DeleteFunc(r.rows, func(row sampledRow) bool {
		if row.hash <= r.bound {
			return false
		}
		r.freed = append(r.freed, row.values)
		return true
	})
}

// knows reports whether the sample is right though rows of a hash above a limit may be missing: whether enough of it
// have one up to the limit.
func (r *reservoir) knows(limit uint64) bool {
	r.cut()
	largest := uint64(0)
	for _, row := range r.rows {
		largest = max(largest, row.hash)
	}
	if len(r.rows) < r.most || largest > limit {
		return false
	}
	r.bound = largest // there are more rows than these
	return true
}

// smallest returns the n-th smallest hash. As hashes are uniform, a histogram leaves few of them to sort.
func (r *reservoir) smallest(n int) uint64 {
	const cells = 16 // bits
	largest := uint64(0)
	for _, row := range r.rows {
		largest = max(largest, row.hash)
	}
	shift := max(0, bits.Len64(largest)-cells)
	counts := make([]int, 1<<cells)
	for _, row := range r.rows {
		counts[row.hash>>shift]++
	}
	cell := 0
	for ; n > counts[cell]; cell++ {
		n -= counts[cell]
	}
	var within []uint64
	for _, row := range r.rows {
		if row.hash>>shift == uint64(cell) {
			within = append(within, row.hash)
		}
	}
	slices.Sort(within)
	return within[n-1]
}

// with returns the sample in the order of the table, and forgets it. Of each class it has the given row at least, so that
// it may have a few rows less than the most.
func (r *reservoir) with(classes witnesses) []sampledRow {
	if r.bound != 0 || len(r.rows) > r.most {
		r.most = max(1, r.most-len(classes))
		r.cut()
	}
	rows := r.rows
	r.rows, r.freed = nil, nil
	slices.SortFunc(rows, func(a, b sampledRow) int { return cmp.Compare(a.row, b.row) })
	for _, one := range classes {
		at, there := slices.BinarySearchFunc(rows, one.row, func(s sampledRow, row int) int { return cmp.Compare(s.row, row) })
		if !there {
			rows = slices.Insert(rows, at, one)
		}
	}
	return rows
}

// witnesses are a row of each class, that of least hash, so that a sample lacks no class.
type witnesses map[int]sampledRow

// lack reports whether a row of a class and a hash is to be kept.
func (w witnesses) lack(class int, hash uint64) bool {
	known, ok := w[class]
	return !ok || hash < known.hash
}

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
