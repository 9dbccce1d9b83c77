package parquet

import (
	"math/big"
	"strings"
)

// powersOfTen are those that a float64 has.
var powersOfTen = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// bigEndian returns a big-endian number in two's complement, and whether it has at most 64 bits.
func bigEndian(b []byte) (v int64, ok bool) {
	for i, one := range b {
		if i == 0 {
			v = int64(int8(one))
			continue
		}
		if v>>55 != 0 && v>>55 != -1 {
			return 0, false
		}
		v = v<<8 | int64(one)
	}
	return v, true
}

// twosComplement sets v to a big-endian number in two's complement.
func twosComplement(v *big.Int, b []byte) {
	v.SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
}

// decimalText writes v / 10^scale without zeros at the end of its fraction.
func decimalText(v *big.Int, scale int) string {
	text, sign := v.String(), ""
	if v.Sign() < 0 {
		text, sign = text[1:], "-"
	}
	if scale == 0 {
		return sign + text
	}
	if len(text) <= scale {
		text = strings.Repeat("0", scale+1-len(text)) + text
	}
	at := len(text) - scale
	return sign + strings.TrimRight(strings.TrimRight(text[:at]+"."+text[at:], "0"), ".")
}
