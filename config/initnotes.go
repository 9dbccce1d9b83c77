package config

import (
	"fmt"

	"github.com/tskgraph/tskgraph/internal/escape"
)

// findings is what was found of columns. Those of which the same is found are named together.
type findings []finding

type finding struct {
	names []string
	one   string // what is said after the name of a single column
	many  string // what is said of several; it tells findings apart
}

// add adds what was found of a column.
func (f *findings) add(name, one, many string) {
	for i := range *f {
		if (*f)[i].many == many {
			(*f)[i].names = append((*f)[i].names, name)
			return
		}
	}
	*f = append(*f, finding{[]string{name}, one, many})
}

// sayFound says what was found of columns, in notes and in the configuration.
func (s *starter) sayFound() {
	for _, f := range s.found {
		if len(f.names) == 1 {
			s.note("%q%s", f.names[0], f.one)
		} else {
			s.note("%d columns %s: %s", len(f.names), f.many, escape.List(f.names))
		}
	}
	for _, f := range s.ignored {
		why := f.names[0] + f.one
		if len(f.names) > 1 {
			why = fmt.Sprintf("%s: %s", f.many, escape.List(f.names))
		}
		s.remark("data.ignore", remark{set: true}, why)
	}
}
