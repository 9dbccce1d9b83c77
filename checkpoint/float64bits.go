package checkpoint

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math"
)

// Float64Bits are numbers that a checkpoint keeps bit by bit, infinite ones and NaN too: in
// JSON, the base64 of their little-endian bits.
type Float64Bits []float64

// MarshalText writes the numbers.
func (b Float64Bits) MarshalText() ([]byte, error) {
	raw := make([]byte, 0, 8*len(b))
	for _, v := range b {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
	}
	return base64.StdEncoding.AppendEncode(nil, raw), nil
}

// UnmarshalText reads them.
func (b *Float64Bits) UnmarshalText(text []byte) error {
	raw, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil {
		return err
	}
	if len(raw)%8 != 0 {
		return errors.New("the last number is incomplete")
	}
	*b = make(Float64Bits, len(raw)/8)
	for i := range *b {
		(*b)[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
	}
	return nil
}
