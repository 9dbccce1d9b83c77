package checkpoint

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math"
)

// Float64Bits are numbers, possibly infinite or NaN, that a checkpoint stores exactly: in
// JSON, as the base64 encoding of their little-endian bits.
type Float64Bits []float64

// MarshalText encodes the numbers.
func (b Float64Bits) MarshalText() ([]byte, error) {
	raw := make([]byte, 0, 8*len(b))
	for _, v := range b {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
	}
	return base64.StdEncoding.AppendEncode(nil, raw), nil
}

// UnmarshalText decodes the numbers.
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
