package main

import (
	"strings"
	"unicode"
)

// commandLine returns a command as it is typed in a shell.
func commandLine(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		if quoted[i] = w; !plainWord(w) {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// plainWord reports whether every shell reads a word as it stands: letters and digits of any language, and the few signs
// that bash, zsh, fish and PowerShell take literally.
func plainWord(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.In(r, unicode.Letter, unicode.Mark, unicode.Digit) && !strings.ContainsRune("-_./,:=+@%", r)
	})
}
