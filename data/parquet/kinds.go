package parquet

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

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
var widths = map[format.Type]int{format.Boolean: 1, format.Int32: 4, format.Int64: 8, format.Int96: 12, format.Float: 4, format.Double: 8, format.ByteArray: 0}

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
