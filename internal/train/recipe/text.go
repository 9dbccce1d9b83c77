package recipe

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/membership"
)

// textOf returns the text of a field for model files and checkpoints.
func textOf(field any) string {
	switch f := field.(type) {
	case *string:
		return *f
	case *int:
		return strconv.Itoa(*f)
	case *uint64:
		return strconv.FormatUint(*f, 10)
	case *float64:
		return number(*f)
	case *bool:
		return strconv.FormatBool(*f)
	case Scalar:
		return number(f.Get())
	case *Margin:
		return f.text()
	case **Bounds:
		if *f == nil {
			return ""
		}
		return number((*f)[0]) + " to " + number((*f)[1])
	case List:
		return f.Get().text()
	case *Signs:
		return asJSON(*f)
	case *membership.Function:
		if *f == nil {
			return ""
		}
		return (*f).Name()
	case *[]Setting:
		return asJSON(*f)
	}
	panic(fmt.Sprintf("recipe: no text for %T", field))
}

// parse sets a field to a value in the form of [textOf].
func parse(field any, text string) (err error) {
	switch f := field.(type) {
	case *string:
		*f = text
	case *int:
		*f, err = strconv.Atoi(text)
	case *uint64:
		*f, err = strconv.ParseUint(text, 10, 64)
	case *float64:
		*f, err = strconv.ParseFloat(text, 64)
	case *bool:
		*f, err = strconv.ParseBool(text)
	case Scalar:
		var v float64
		v, err = strconv.ParseFloat(text, 64)
		f.Set(v)
	case *Margin:
		*f, err = parseMargin(text)
	case **Bounds:
		*f, err = parseBounds(text)
	case List:
		var v Numbers
		v, err = parseNumbers(text)
		f.Set(v)
	case *membership.Function:
		*f, err = membership.Lookup(text)
	case *Signs:
		*f = nil
		err = json.Unmarshal([]byte(text), f)
	case *[]Setting:
		*f = nil
		err = json.Unmarshal([]byte(text), f)
	default:
		panic(fmt.Sprintf("recipe: no parser for %T", field))
	}
	if number := new(strconv.NumError); errors.As(err, &number) {
		err = fmt.Errorf("want a value such as %s", sample(field))
	}
	return err
}

// sample returns an example of the text of a field.
func sample(field any) string {
	switch field.(type) {
	case *int, *uint64:
		return "500"
	case *bool:
		return "true"
	case **Bounds:
		return "0 to 1"
	case List:
		return "[0.05, 0.95]"
	}
	return "0.5"
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

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
	v, err := strconv.ParseFloat(text, 64)
	return Margin(v), err
}

func parseBounds(text string) (*Bounds, error) {
	first, second, _ := strings.Cut(text, " to ")
	low, err := strconv.ParseFloat(first, 64)
	high, err2 := strconv.ParseFloat(second, 64)
	return &Bounds{low, high}, errors.Join(err, err2)
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

// Formula returns the formula of a user-defined shape as JSON, or the name of a built-in
// one.
func Formula(f membership.Function) string {
	if written, ok := membership.AsFormula(f); ok {
		return asJSON(written)
	}
	return f.Name()
}

func asJSON(v any) string {
	text, _ := json.Marshal(v) // strings and finite numbers do not fail
	return string(text)
}
