// Package escape makes untrusted text, such as names and cells of tables, safe to
// display. html/template escapes HTML; [Text] escapes what it does not.
package escape

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Text escapes (\x1b, \u202e) characters that control a terminal or are invisible:
// control characters, marks of writing direction, spaces other than U+0020, and bytes
// that are not UTF-8. It keeps all others.
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

// hidden reports whether Text escapes r. Bytes that are not UTF-8 decode as U+FFFD.
func hidden(r rune) bool { return r == utf8.RuneError || !strconv.IsPrint(r) }

// longest is the largest number of characters that Quote shows.
const longest = 40

// Quote quotes s for a message, escaped as by Text and truncated after 40 characters.
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

// listed is the largest number of names that List shows.
const listed = 12

// List joins at most the first twelve names, quoted, for a message.
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

// active escapes the characters with a meaning in Markdown within a line.
var active = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `~`, `\~`, `$`, `\$`, `|`, `\|`, `&`, `\&`,
	`< `, `< `, `<`, `\<`, // does not begin a tag before a space
	`](`, `]\(`, // a link
)

// Markdown returns s as plain text in Markdown, also for the cell of a table: escaped as
// by Text, and without the effect of tags, links and emphasis.
func Markdown(s string) string { return active.Replace(Text(s)) }

// MarkdownTable returns a table in Markdown, with its cells escaped as by Markdown; those of several lines keep them. The columns for which
// left holds are aligned to the left, the others to the right.
func MarkdownTable(head []string, rows [][]string, left func(column int) bool) string {
	var b strings.Builder
	row := func(cells []string) {
		for _, cell := range cells {
			lines := strings.Split(cell, "\n")
			for i, line := range lines {
				lines[i] = Markdown(strings.Join(strings.Fields(line), " "))
			}
			b.WriteString("| " + strings.Join(lines, "<br>") + " ")
		}
		b.WriteString("|\n")
	}
	row(head)
	for i := range head {
		rule := "| ---: "
		if left(i) {
			rule = "| --- "
		}
		b.WriteString(rule)
	}
	b.WriteString("|\n")
	for _, cells := range rows {
		row(cells)
	}
	return b.String()
}

// JSON is Text for an indented JSON document: it writes such characters within strings
// as \u202e, with the same meaning. encoding/json does so for some of them only.
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

// PrintJSON prints a value as indented JSON that a terminal may show, see [JSON].
func PrintJSON(w io.Writer, v any) error {
	out, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", JSON(out))
	return err
}

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
