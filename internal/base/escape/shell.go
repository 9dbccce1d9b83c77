package escape

import (
	"strings"
	"unicode"
)

// ShellLine returns a command quoted for a shell.
func ShellLine(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		if quoted[i] = w; !ShellPlain(w) {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// ShellPlain reports whether a word needs no quotes in any shell: it has only letters and digits of any language, and
// characters that bash, zsh, fish and PowerShell take literally.
func ShellPlain(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.In(r, unicode.Letter, unicode.Mark, unicode.Digit) && !strings.ContainsRune("-_./,:=+@%", r)
	})
}
