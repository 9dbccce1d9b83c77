package c

import (
	_ "embed" // helpers.c.tmpl
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/export"
)

// dialect is how numbers and names are written. Code is composed with the prefix tsk and numbers of
// 64 bits; convert gives it those of the options. The macro TSK_MAIN keeps its name.
type dialect struct {
	float   bool
	convert *strings.Replacer
	beyond  float64 // a number that has no 32 bits; 0: none
}

// suffixed are the functions that have another name for 32 bits.
var suffixed = []string{"log1p(", "expm1(", "fabs(", "exp(", "log(", "floor(", "sqrt(", "tanh(", "cos("}

func newDialect(o export.Options) *dialect {
	pairs := []string{"TSK_MAIN", "TSK_MAIN", "tsk_", o.Name + "_", "TSK_", strings.ToUpper(o.Name) + "_"}
	if o.Float {
		pairs = append(pairs, "double", "float", "strtod", "strtof", "%.17g", "%.9g")
		for _, f := range suffixed {
			pairs = append(pairs, f, strings.TrimSuffix(f, "(")+"f(")
		}
	}
	return &dialect{float: o.Float, convert: strings.NewReplacer(pairs...)}
}

// bytes is the size of a number.
func (d *dialect) bytes() int {
	if d.float {
		return 4
	}
	return 8
}

// round returns v as a number of the dialect. With 32 bits, a number that is not zero does not
// become zero: it may be a divisor.
func (d *dialect) round(v float64) float64 {
	if !d.float || math.IsInf(v, 0) {
		return v
	}
	single := float64(float32(v))
	const smallest = 0x1p-126
	switch {
	case v != 0 && math.Abs(single) < smallest:
		return math.Copysign(smallest, v)
	case math.IsInf(single, 0) && d.beyond == 0:
		d.beyond = v
	}
	return single
}

// hex writes a number of a table to the bit.
func (d *dialect) hex(v float64) string {
	v = d.round(v)
	switch {
	case math.IsInf(v, 0):
		return strings.TrimSuffix(fmt.Sprint(math.Copysign(1, v)), "1") + "INFINITY"
	case v == 0:
		return "0"
	case d.float:
		return strconv.FormatFloat(v, 'x', -1, 32) + "f"
	}
	return strconv.FormatFloat(v, 'x', -1, 64)
}

// constant writes a number of the code in decimal.
func (d *dialect) constant(v float64) string {
	v = d.round(v)
	text := export.Decimal(v)
	if d.float {
		if text = strconv.FormatFloat(v, 'g', -1, 32); !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		text += "f"
	}
	if v < 0 {
		return "(" + text + ")"
	}
	return text
}

// formula writes the body of a function that returns the value of a program.
func (d *dialect) formula(p *export.Program, arguments ...string) string {
	syntax := export.Syntax{Let: "const double %s = %s;", Number: d.constant, Ops: map[export.Op]string{
		export.Min: "tsk_min(%s, %s)", export.Max: "tsk_max(%s, %s)", export.Abs: "fabs(%s)", export.Relu: "tsk_relu(%s)",
		export.Sigmoid: "tsk_sigmoid(%s)",
	}}
	lines, result := syntax.Body(p, arguments, "    ")
	return lines + "    return " + result + ";\n"
}

// singleRelu replaces tsk_relu with 32 bits: where the two ends of a leg round to one number, its
// slope is 0/0 there, which counts as zero.
const singleRelu = `/* The greater of x and zero; zero if x is NaN, which is 0/0 where the ends of a steep leg round to one number. */
static inline double tsk_relu(double x)
{
    return x > 0 ? x : 0;
}
`

//go:embed helpers.c.tmpl
var helperText string

// called matches the name of a function where it is defined.
var called = regexp.MustCompile(`tsk_\w+\(`)

// helpers returns the functions of helpers.c.tmpl, which stand between empty lines, that code calls.
func (d *dialect) helpers(code string) string {
	var b strings.Builder
	for text := range strings.SplitSeq(strings.TrimSpace(helperText), "\n\n") {
		name := called.FindString(text)
		if !strings.Contains(code, d.convert.Replace(name)) {
			continue
		}
		if text += "\n"; name == "tsk_relu(" && d.float {
			text = singleRelu
		}
		b.WriteString(d.convert.Replace(text) + "\n")
	}
	return b.String()
}

// inComment keeps text from ending a comment, and from beginning another or a trigraph.
var inComment = strings.NewReplacer("*/", "* /", "/*", "/ *", "??", "? ?")

// comment escapes text of others for a comment.
func comment(text string) string {
	text = escape.Text(text)
	for { // "?*//" has become "?* //": what is replaced may make another
		safe := inComment.Replace(text)
		if safe == text {
			return text
		}
		text = safe
	}
}

// literal writes text as a string of ASCII characters.
func literal(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(text) {
		switch ch := text[i]; {
		case ch == '"' || ch == '\\' || ch == '?': // a question mark may begin a trigraph
			b.WriteByte('\\')
			b.WriteByte(ch)
		case ch < ' ' || ch >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, ch)
		default:
			b.WriteByte(ch)
		}
	}
	b.WriteByte('"')
	return b.String()
}
