package byhand

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// linear is a linear formula while it is parsed: a constant, and products of numbers and columns
// in the order of their appearance.
type linear struct {
	constant *big.Rat
	slopes   []Slope
}

// parser reads a formula such as 14 - 0.9*outside + 2*(wind - 1): numbers, names, + - * and
// parentheses, where at most one factor of a product has a name. The * between a number and a name
// may be left out.
type parser struct {
	tokens []token
	next   int
	depth  int
}

// maxNesting is the largest depth of parentheses.
const maxNesting = 50

// parseFormula parses a linear formula.
func parseFormula(text string) (intercept *big.Rat, slopes []Slope, err *fault) {
	all, err := tokens(text)
	if err != nil {
		return nil, nil, err
	}
	p := &parser{tokens: all}
	l, err := p.sum()
	if err != nil {
		return nil, nil, err
	}
	if t := p.peek(); t.kind != endToken {
		return nil, nil, faultf(t.at, "unexpected %q: want + or -, or the end", t.text)
	}
	return l.constant, slices.DeleteFunc(l.slopes, func(s Slope) bool { return s.Value.Sign() == 0 }), nil
}

func (p *parser) peek() token { return p.tokens[p.next] }

// take consumes the operator if it is next.
func (p *parser) take(operator string) bool {
	if t := p.peek(); t.kind != operatorToken || t.text != operator {
		return false
	}
	p.next++
	return true
}

// sum parses terms with + and -.
func (p *parser) sum() (linear, *fault) {
	total := linear{constant: new(big.Rat)}
	for sign := int64(1); ; {
		for {
			if p.take("-") {
				sign = -sign
			} else if !p.take("+") {
				break
			}
		}
		one, err := p.product()
		if err != nil {
			return total, err
		}
		total.add(one, new(big.Rat).SetInt64(sign))
		if t := p.peek(); t.kind != operatorToken || t.text != "+" && t.text != "-" {
			return total, nil
		}
		sign = 1
	}
}

// product parses factors with *, or a number and a name without it.
func (p *parser) product() (linear, *fault) {
	total, err := p.factor()
	if err != nil {
		return total, err
	}
	for {
		t := p.peek()
		named := t.kind == nameToken || t.kind == quotedToken
		if !p.take("*") && !(named && p.tokens[p.next-1].kind == numberToken) {
			return total, nil
		}
		one, err := p.signed()
		if err != nil {
			return total, err
		}
		if total.slopes != nil && one.slopes != nil {
			return total, faultf(t.at, "a product of columns: a THEN part is linear, so that one factor must be a number")
		}
		if total.slopes != nil {
			total, one = one, total
		}
		scale := total.constant
		total = linear{constant: new(big.Rat)}
		total.add(one, scale)
	}
}

// signed parses a factor behind *, which may have a sign.
func (p *parser) signed() (linear, *fault) {
	if !p.take("-") {
		return p.factor()
	}
	one, err := p.factor()
	negative := linear{constant: new(big.Rat)}
	if err == nil {
		negative.add(one, big.NewRat(-1, 1))
	}
	return negative, err
}

// factor parses a number, a name, or a sum in parentheses.
func (p *parser) factor() (linear, *fault) {
	l := linear{constant: new(big.Rat)}
	t := p.peek()
	switch {
	case t.kind == numberToken:
		p.next++
		l.constant.Set(t.number)
	case t.kind == nameToken || t.kind == quotedToken:
		name, next := joined(p.tokens, p.next)
		if next == p.next {
			return l, faultf(t.at, "%q is a word of conditions: write a column of this name in backticks", t.text)
		}
		p.next = next
		l.slopes = []Slope{{name, big.NewRat(1, 1)}}
	case p.take("("):
		if p.depth++; p.depth > maxNesting {
			return l, faultf(t.at, "more than %d parentheses within one another", maxNesting)
		}
		inner, err := p.sum()
		if err != nil {
			return l, err
		}
		if p.depth--; !p.take(")") {
			return l, faultf(p.peek().at, "a closing parenthesis is missing")
		}
		return inner, nil
	case t.kind == endToken:
		return l, faultf(t.at, "the formula ends too early: want a number or a column")
	default:
		return l, faultf(t.at, "unexpected %q: want a number or a column", t.text)
	}
	return l, nil
}

// add adds a multiple of another formula.
func (l *linear) add(other linear, scale *big.Rat) {
	l.constant.Add(l.constant, new(big.Rat).Mul(other.constant, scale))
	for _, s := range other.slopes {
		v := new(big.Rat).Mul(s.Value, scale)
		if i := slices.IndexFunc(l.slopes, func(o Slope) bool { return o.Column == s.Column }); i >= 0 {
			l.slopes[i].Value = v.Add(v, l.slopes[i].Value)
		} else {
			l.slopes = append(l.slopes, Slope{s.Column, v})
		}
	}
}

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

// lexeme matches what a text begins with: white space, an operator, a number, a name in backticks, or a name.
var lexeme = regexp.MustCompile("^(?:[\\s\\v\\x{85}\\pZ]+|[-+*()]|([0-9.]+(?:[eE][-+]?[0-9.]+)?)|`((?:[^`]|``)*)`|" +
	"([\\pL\\p{Nd}\\pM_.=#]+))")

// tokens splits a text. Names are words of letters, digits and _ . = #, or any text in backticks, in
// which two backticks are one. The last token is an endToken.
func tokens(text string) ([]token, *fault) {
	var all []token
	for i := 0; i < len(text); {
		m := lexeme.FindStringSubmatch(text[i:])
		if m == nil {
			if text[i] == '`' {
				return nil, faultf(i, "the backtick is not closed: write `name`")
			}
			r, _ := utf8.DecodeRuneInString(text[i:])
			return nil, faultf(i, "unexpected %q: write names with other characters than letters, digits, _ . = and # in backticks, such as "+
				"`wind, m/s`", r)
		}
		t := token{text: m[0], at: i}
		switch {
		case m[1] != "":
			v, ok := ParseDecimal(m[1])
			if !ok {
				return nil, faultf(i, "%q is not a number", m[1])
			}
			t.kind, t.number = numberToken, v
		case m[0][0] == '`':
			t.kind, t.text = quotedToken, strings.ReplaceAll(m[2], "``", "`")
		case m[3] != "":
			t.kind = nameToken
		case strings.Contains("+-*()", m[0]):
			t.kind = operatorToken
		}
		if i += len(m[0]); t.kind != endToken { // white space
			all = append(all, t)
		}
	}
	return append(all, token{at: len(text)}), nil
}

func inName(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("_.=#", r)
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
