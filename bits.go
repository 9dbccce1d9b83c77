package tskgraph

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math"
)

// bits are numbers that a checkpoint keeps whatever they are, infinite ones too: in JSON,
// the base64 of their little-endian bits.
type bits []float64

// MarshalText writes the numbers.
func (b bits) MarshalText() ([]byte, error) {
	raw := make([]byte, 0, 8*len(b))
	for _, v := range b {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
	}
	return base64.StdEncoding.AppendEncode(nil, raw), nil
}

// UnmarshalText reads them.
func (b *bits) UnmarshalText(text []byte) error {
	raw, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil {
		return err
	}
	if len(raw)%8 != 0 {
		return errors.New("the bits of a number are missing")
	}
	*b = make(bits, len(raw)/8)
	for i := range *b {
		(*b)[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
	}
	return nil
}
