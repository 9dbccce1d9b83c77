package fis

import (
	"slices"
	"strconv"
	"strings"
)

// identifier returns a name of ASCII letters, digits and underscores, a letter first: other
// characters become underscores, several in a row one.
func identifier(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	name := strings.Trim(b.String(), "_")
	if name == "" || name[0] <= '9' {
		name = "x" + name
	}
	return name
}

// reserved are the words of fuzzylite's rules.
var reserved = []string{"if", "then", "is", "and", "or", "with", "any", "not", "very", "somewhat", "extremely", "seldom"}

// names gives out identifiers that differ, also from another in upper and lower case.
type names map[string]bool

// of returns an identifier for s that was not given out before.
func (n names) of(s string) string {
	base := identifier(s)
	name := base
	for i := 2; n[strings.ToLower(name)] || slices.Contains(reserved, strings.ToLower(name)); i++ {
		name = base + "_" + strconv.Itoa(i)
	}
	n[strings.ToLower(name)] = true
	return name
}
