package fis

import (
	"io"
	"math/big"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/suggest"
	"github.com/tskgraph/tskgraph/internal/byhand"
)

// system is the content of a file.
type system struct {
	file            string
	and             string
	inputs, outputs []variable
	rules           []rule
}

// variable is an input or an output.
type variable struct {
	name      string
	column    *Column
	low, high *big.Rat
	functions []function
	line      int
}

// function is a membership function, or what rules say of an output.
type function struct {
	name, kind string
	params     []*big.Rat
	line       int
}

// rule has the indices of functions, from 1; 0: none.
type rule struct {
	conditions, outputs []int
	weight              *big.Rat
	line                int
}

// maxSize is the largest size of a file.
const maxSize = 16 << 20

// parse reads the text of a file.
func parse(r io.Reader, file string) (*system, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxSize+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxSize {
		return nil, byhand.Errorf(file, 0, 0, "more than %d bytes: no system is that large", maxSize)
	}
	all, err := sections(string(text), file)
	if err != nil {
		return nil, err
	}
	s := &system{file: file}
	counts := map[string]count{}
	for _, part := range all {
		if err := s.section(part, counts); err != nil {
			return nil, err
		}
	}
	for _, c := range []struct {
		key  string
		have int
	}{{"NumInputs", len(s.inputs)}, {"NumOutputs", len(s.outputs)}, {"NumRules", len(s.rules)}} {
		if want, ok := counts[c.key]; ok && want.n != c.have {
			return nil, s.fault(want.line, "%s=%d, and the file has %d", c.key, want.n, c.have)
		}
		if c.have == 0 {
			return nil, s.fault(0, "no %s", strings.ToLower(c.key[len("Num"):]))
		}
	}
	return s, nil
}

// count is a number of sections or lines that a file states.
type count struct{ n, line int }

func (s *system) fault(line int, format string, a ...any) error {
	return byhand.Errorf(s.file, line, 0, format, a...)
}

// section reads a section. Variables come in the order of their numbers.
func (s *system) section(part section, counts map[string]count) error {
	switch name := strings.ToLower(part.name); {
	case name == "system":
		return s.settings(part, counts)
	case name == "rules":
		return readRules(s, part)
	case name == "input"+strconv.Itoa(len(s.inputs)+1):
		v, err := readVariable(s, part, "Input")
		s.inputs = append(s.inputs, v)
		return err
	case name == "output"+strconv.Itoa(len(s.outputs)+1):
		v, err := readVariable(s, part, "Output")
		s.outputs = append(s.outputs, v)
		return err
	}
	return s.fault(part.line, "unexpected section [%s]: want [System], [Input1], [Input2] and so on, [Output1] and so on, [Rules]", escape.Text(part.name))
}

// andMethods has the t-norm of each AndMethod that is read.
var andMethods = map[string]string{"prod": "product", "algebraic_product": "product", "min": "minimum"}

// settings reads the section System. OrMethod, ImpMethod and AggMethod have no effect on rules that are
// read.
func (s *system) settings(part section, counts map[string]count) error {
	for _, e := range part.entries {
		value, key := unquote(e.value), e.key
		switch strings.ToLower(key) {
		case "name", "version", "ormethod", "impmethod", "aggmethod", "numinputmfs", "numoutputmfs":
		case "type":
			if !strings.EqualFold(value, "sugeno") {
				return s.fault(e.line, "Type=%s: the rules of a model say formulas, as those of a Sugeno system of type 1 do: convert the system, as mam2sug and convertToSugeno of MATLAB do", escape.Quote(value))
			}
		case "andmethod":
			if s.and = andMethods[strings.ToLower(value)]; s.and == "" {
				return s.fault(e.line, "AndMethod=%s: want prod or min", escape.Quote(value))
			}
		case "defuzzmethod":
			if !strings.EqualFold(value, "wtaver") {
				return s.fault(e.line, "DefuzzMethod=%s: a model predicts the mean of its rules: want wtaver", escape.Quote(value))
			}
		case "numinputs", "numoutputs", "numrules":
			n, err := strconv.Atoi(value)
			if err != nil {
				return s.fault(e.line, "%s=%s: want a whole number", escape.Text(key), escape.Quote(value))
			}
			counts["Num"+strings.ToUpper(key[3:4])+strings.ToLower(key[4:])] = count{n, e.line}
		case "typereductionmethod", "typeredmethod":
			return s.fault(e.line, "%s: a system of type 2: want one of type 1", escape.Text(key))
		default:
			return s.unknown(e, "Name", "Type", "Version", "NumInputs", "NumOutputs", "NumRules", "AndMethod", "OrMethod", "ImpMethod", "AggMethod", "DefuzzMethod")
		}
	}
	if s.and == "" {
		return s.fault(part.line, "[System] has no AndMethod: want prod or min")
	}
	return nil
}

// unknown is the error of an entry without a known key.
func (s *system) unknown(e entry, known ...string) error {
	if e.key == "" {
		return s.fault(e.line, "%s: want key=value", escape.Quote(e.value))
	}
	hint := ""
	if closest := suggest.Closest(e.key, known); closest != "" {
		hint = "; did you mean " + closest + "?"
	}
	return s.fault(e.line, "unknown key %s%s", escape.Quote(e.key), hint)
}
