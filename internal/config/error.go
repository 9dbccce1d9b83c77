package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Error is a fault of the configuration.
type Error struct {
	Where   string // file:line:column, the environment variable, or --set; empty if nothing was set
	Key     string // the key, e.g. "train.batch"; empty if the fault is not of one key
	Message string

	line, column int // in the file
}

func (e *Error) Error() string {
	var parts []string
	for _, s := range []string{e.Where, printable(e.Key), e.Message} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, ": ")
}

// origin is where nodes come from: a file, or the name of another source.
type origin struct {
	file string
	name string
}

// fault returns a fault of a node of this origin.
func (o origin) fault(n *yaml.Node, of, message string) *Error {
	return o.at(n.Line, n.Column, of, message)
}

// at returns a fault at a place, which matters in a file only.
func (o origin) at(line, column int, of, message string) *Error {
	if o.file == "" {
		return &Error{Where: o.name, Key: of, Message: message}
	}
	return &Error{fmt.Sprintf("%s:%d:%d", o.file, line, column), of, message, line, column}
}

// maxFaults is how many faults are reported.
const maxFaults = 100

// join returns the faults as one error, those of the file first, in its order.
func join(faults []*Error) error {
	place := func(e *Error) int {
		if e.line == 0 {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(faults, func(a, b *Error) int {
		if place(a) != place(b) || place(a) == 1 {
			return place(a) - place(b)
		}
		if a.line != b.line {
			return a.line - b.line
		}
		return a.column - b.column
	})
	if more := len(faults) - maxFaults; more > 0 {
		faults = append(faults[:maxFaults], &Error{Message: fmt.Sprintf("and %d more faults", more)})
	}
	errs := make([]error, len(faults))
	for i, f := range faults {
		errs[i] = f
	}
	return errors.Join(errs...)
}

// describe shows a node in an error.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	switch {
	case n.Tag == "!!null":
		return "nothing"
	case n.Tag == "!!str":
		return strconv.Quote(shorten(n.Value))
	}
	return printable(n.Value)
}

// printable shows a name or a value as it is, if it is short and a terminal shows it.
func printable(s string) string {
	s = shorten(s)
	if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(s)
	}
	return s
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "..."
	}
	return s
}

// didYouMean is the end of a message about a wrong name.
func didYouMean(closest string) string {
	if closest == "" {
		return ""
	}
	return "; did you mean " + closest + "?"
}
