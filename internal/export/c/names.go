package c

import (
	"strconv"
	"strings"
)

// longest is the largest number of characters of a name in an identifier: C99 distinguishes 63.
const longest = 32

// identifier returns text in capital letters, digits and single underscores; "" if it has none.
func identifier(text string) string {
	var b strings.Builder
	for _, r := range strings.ToUpper(text) {
		switch {
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	name := strings.Trim(b.String(), "_")
	return strings.Trim(name[:min(len(name), longest)], "_")
}

// identifiers returns identifiers of texts that differ, after a prefix. A text without letters and
// digits has its number, from 1.
func identifiers(prefix string, texts []string) []string {
	var names []string
	taken := map[string]bool{}
	for i, text := range texts {
		base := identifier(text)
		if base == "" {
			base = strconv.Itoa(i + 1)
		}
		one := base
		for k := 2; taken[one]; k++ {
			one = base + "_" + strconv.Itoa(k)
		}
		taken[one] = true
		names = append(names, prefix+one)
	}
	return names
}
