package byhand

import (
	"fmt"
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a part of a condition or of a formula: a number, a name, or an operator.
type token struct {
	kind   tokenKind
	text   string // of a name without backticks
	number *big.Rat
	at     int // byte offset
}

type tokenKind int

const (
	endToken tokenKind = iota
	numberToken
	nameToken
	quotedToken // a name in backticks
	operatorToken
)

// fault is a fault in a text of one line.
type fault struct {
	at      int // byte offset
	message string
}

func faultf(at int, format string, a ...any) *fault { return &fault{at, fmt.Sprintf(format, a...)} }

// tokens splits a text. Names are words of letters, digits and _ . = #, or any text in backticks, in
// which two backticks are one. The last token is an endToken.
func tokens(text string) ([]token, *fault) {
	var all []token
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsSpace(r):
			i += size
		case strings.ContainsRune("+-*()", r):
			all = append(all, token{kind: operatorToken, text: string(r), at: i})
			i += size
		case r >= '0' && r <= '9' || r == '.':
			n := numberLength(text[i:])
			v, ok := ParseDecimal(text[i : i+n])
			if !ok {
				return nil, faultf(i, "%q is not a number", text[i:i+max(n, 1)])
			}
			all = append(all, token{kind: numberToken, text: text[i : i+n], number: v, at: i})
			i += n
		case r == '`':
			name, n := quoted(text[i:])
			if n == 0 {
				return nil, faultf(i, "the backtick is not closed: write `name`")
			}
			all = append(all, token{kind: quotedToken, text: name, at: i})
			i += n
		case inName(r):
			n := strings.IndexFunc(text[i:], func(r rune) bool { return !inName(r) })
			if n < 0 {
				n = len(text) - i
			}
			all = append(all, token{kind: nameToken, text: text[i : i+n], at: i})
			i += n
		default:
			return nil, faultf(i, "unexpected %q: write names with other characters than letters, digits, _ . = and # in backticks, such as `wind, m/s`", r)
		}
	}
	return append(all, token{at: len(text)}), nil
}

func inName(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("_.=#", r)
}

// numberLength returns the length of the decimal number that a text begins with.
func numberLength(text string) int {
	digits := func(i int) int {
		for i < len(text) && (text[i] >= '0' && text[i] <= '9' || text[i] == '.') {
			i++
		}
		return i
	}
	n := digits(0)
	if n < len(text) && (text[n] == 'e' || text[n] == 'E') {
		from := n + 1
		if from < len(text) && (text[from] == '+' || text[from] == '-') {
			from++
		}
		if end := digits(from); end > from {
			return end
		}
	}
	return n
}

// quoted returns the name in backticks that a text begins with, and its length with them; zero if
// they are not closed.
func quoted(text string) (string, int) {
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		if text[i] != '`' {
			b.WriteByte(text[i])
			continue
		}
		if i+1 == len(text) || text[i+1] != '`' {
			return b.String(), i + 1
		}
		b.WriteByte('`')
		i++
	}
	return "", 0
}

// keywords are the words of conditions, which are names in backticks only.
var keywords = map[string]bool{"is": true, "and": true, "always": true}

// quoteName returns a name as it is written in conditions and formulas: in backticks if need be.
func quoteName(name string) string {
	plain := name != "" && !keywords[name] && !strings.ContainsFunc(name, func(r rune) bool { return !inName(r) })
	if r, _ := utf8.DecodeRuneInString(name); plain && r != '.' && !unicode.IsDigit(r) {
		return name
	}
	return "`" + strings.ReplaceAll(name, "`", "``") + "`"
}

// joined returns the name that tokens[i:] begin with, such as wind speed, and the index behind it.
func joined(all []token, i int) (string, int) {
	if all[i].kind == quotedToken {
		return all[i].text, i + 1
	}
	var words []string
	for ; all[i].kind == nameToken && !keywords[all[i].text] || len(words) > 0 && all[i].kind == numberToken; i++ {
		words = append(words, all[i].text)
	}
	return strings.Join(words, " "), i
}
