package config

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"go.yaml.in/yaml/v3"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/memory"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// categorical is the value of data.categorical: auto, none, or codings by column.
type categorical struct{ options *data.Options }

func (c *categorical) decode(d decoder, n *yaml.Node) {
	c.options.NoCategorical, c.options.Categorical = false, nil
	switch {
	case n.Kind == yaml.ScalarNode && n.Value == "auto":
		return
	case n.Kind == yaml.ScalarNode && n.Value == "none":
		c.options.NoCategorical = true
		return
	}
	c.options.Categorical = map[string]data.Coding{}
	d.byColumn(n, "auto, none, or a coding for columns, such as {sex: onehot}", func(in decoder, name string, value *yaml.Node) {
		if value.Kind == yaml.SequenceNode {
			var levels names
			levels.decode(in, value)
			c.options.Categorical[name] = table.NewCoding(levels, true)
		} else if slices.Contains(encodings(), value.Value) {
			c.options.Categorical[name] = data.Coding{Encoding: data.Encoding(value.Value)}
		} else {
			in.fault(value, "%s: want %s, or a list of levels in order", describe(value), strings.Join(encodings(), ", "))
		}
	})
}

// encodings are the names of the encodings.
func encodings() (all []string) {
	for _, e := range table.Encodings() {
		all = append(all, string(e))
	}
	return all
}

func (c *categorical) schema(key) *schema {
	column := &schema{AnyOf: []*schema{{Enum: encodings()}, listOfNames()}}
	return &schema{AnyOf: []*schema{{Enum: []string{"auto", "none"}}, {Type: "object", Additional: column}}}
}

func (c *categorical) node() *yaml.Node {
	switch {
	case len(c.options.Categorical) > 0:
	case c.options.NoCategorical:
		return scalarNode("none")
	default:
		return scalarNode("auto")
	}
	return sorted(c.options.Categorical, func(coding data.Coding) *yaml.Node {
		if len(coding.Levels) > 0 {
			return listNode(coding.Levels)
		}
		return scalarNode(string(coding.Encoding))
	})
}

// units is the value of data.units.
type units struct{ options *data.Options }

func (u *units) decode(d decoder, n *yaml.Node) {
	u.options.Units = map[string]string{}
	d.byColumn(n, "units by column, such as {temperature: deg C}", func(in decoder, name string, value *yaml.Node) {
		if value.Kind != yaml.ScalarNode || value.Tag == "!!null" {
			in.fault(value, "%s: want a unit", describe(value))
			return
		}
		u.options.Units[name] = value.Value
	})
}

func (u *units) schema(key) *schema { return &schema{Type: "object", Additional: word()} }

func (u *units) node() *yaml.Node { return sorted(u.options.Units, scalarNode) }

// columnLimits is the value of data.limits.
type columnLimits struct{ options *data.Options }

func (l *columnLimits) decode(d decoder, n *yaml.Node) {
	l.options.Limits = map[string]*data.Limits{}
	d.byColumn(n, "limits by column, such as {size: [0, 5000]}", func(in decoder, name string, value *yaml.Node) {
		if ends, ok := decodeEnds(in, value, "the least and the greatest number of the column"); ok {
			l.options.Limits[name] = table.NewLimits(ends[0], ends[1])
		}
	})
}

func (l *columnLimits) schema(key) *schema { return &schema{Type: "object", Additional: endsSchema()} }

func (l *columnLimits) node() *yaml.Node {
	return sorted(l.options.Limits, func(of *data.Limits) *yaml.Node {
		low, high := of.Ends()
		return endsNode([2]float64{low, high})
	})
}

// files is the value of data.path: the name of a table, or a list of the names of its files.
type files struct{ name *string }

func (f *files) decode(d decoder, n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		textAt(f.name).decode(d, n)
		return
	}
	all := d.several(n, "[a.csv, b.csv]")
	for _, name := range all {
		if name == "" || strings.ContainsAny(name, ",{}") {
			d.fault(n, "%q: want names of files without a comma and braces", shorten(name))
			return
		}
	}
	*f.name = table.List(all)
}

func (f *files) node() *yaml.Node {
	if names := table.Names(*f.name); len(names) > 1 {
		return listNode(names)
	}
	return scalarNode(*f.name)
}

func (f *files) schema(key) *schema { return oneOrSeveral() }

// target is the value of data.target: a name, or a list of names.
type target struct{ options *data.Options }

func (t *target) decode(d decoder, n *yaml.Node) {
	t.options.Target, t.options.Others = "", nil
	if n.Kind != yaml.SequenceNode {
		textAt(&t.options.Target).decode(d, n)
		return
	}
	if all := d.several(n, "[y1, y2]"); len(all) > 0 {
		t.options.Target, t.options.Others = all[0], all[1:]
	}
}

func (t *target) node() *yaml.Node {
	if len(t.options.Others) == 0 {
		return scalarNode(t.options.Target)
	}
	return listNode(t.options.Targets())
}

func (t *target) schema(key) *schema { return oneOrSeveral() }

// na is the value of data.na: texts for all columns, or by column.
type na struct{ options *data.Options }

func (v *na) decode(d decoder, n *yaml.Node) {
	v.options.NA = nil
	set := func(d decoder, column string, n *yaml.Node) {
		var texts names
		if texts.decode(d, n); len(texts) == 0 {
			return
		}
		if v.options.NA == nil {
			v.options.NA = data.NA{}
		}
		v.options.NA[column] = texts
	}
	if n.Kind == yaml.MappingNode {
		d.byColumn(n, "", set)
	} else {
		set(d, "*", n)
	}
}

func (v *na) schema(key) *schema {
	return &schema{AnyOf: []*schema{listOfNames(), {Type: "object", Additional: listOfNames()}}}
}

func (v *na) node() *yaml.Node {
	if texts, all := v.options.NA["*"]; all && len(v.options.NA) == 1 {
		return listNode(texts)
	}
	return sorted(v.options.NA, listNode)
}

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
