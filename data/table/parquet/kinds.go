package parquet

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// kind is what the values of a column are.
type kind struct {
	physical format.Type
	width    int // bytes of a plain value; 0: varying, after its length

	// number returns a value as a number, and whether this is exact; nil for a column of texts.
	number func(value []byte) (v float64, exact bool)

	// text returns the cell of a value; nil if its bytes are the cell.
	text func(value []byte) string
}

// isText reports whether the bytes of a value are its cell.
func (k kind) isText() bool { return k.text == nil && k.number == nil }

// widths are those of values by physical type.
var widths = map[format.Type]int{format.Boolean: 1, format.Int32: 4, format.Int64: 8, format.Int96: 12, format.Float: 4, format.Double: 8,
	format.ByteArray: 0}

// kindOf returns the kind of a column: by its logical type, by its converted type as older writers have it, or by its physical type.
func kindOf(e *format.SchemaElement) (kind, error) {
	k := kind{physical: e.Type.V}
	width, known := widths[k.physical]
	switch {
	case k.physical == format.FixedLenByteArray && (e.TypeLength.V <= 0 || e.TypeLength.V > math.MaxInt16):
		return k, damaged("it states a width of %d bytes", e.TypeLength.V)
	case k.physical == format.FixedLenByteArray:
		width = int(e.TypeLength.V)
	case !known:
		return k, fmt.Errorf("its type %d is not supported", k.physical)
	}
	k.width = width
	if err := k.logical(e); err != nil {
		return k, err
	}
	if k.number == nil && k.text == nil {
		k.plain()
	}
	return k, nil
}

// plain sets the kind of a column without a logical type.
func (k *kind) plain() {
	switch k.physical {
	case format.Int32:
		k.number = func(b []byte) (float64, bool) { return float64(int32(binary.LittleEndian.Uint32(b))), true }
	case format.Int64:
		k.number, k.text = signed, signedText
	case format.Float:
		k.number = func(b []byte) (float64, bool) {
			return float64(math.Float32frombits(binary.LittleEndian.Uint32(b))), true
		}
	case format.Double:
		k.number = func(b []byte) (float64, bool) { return math.Float64frombits(binary.LittleEndian.Uint64(b)), true }
	case format.Int96:
		k.text = int96
	}
}

// logical sets the kind of a column with a logical or converted type, of those that differ from the physical one.
func (k *kind) logical(e *format.SchemaElement) error {
	converted := e.ConvertedType.V
	if !e.ConvertedType.Valid {
		converted = -1
	}
	switch l := e.LogicalType.Value.(type) {
	case *format.DecimalType:
		return k.decimal(l.Scale)
	case *format.IntType:
		if !l.IsSigned {
			return k.unsigned()
		}
		return nil
	case *format.DateType:
		return k.date()
	case *format.TimeType:
		return k.time(l.Unit.Value)
	case *format.TimestampType:
		return k.timestamp(l.Unit.Value, l.IsAdjustedToUTC)
	case *format.Float16Type:
		return k.float16()
	case *format.UUIDType:
		return k.uuid()
	case *format.BsonType, *format.VariantType, *format.GeometryType, *format.GeographyType:
		return fmt.Errorf("its type %s is not supported: export the file without it", l)
	case nil:
	default:
		return nil
	}
	switch converted {
	case deprecated.Decimal:
		return k.decimal(e.Scale.V)
	case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64:
		return k.unsigned()
	case deprecated.Date:
		return k.date()
	case deprecated.TimeMillis:
		return k.time(new(format.MilliSeconds))
	case deprecated.TimeMicros:
		return k.time(new(format.MicroSeconds))
	case deprecated.TimestampMillis:
		return k.timestamp(new(format.MilliSeconds), true)
	case deprecated.TimestampMicros:
		return k.timestamp(new(format.MicroSeconds), true)
	case deprecated.Bson, deprecated.Interval:
		return fmt.Errorf("its converted type %d is not supported: export the file without it", converted)
	}
	return nil
}

// needs refuses a logical type of another physical type than one of these.
func (k *kind) needs(types ...format.Type) error {
	for _, t := range types {
		if k.physical == t {
			return nil
		}
	}
	return damaged("its logical type does not go with %s", k.physical)
}

// exactly is the largest whole number such that a float64 has all below it.
const exactly = 1 << 53

func signed(b []byte) (float64, bool) {
	v := int64(binary.LittleEndian.Uint64(b))
	return float64(v), -exactly <= v && v <= exactly
}

func signedText(b []byte) string {
	return strconv.FormatInt(int64(binary.LittleEndian.Uint64(b)), 10)
}

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

// Layouts of the cells of dates and times. Fractions of a second are written as far as they are not zero.
const (
	dateLayout      = "2006-01-02"
	timeLayout      = "15:04:05.999999999"
	timestampLayout = "2006-01-02T15:04:05.999999999"
	utc             = "Z" // at the end of a timestamp in UTC
)

// whole returns a little-endian number of 4 or 8 bytes.
func whole(b []byte) int64 {
	if len(b) == 4 {
		return int64(int32(binary.LittleEndian.Uint32(b)))
	}
	return int64(binary.LittleEndian.Uint64(b))
}

// since returns the time so many units after the start of 1970.
func since(v int64, unit time.Duration) time.Time {
	each := int64(time.Second / unit)
	seconds, rest := v/each, v%each
	return time.Unix(seconds, rest*int64(unit)).UTC()
}

// int96 is the cell of a timestamp of older writers: nanoseconds of a day, and the Julian day.
func int96(b []byte) string {
	const julian1970 = 2440588
	day := int64(binary.LittleEndian.Uint32(b[8:])) - julian1970
	return time.Unix(day*24*60*60, int64(binary.LittleEndian.Uint64(b))).UTC().Format(timestampLayout)
}

// powersOfTen are those that a float64 has.
var powersOfTen = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
	1e19, 1e20, 1e21, 1e22}

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
