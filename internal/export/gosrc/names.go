package gosrc

import (
	"strconv"
	"strings"
	"unicode"
)

// exported returns text as an exported name of letters and digits, each word with a capital letter.
func exported(text string) string {
	var b strings.Builder
	start := true
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			start = true
			continue
		}
		if start {
			r = unicode.ToUpper(r)
		}
		b.WriteRune(r)
		start = false
	}
	name := b.String()
	if !capital(name) {
		return "X" + name
	}
	return name
}

// capital reports whether a name begins with a capital letter.
func capital(name string) bool {
	for _, r := range name {
		return unicode.IsUpper(r)
	}
	return false
}

// fields returns exported names of texts that differ.
func fields(texts []string) []string {
	var names []string
	taken := map[string]bool{}
	for _, text := range texts {
		base := exported(text)
		one := base
		for k := 2; taken[one]; k++ {
			one = base + "_" + strconv.Itoa(k)
		}
		taken[one] = true
		names = append(names, one)
	}
	return names
}
