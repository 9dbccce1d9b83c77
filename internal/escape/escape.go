// Package escape makes names and cells of tables, which strangers may have
// written, harmless where people read them. HTML is left to html/template, which
// leaves to [Text] what it does not escape.
package escape

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Text writes as escapes (\x1b, \u202e) what would act on a terminal, or would not
// be seen: control characters, marks that turn the direction of writing, spaces
// other than the usual one, bytes that are not UTF-8. All else stays as it is.
func Text(s string) string {
	if strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if !hidden(r) {
			b.WriteString(s[:n])
		} else {
			quoted := strconv.Quote(s[:n])
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		s = s[n:]
	}
	return b.String()
}

// hidden holds for bytes that are not UTF-8, too, which are read as U+FFFD.
func hidden(r rune) bool { return r == utf8.RuneError || !strconv.IsPrint(r) }

// longest is the number of characters that Quote shows.
const longest = 40

// Quote quotes s for a message: escaped as by Text, and cut when it is long.
func Quote(s string) string {
	if utf8.RuneCountInString(s) <= longest {
		return strconv.Quote(s)
	}
	n := 0
	for i := range s {
		if n++; n > longest {
			return strconv.Quote(s[:i]) + "..."
		}
	}
	return strconv.Quote(s)
}

// listed is the number of names that List shows.
const listed = 12

// List joins quoted names for a message, the first twelve of them.
func List(names []string) string {
	quoted := make([]string, 0, listed)
	for _, name := range names[:min(len(names), listed)] {
		quoted = append(quoted, Quote(name))
	}
	text := strings.Join(quoted, ", ")
	if len(names) > listed {
		text += fmt.Sprintf(", ... (%d in all)", len(names))
	}
	return text
}

// active are the characters that mean something in Markdown, within a line.
var active = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `~`, `\~`, `$`, `\$`, `|`, `\|`, `&`, `\&`,
	`< `, `< `, `<`, `\<`, // it begins no tag before a blank
	`](`, `]\(`, // what makes a link
)

// Markdown makes s text in Markdown, also in the cell of a table: escaped as by
// Text, without tags, links and emphasis.
func Markdown(s string) string { return active.Replace(Text(s)) }

// JSON is Text for an indented JSON document: within its strings such characters
// are written \u202e, which means the same. encoding/json does so for some of them.
func JSON(document []byte) []byte {
	escaped := make([]byte, 0, len(document))
	for _, r := range string(document) {
		if r == '\n' || strconv.IsPrint(r) {
			escaped = utf8.AppendRune(escaped, r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			escaped = fmt.Appendf(escaped, `\u%04x`, unit)
		}
	}
	return escaped
}
