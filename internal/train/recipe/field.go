package recipe

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/membership"
)

// Field is a value of a recipe, as a [Key] finds it. The table, model files, checkpoints, JSON, settings
// and the configuration read, set, print and check values by this interface, whatever their types.
type Field interface {
	Get() any                // the value
	Set(value any) error     // to a value as Get returns it, or by its [Text]: 1 for 1.0, the name of a shape for the shape
	Text() string            // in model files and checkpoints
	Parse(text string) error // sets what Text writes
	json.Marshaler
	json.Unmarshaler

	fault(k Key, r *Recipe) string // what is wrong with the value, if anything
}

// Word returns the field of a text.
func Word(p *string) Field { return at(p, &words) }

// Whole returns the field of a whole number.
func Whole(p *int) Field { return at(p, &wholes) }

// Seed returns the field of a seed.
func Seed(p *uint64) Field { return at(p, &seeds) }

// Real returns the field of a number.
func Real(p *float64) Field { return at(p, &reals) }

// Flag returns the field of a truth.
func Flag(p *bool) Field { return at(p, &flags) }

func at[T any](p *T, f *form[T]) Field {
	return field[T]{f, func() T { return *p }, func(v T) { *p = v }}
}

// field is a value of type T.
type field[T any] struct {
	*form[T]
	get func() T
	set func(T)
}

// form describes values of type T.
type form[T any] struct {
	text    func(T) string
	parse   func(string) (T, error)
	example string // of a text

	plain func(T) any             // for JSON; nil: the text
	read  func([]byte) (T, error) // what plain returns, from JSON

	numbers func(T) []float64 // that have the limits of a key; nil: none
	each    string            // "each " of a list of them
}

func (f field[T]) Get() any     { return f.get() }
func (f field[T]) Text() string { return f.text(f.get()) }

func (f field[T]) Set(value any) error {
	if v, ok := value.(T); ok {
		f.set(v)
		return nil
	}
	return f.Parse(Text(value))
}

func (f field[T]) Parse(text string) error {
	v, err := f.parse(text)
	if errors.As(err, new(*strconv.NumError)) {
		return fmt.Errorf("want a value such as %s", f.example)
	}
	if err == nil {
		f.set(v)
	}
	return err
}

// MarshalJSON writes the value as JSON has it, or else its text.
func (f field[T]) MarshalJSON() ([]byte, error) {
	if f.plain != nil {
		return json.Marshal(f.plain(f.get()))
	}
	return json.Marshal(f.Text())
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f field[T]) UnmarshalJSON(text []byte) error {
	if f.read == nil {
		word, err := fromJSON[string](text)
		if err != nil {
			return err
		}
		return f.Parse(word)
	}
	v, err := f.read(text)
	if err == nil {
		f.set(v)
	}
	return err
}

func (f field[T]) fault(k Key, r *Recipe) string {
	if text := f.Text(); k.Choices != nil {
		if text == "" || slices.Contains(k.Choices, text) || k.OrModel && (IsPath(text) || text == SavedModel) {
			return ""
		}
		return fmt.Sprintf("%q: choose %s", text, OneOf(k.Choices, k.OrModel))
	}
	if f.numbers == nil {
		return ""
	}
	for _, v := range f.numbers(f.get()) {
		switch {
		case k.Limits.Has(v) || v == 0 && k.ZeroWhere != nil && k.ZeroWhere(r):
		case f.each != "":
			return fmt.Sprintf("%s: %smust be %v", f.Text(), f.each, k.Limits)
		default:
			return fmt.Sprintf("%v: must be %v", v, k.Limits)
		}
	}
	return ""
}

