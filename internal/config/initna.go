package config

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/tskgraph/tskgraph/data"
)

// marker is a text that seems to mark missing values in a column.
type marker struct {
	column, text string
	number       float64 // that it is; NaN: none
	cells        int
}

// markers are the texts that seem to mark missing values, by column.
type markers []marker

// findMarkers finds texts among numbers, and numbers far from all others, that mark missing values, and counts
// their cells as missing in the survey.
func findMarkers(survey *data.Survey) (found markers) {
	for i := range survey.Columns {
		if p := &survey.Columns[i]; textsMark(*p) {
			for _, text := range slices.Sorted(maps.Keys(p.Texts)) {
				found = append(found, marker{p.Name, text, math.NaN(), p.Texts[text]})
				p.Distinct--
			}
			p.Missing += p.Words + p.Others
			p.Words, p.Others, p.Dates = 0, 0, 0
		}
	}
	codes := map[float64]bool{} // found in some column: then less is asked of them in others
	for _, marks := range []func(data.Profile, data.End, float64) bool{
		farOut,
		func(_ data.Profile, e data.End, spread float64) bool {
			return codes[e.Value] && (beyondZero(e) || math.Abs(e.Next-e.Value) > 0.1*spread)
		},
	} {
		for i := range survey.Columns {
			p := &survey.Columns[i]
			for _, end := range []*data.End{&p.Low, &p.High} {
				spread := p.High.Value - p.Low.Next
				if end == &p.High {
					spread = p.High.Next - p.Low.Value
				}
				if p.Distinct <= fewOthers || end.Count < fewRepeats || !marks(*p, *end, spread) {
					continue
				}
				codes[end.Value] = true
				found = append(found, marker{p.Name, strconv.FormatFloat(end.Value, 'f', -1, 64), end.Value, end.Count})
				if p.Numbers > end.Count {
					p.Mean = (float64(p.Mean*float64(p.Numbers)) - float64(end.Value*float64(end.Count))) / float64(p.Numbers-end.Count)
				}
				p.Missing += end.Count
				p.Numbers -= end.Count
				p.Distinct--
				*end = data.End{Value: end.Next, Next: end.Next}
			}
		}
	}
	return found
}

const (
	fewOthers  = 5    // different numbers beside one that marks missing values
	fewRepeats = 3    // cells that have it
	mostMarked = 0.05 // share of cells that a text marks which does not say so itself
	fewTexts   = 3    // such texts in a column
	fewLevels  = 12   // different values of a column that is neither numbers nor words
)

// missingWords are words for missing values, and errors of spreadsheets. The page that trains has no regular expressions
// with classes of Unicode.
var missingWords = regexp.MustCompile(`(?i)^(#(n/?a|value!|ref!|div/0!|num!|name\?|null!).*|` +
	`\\n|n\.?a\.?|n[./]d\.?|nd|nil|<na>|\(null\)|\[null\]|k\.a\.|missing|unknown|undefined|not available)$`)

// saysMissing reports whether a text marks missing values wherever it is: one without a letter or a digit, or one of missingWords.
func saysMissing(text string) bool {
	written := strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
	return text != "" && !written || missingWords.MatchString(text)
}

// textsMark reports whether all texts in a column of numbers mark missing values.
func textsMark(p data.Profile) bool {
	texts, marked := len(p.Texts), p.Words+p.Others
	if texts == 0 || p.Dates > 0 || p.Marks != nil || p.Numbers < marked {
		return false
	}
	all := true
	for text, cells := range p.Texts {
		all = all && (saysMissing(text) || !p.Integers || cells > 1)
		marked -= cells
	}
	if marked != 0 || !all { // not all texts are known, or one may be a number that is misspelt in an identifier
		return false
	}
	for text := range p.Texts {
		all = all && saysMissing(text)
	}
	return all || texts <= fewTexts && p.Distinct-texts > fewLevels && float64(p.Words+p.Others) <= mostMarked*float64(p.Present())
}

// nines are the numbers that are written for missing ones by custom.
var nines = regexp.MustCompile(`^-?99+$`)

// farOut reports whether the number at an end of a column lies so far from the others, of the given spread, that it
// marks missing values. Most of a column is not missing for it.
func farOut(p data.Profile, e data.End, spread float64) bool {
	gap := math.Abs(e.Next - e.Value)
	switch {
	case e.Value == 0 || e.Value != math.Trunc(e.Value) || 2*e.Count > p.Numbers:
		return false
	case nines.MatchString(strconv.FormatFloat(e.Value, 'f', -1, 64)):
		return beyondZero(e) || gap > 0.5*spread
	case e.Value < 0:
		return gap > 3*spread
	}
	return gap > 10*spread
}

// beyondZero reports whether a number is the only one below zero.
func beyondZero(e data.End) bool { return e.Value < 0 && e.Next >= 0 }

// sameInAll returns the texts that mark missing values if they are the same in several columns and mean nothing else in
// other columns that are used.
func (m markers) sameInAll(na data.NA, used []data.Profile) (texts []string, same bool) {
	for _, t := range na {
		if texts == nil {
			texts = t
		}
		if !slices.Equal(texts, t) {
			return nil, false
		}
	}
	seen := map[string]bool{}
	for _, one := range m {
		if na[one.column] == nil || seen[one.text] {
			continue
		}
		seen[one.text] = true
		if slices.ContainsFunc(used, func(p data.Profile) bool {
			return na[p.Name] == nil && (p.Texts[one.text] > 0 || p.Low.Value <= one.number && one.number <= p.High.Value)
		}) {
			return nil, false
		}
	}
	return texts, len(na) > 1
}
