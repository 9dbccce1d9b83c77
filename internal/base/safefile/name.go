package safefile

import (
	"cmp"
	"strings"
	"unicode"
)

// maxName is the length of a name, in bytes.
const maxName = 80

// Name returns text as a file name, or part of one, of at most 80 bytes: it replaces every character but letters and
// digits of any language, dots, dashes and underscores by an underscore, and trims leading punctuation. If nothing is
// left it returns "data".
func Name(text string) string {
	safe := strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Letter, unicode.Digit) || strings.ContainsRune("-._", r) {
			return r
		}
		return '_'
	}, text)
	safe = strings.ToValidUTF8(safe[:min(len(safe), maxName)], "")
	return cmp.Or(strings.TrimLeft(safe, ".-_"), "data")
}
