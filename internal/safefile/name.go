package safefile

import (
	"cmp"
	"strings"
	"unicode"
)

// maxName is the length of a name, in bytes.
const maxName = 80

// Name makes a text the name of a file, or a part of one: it keeps letters and digits of any language, dots, dashes and
// underscores, at most 80 bytes, a letter or digit first. Where nothing is left it returns "data".
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
