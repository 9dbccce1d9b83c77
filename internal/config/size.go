package config

import (
	"regexp"
	"strconv"

	"github.com/dustin/go-humanize"
	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/internal/base/memory"
)

// size is the value of data.memory: a number of bytes with a unit, or auto, which is 0.
type size struct{ bytes *int64 }

// autoSize is the text of the default size.
const autoSize = "auto"

// sizes matches sizes: 512MiB, 1.5 GB, 4G.
var sizes = regexp.MustCompile(`^[0-9]{1,16}([.][0-9]{1,9})? ?(B|[kKMGT]i?B?)$`)

func (s *size) decode(d decoder, n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && n.Value == autoSize {
		*s.bytes = 0
		return
	}
	bytes, err := humanize.ParseBytes(n.Value)
	switch {
	case n.Kind != yaml.ScalarNode || n.Tag != "!!str" || !sizes.MatchString(n.Value) || err != nil || int64(bytes) < 0:
		d.fault(n, "%s: want a size such as 512MiB or 4GB, or auto", describe(n))
	case bytes < memory.Least:
		d.fault(n, "%s: must be at least %s", describe(n), sizeText(memory.Least))
	default:
		*s.bytes = int64(bytes)
	}
}

func (s *size) node() *yaml.Node {
	if *s.bytes == 0 {
		return scalarNode(autoSize)
	}
	return scalarNode(sizeText(*s.bytes))
}

func (s *size) schema(key) *schema {
	return &schema{AnyOf: []*schema{{Enum: []string{autoSize}}, {Type: "string", Pattern: sizes.String()}}}
}

// sizeText returns bytes in the largest unit of which they are a multiple.
func sizeText(bytes int64) string {
	for _, unit := range []string{"TiB", "TB", "GiB", "GB", "MiB", "MB", "KiB", "kB"} {
		if of, err := humanize.ParseBytes("1" + unit); err == nil && bytes%int64(of) == 0 {
			return strconv.FormatInt(bytes/int64(of), 10) + unit
		}
	}
	return strconv.FormatInt(bytes, 10) + "B"
}
