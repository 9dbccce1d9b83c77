package fis

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/byhand"
)

var (
	functionKey = regexp.MustCompile(`^(?i:MF)(\d+)$`)
	typeTwoKey  = regexp.MustCompile(`^(?i:MF\d+[UL]|(?:Upper|Lower)MF\d*)$`)
	functionIs  = regexp.MustCompile(`^'(.*?)'\s*:\s*'(\w+)'\s*,\s*\[?([^\[\]]*)\]?$`)
)

// readVariable reads an input or output.
func readVariable(s *system, part section, kind string) (variable, error) {
	v := variable{line: part.line, column: part.column}
	want := -1
	for _, e := range part.entries {
		key := strings.ToLower(e.key)
		number := functionKey.FindStringSubmatch(e.key)
		var err error
		switch {
		case key == "name":
			v.name = unquote(e.value)
		case key == "range":
			v.low, v.high, err = readLimits(s, e, kind)
		case key == "nummfs":
			if want, err = strconv.Atoi(e.value); err != nil {
				err = s.fault(e.line, "NumMFs=%s: want a whole number", escape.Quote(e.value))
			}
		case typeTwoKey.MatchString(e.key):
			err = s.fault(e.line, "%s: a membership function of type 2: want a system of type 1", escape.Text(e.key))
		case number == nil:
			err = s.unknown(e, "Name", "Range", "NumMFs", "MF"+strconv.Itoa(len(v.functions)+1))
		case number[1] != strconv.Itoa(len(v.functions)+1):
			err = s.fault(e.line, "%s: want MF%d next", escape.Text(e.key), len(v.functions)+1)
		default:
			var f function
			f, err = readFunction(s, e)
			v.functions = append(v.functions, f)
		}
		if err != nil {
			return v, err
		}
	}
	switch {
	case v.name == "":
		return v, s.fault(part.line, "[%s] has no Name", escape.Text(part.name))
	case v.low == nil:
		return v, s.fault(part.line, "[%s] has no Range", escape.Text(part.name))
	case want >= 0 && want != len(v.functions):
		return v, s.fault(part.line, "NumMFs of [%s] is %d, and it has %d", escape.Text(part.name), want, len(v.functions))
	}
	return v, nil
}

// readLimits reads a range. That of an output may be empty.
func readLimits(s *system, e entry, kind string) (low, high *big.Rat, err error) {
	p, ok := numbers(strings.TrimSuffix(strings.TrimPrefix(e.value, "["), "]"))
	if !ok || len(p) != 2 || p[0].Cmp(p[1]) > 0 || p[0].Cmp(p[1]) == 0 && kind == "Input" {
		return nil, nil, s.fault(e.line, "Range=%s: want [low high], low below high", escape.Quote(e.value))
	}
	return p[0], p[1], nil
}

// readFunction reads a membership function.
func readFunction(s *system, e entry) (function, error) {
	is := functionIs.FindStringSubmatch(e.value)
	if is == nil {
		return function{}, s.fault(e.line, "%s=%s: want 'name':'type',[parameters]", escape.Text(e.key), escape.Quote(e.value))
	}
	params, ok := numbers(is[3])
	if !ok || len(params) == 0 {
		return function{}, s.fault(e.line, "the parameters [%s] of %s are not numbers", escape.Text(is[3]), escape.Quote(is[1]))
	}
	return function{strings.TrimSpace(is[1]), is[2], params, e.line}, nil
}

// infinite is an open border, which is beyond all samples.
var infinite, _ = new(big.Rat).SetString("1e200")

// numbers reads numbers between spaces, commas or semicolons; infinities as numbers far away.
func numbers(text string) ([]*big.Rat, bool) {
	var all []*big.Rat
	for _, field := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t,;", r) }) {
		v, ok := byhand.ParseDecimal(field)
		switch strings.ToLower(field) {
		case "inf", "+inf":
			v, ok = new(big.Rat).Set(infinite), true
		case "-inf":
			v, ok = new(big.Rat).Neg(infinite), true
		}
		if !ok {
			return nil, false
		}
		all = append(all, v)
	}
	return all, true
}

// nearest returns the nearest float64.
func nearest(v *big.Rat) float64 {
	f, _ := v.Float64()
	return f
}

// unquote returns a value without its quotes.
func unquote(v string) string {
	if len(v) >= 2 && (v[0] == '\'' || v[0] == '"') && v[len(v)-1] == v[0] {
		v = v[1 : len(v)-1]
	}
	return strings.TrimSpace(v)
}
