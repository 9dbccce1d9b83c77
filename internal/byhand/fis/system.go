package fis

import (
	"encoding/json"
	"io"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/registry"
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

// wrong is a fault of a function of a variable.
func (s *system) wrong(v *variable, f *function, format string, a ...any) error {
	return s.fault(f.line, "%s of %s"+format, append([]any{escape.Quote(f.name), escape.Quote(v.name)}, a...)...)
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
	return s.fault(part.line, "unexpected section [%s]: want [System], [Input1], [Input2] and so on, [Output1] and so on, [Rules]",
		escape.Text(part.name))
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
				return s.fault(e.line,
					"Type=%s: the rules of a model say formulas, as those of a Sugeno system of type 1 do: convert the system, as mam2sug and "+
						"convertToSugeno of MATLAB do", escape.Quote(value))
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
			return s.unknown(e, "Name", "Type", "Version", "NumInputs", "NumOutputs", "NumRules", "AndMethod", "OrMethod", "ImpMethod",
				"AggMethod", "DefuzzMethod")
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
	return s.fault(e.line, "unknown key %s%s", escape.Quote(e.key), registry.Hint(e.key, known))
}

// section is a section of a file: its entries, or the lines of its rules.
type section struct {
	name    string // such as Input1
	line    int
	entries []entry
	column  *Column // of the comment above it; nil: none
}

// entry is a line "key=value", or a line without a key.
type entry struct {
	key, value string
	line       int
}

// ColumnComment begins a comment that says, as JSON, which column an input or output is.
const ColumnComment = "% column: "

// Column is the column of an input or output, whose name in a file may be another.
type Column struct {
	Name    string   `json:"name"`
	Unit    string   `json:"unit,omitempty"`
	Levels  []string `json:"levels,omitempty"`
	Ordered bool     `json:"ordered,omitempty"` // the input is the position of the level, from 1
	Level   string   `json:"level,omitempty"`   // the input is one for this level, else zero
	Mean    float64  `json:"mean,omitempty"`    // of a column of numbers, in the training part
	SD      float64  `json:"sd,omitempty"`      // likewise; zero: not stated
}

// feature returns the name of the input: that of the column or, for a level, such as day=weekend.
func (c *Column) feature() string {
	if len(c.Levels) > 0 && !c.Ordered {
		return c.Name + "=" + c.Level
	}
	return c.Name
}

// sections divides the text of a file. Comments begin with %, # or //. A text that is not UTF-8 is
// Latin-1, as older versions of MATLAB write.
func sections(text, file string) ([]section, error) {
	if !utf8.ValidString(text) {
		runes := make([]rune, len(text))
		for i := range len(text) {
			runes[i] = rune(text[i])
		}
		text = string(runes)
	}
	var all []section
	var column *Column
	for i, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		line, number := strings.TrimSpace(line), i+1
		switch {
		case strings.HasPrefix(line, ColumnComment):
			column = &Column{}
			if err := json.Unmarshal([]byte(line[len(ColumnComment):]), column); err != nil || column.Name == "" {
				return nil, byhand.Errorf(file, number, 0, "not the column of an input or output: want a JSON object with its name")
			}
		case line == "", strings.HasPrefix(line, "%"), strings.HasPrefix(line, "#"), strings.HasPrefix(line, "//"):
		case line[0] == '[' && line[len(line)-1] == ']':
			all = append(all, section{name: strings.TrimSpace(line[1 : len(line)-1]), line: number, column: column})
			column = nil
		case len(all) == 0:
			return nil, byhand.Errorf(file, number, 0, "not a .fis file: want [System] first")
		default:
			last := &all[len(all)-1]
			e := entry{value: line, line: number}
			if key, value, ok := strings.Cut(line, "="); ok {
				e.key, e.value = strings.TrimSpace(key), strings.TrimSpace(value)
			}
			last.entries = append(last.entries, e)
		}
	}
	return all, nil
}
