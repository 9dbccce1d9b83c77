package data

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
)

// Fingerprint tells data sets apart: the number of samples, and a hash of all that training can see, which is names and
// encodings, values to the last bit, weights, groups, time order and what is done about missing cells.
func (d *Dataset) Fingerprint() string {
	h := sha256.New()
	schema, _ := json.Marshal(d.Schema) // texts only
	fmt.Fprintf(h, "%s %q %v %v\n", schema, d.Missing.Policy, d.Weights, d.Groups)
	if d.Ordered {
		fmt.Fprintln(h, "ordered")
	}
	var row []byte
	for i, y := range d.Y {
		row = row[:0]
		for _, v := range append(d.X[i][:len(d.X[i]):len(d.X[i])], y) {
			row = binary.LittleEndian.AppendUint64(row, math.Float64bits(v))
		}
		h.Write(row)
	}
	return fmt.Sprintf("%d samples, sha256 %s", d.Len(), hex.EncodeToString(h.Sum(nil)[:8]))
}
