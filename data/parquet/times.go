package parquet

import (
	"encoding/binary"
	"time"
)

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