// The forms of values.
var (
	words  = native(form[string]{text: func(s string) string { return s }, parse: func(s string) (string, error) { return s, nil }})
	wholes = native(form[int]{text: strconv.Itoa, parse: strconv.Atoi, example: "500",
		numbers: func(v int) []float64 { return []float64{float64(v)} }})
	seeds = native(form[uint64]{
		text:  func(v uint64) string { return strconv.FormatUint(v, 10) },
		parse: func(s string) (uint64, error) { return strconv.ParseUint(s, 10, 64) }, example: "500",
	})
	reals = native(form[float64]{text: number, parse: parseNumber, example: "0.5",
		numbers: func(v float64) []float64 { return []float64{v} }})
	flags   = native(form[bool]{text: strconv.FormatBool, parse: strconv.ParseBool, example: "true"})
	options = form[float64]{text: number, parse: parseNumber, example: "0.5"} // package optim has their limits

	margins = form[Margin]{text: Margin.text, parse: parseMargin, example: "0.5", numbers: func(m Margin) []float64 {
		if m == Unlimited {
			return nil
		}
		return []float64{float64(m)}
	}}
	limits = form[*Range]{text: (*Range).text, parse: parseRange, example: "0 to 1"}
	lists  = form[Numbers]{
		text: Numbers.text, parse: parseNumbers, example: "[0.05, 0.95]",
		plain:   func(n Numbers) any { return append(Numbers{}, n...) }, // never null
		read:    readNumbers,
		numbers: func(n Numbers) []float64 { return n }, each: "each ",
	}
	monotones = inJSON[Monotone]()
	roles     = inJSON[Roles]()
	togethers = inJSON[Interactions]()
	shapes    = form[membership.Function]{text: nameOf, parse: membership.Lookup, plain: plainShape, read: readShape}
	settings  = form[[]Setting]{
		text: func(all []Setting) string { return asJSON(all) }, parse: func(s string) ([]Setting,
			error) {
			return fromJSON[[]Setting]([]byte(s))
		},
		plain: func(all []Setting) any { return append([]Setting{}, all...) }, read: fromJSON[[]Setting],
	}
)

// inJSON returns the form of values whose text is JSON.
func inJSON[T any]() form[T] {
	return native(form[T]{text: func(v T) string { return asJSON(v) }, parse: func(s string) (T, error) { return fromJSON[T]([]byte(s)) }})
}

// native returns the form of values that JSON has.
func native[T any](f form[T]) form[T] {
	f.plain, f.read = func(v T) any { return v }, fromJSON[T]
	return f
}

func fromJSON[T any](text []byte) (v T, err error) {
	err = json.Unmarshal(text, &v)
	return v, err
}

func asJSON(v any) string {
	text, _ := json.Marshal(v) // strings and finite numbers do not fail
	return string(text)
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func parseNumber(text string) (float64, error) { return strconv.ParseFloat(text, 64) }

// exactRange is the text of a margin of 0. "0" is the text of no limit, as in older files.
const exactRange = "range"

func (m Margin) text() string {
	switch {
	case m == 0:
		return exactRange
	case math.IsInf(float64(m), 1):
		return "0"
	}
	return number(float64(m))
}

func parseMargin(text string) (Margin, error) {
	switch text {
	case exactRange:
		return 0, nil
	case "0":
		return Unlimited, nil
	}
	v, err := parseNumber(text)
	return Margin(v), err
}

func (b *Range) text() string {
	if b == nil {
		return ""
	}
	return number(b[0]) + " to " + number(b[1])
}

func parseRange(text string) (*Range, error) {
	if text == "" {
		return nil, nil
	}
	first, second, _ := strings.Cut(text, " to ")
	low, err := parseNumber(first)
	high, err2 := parseNumber(second)
	return &Range{low, high}, errors.Join(err, err2)
}

// text returns the numbers as a list in YAML.
func (n Numbers) text() string {
	parts := make([]string, len(n))
	for i, v := range n {
		parts[i] = number(v)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func parseNumbers(text string) (n Numbers, err error) {
	inner, isList := strings.CutPrefix(strings.TrimSpace(text), "[")
	inner, ends := strings.CutSuffix(inner, "]")
	if !isList || !ends {
		return nil, &strconv.NumError{Func: "parseNumbers", Num: text, Err: strconv.ErrSyntax}
	}
	if strings.TrimSpace(inner) == "" {
		return nil, nil
	}
	for _, part := range strings.Split(inner, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil {
			return nil, err
		}
		n = append(n, v)
	}
	return n, nil
}

// readNumbers reads a list in JSON; an empty one is nil.
func readNumbers(text []byte) (Numbers, error) {
	n, err := fromJSON[Numbers](text)
	if len(n) == 0 {
		return nil, err
	}
	return n, err
}

// nameOf returns the name of a shape, an empty string of none.
func nameOf(f membership.Function) string {
	if f == nil {
		return ""
	}
	return f.Name()
}

// plainShape returns a formula as it was written, or the name of a registered shape.
func plainShape(f membership.Function) any {
	if written, ok := membership.AsFormula(f); ok {
		return written
	}
	return nameOf(f)
}

func readShape(text []byte) (membership.Function, error) {
	if written, err := fromJSON[membership.Formula](text); err == nil {
		return written.Shape()
	}
	name, err := fromJSON[string](text)
	if err != nil {
		return nil, err
	}
	return membership.Lookup(name)
}

// Formula returns the formula of a user-defined shape as JSON, or the name of a built-in
// one.
func Formula(f membership.Function) string {
	if written, ok := membership.AsFormula(f); ok {
		return asJSON(written)
	}
	return f.Name()
}
