package exact

import (
	"encoding/binary"
	"errors"
)

// MarshalBinary and UnmarshalBinary encode a Sum, by encoding/gob as well.
func (s *Sum) MarshalBinary() ([]byte, error) {
	s.normalise()
	out := binary.AppendVarint(nil, int64(s.low))
	for _, limb := range s.limbs {
		out = binary.AppendVarint(out, limb)
	}
	return out, nil
}

// maxLimbs bounds the limbs of a sum: products of three numbers have exponents from -3222 to 3072, and a carry.
const maxLimbs = 256

var errEncoding = errors.New("exact: not an encoded sum")

// UnmarshalBinary replaces s by an encoded sum.
func (s *Sum) UnmarshalBinary(from []byte) error {
	low, n := binary.Varint(from)
	if n <= 0 || low < -maxLimbs || low > maxLimbs {
		return errEncoding
	}
	*s = Sum{low: int(low), added: 1}
	for from = from[n:]; len(from) > 0; from = from[n:] {
		var limb int64
		if limb, n = binary.Varint(from); n <= 0 || len(s.limbs) == maxLimbs {
			return errEncoding
		}
		if limb>>32 != 0 && limb>>32 != -1 {
			return errEncoding
		}
		s.limbs = append(s.limbs, limb)
	}
	return nil
}
