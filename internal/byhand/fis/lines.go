package fis

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/tskgraph/tskgraph/internal/byhand"
)

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
