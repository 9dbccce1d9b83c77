package parquet

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go/format"
)

func (k *kind) unsigned() error {
	if k.physical == format.Int32 {
		k.number = func(b []byte) (float64, bool) { return float64(binary.LittleEndian.Uint32(b)), true }
		return nil
	}
	k.number = func(b []byte) (float64, bool) {
		v := binary.LittleEndian.Uint64(b)
		return float64(v), v <= exactly
	}
	k.text = func(b []byte) string { return strconv.FormatUint(binary.LittleEndian.Uint64(b), 10) }
	return k.needs(format.Int64)
}

// float16 is the binary16 of IEEE 754.
func (k *kind) float16() error {
	k.number = func(b []byte) (float64, bool) {
		bits := binary.LittleEndian.Uint16(b)
		sign, exponent, fraction := 1-2*float64(bits>>15), int(bits>>10&31), float64(bits&1023)
		switch exponent {
		case 0:
			return sign * math.Ldexp(fraction, -24), true
		case 31:
			if fraction != 0 {
				return math.NaN(), true
			}
			return math.Inf(int(sign)), true
		}
		return sign * math.Ldexp(1024+fraction, exponent-25), true
	}
	if k.width != 2 {
		return damaged("its logical type FLOAT16 does not go with a width of %d", k.width)
	}
	return k.needs(format.FixedLenByteArray)
}

func (k *kind) uuid() error {
	k.text = func(b []byte) string { return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]) }
	if k.width != 16 {
		return damaged("its logical type UUID does not go with a width of %d", k.width)
	}
	return k.needs(format.FixedLenByteArray)
}

// decimal is a whole number divided by a power of ten. Up to 2^53 the quotient of both is the nearest float64, as that of its
// text; other decimals are texts.
func (k *kind) decimal(scale int32) error {
	if scale < 0 || scale > math.MaxInt16 {
		return damaged("its decimals have a scale of %d", scale)
	}
	little := k.physical == format.Int32 || k.physical == format.Int64
	k.number = func(b []byte) (float64, bool) {
		v, ok := int64(0), true
		if little {
			v = whole(b)
		} else {
			v, ok = bigEndian(b)
		}
		if !ok || v > exactly || v < -exactly || int(scale) >= len(powersOfTen) {
			return 0, false
		}
		return float64(v) / powersOfTen[scale], true
	}
	k.text = func(b []byte) string {
		v := new(big.Int)
		if little {
			v.SetInt64(whole(b))
		} else {
			twosComplement(v, b)
		}
		return decimalText(v, int(scale))
	}
	return k.needs(format.Int32, format.Int64, format.ByteArray, format.FixedLenByteArray)
}

// date is a number of days since 1970.
func (k *kind) date() error {
	k.text = func(b []byte) string { return time.Unix(0, 0).UTC().AddDate(0, 0, int(whole(b))).Format(dateLayout) }
	return k.needs(format.Int32)
}

// time is a number of units since midnight.
func (k *kind) time(unit format.TimeUnitValue) error {
	if unit == nil {
		return damaged("its logical type TIME has no unit")
	}
	k.text = func(b []byte) string { return since(whole(b), unit.Duration()).Format(timeLayout) }
	return k.needs(format.Int32, format.Int64)
}

// timestamp is a number of units since 1970, of UTC or of a clock that is not known.
func (k *kind) timestamp(unit format.TimeUnitValue, isUTC bool) error {
	if unit == nil {
		return damaged("its logical type TIMESTAMP has no unit")
	}
	layout := timestampLayout
	if isUTC {
		layout += utc
	}
	k.text = func(b []byte) string { return since(whole(b), unit.Duration()).Format(layout) }
	return k.needs(format.Int64)
}
