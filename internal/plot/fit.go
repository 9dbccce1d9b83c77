package plot

import (
	"unicode/utf8"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

const ellipsis = "\u2026"

// fit shortens texts that exceed a width: at the end or, if different texts would become
// equal, at their common beginning, or in the middle. So southeasterly and southwesterly
// become …east… and …wes…. Different texts stay different, even if they must exceed the
// width.
func fit(texts []string, st text.Style, width vg.Length) []string {
	var wide []string
	longest := 0
	for _, s := range texts {
		if st.Width(s) > width {
			wide = append(wide, s)
			longest = max(longest, utf8.RuneCountInString(s))
		}
	}
	short, ok := fitBy(texts, st, width, func(s string) (string, string) { return s, "" })
	if ok {
		return short
	}
	same := len(commonBeginning(wide))
	short, ok = fitBy(texts, st, width, func(s string) (string, string) { return ellipsis + s[same:], "" })
	for tail := 1; !ok && tail < longest; tail++ {
		short, ok = fitBy(texts, st, width, func(s string) (string, string) {
			runes := []rune(s)
			at := max(1, len(runes)-tail)
			return string(runes[:at]), string(runes[at:])
		})
	}
	return short
}

// fitBy shortens the first of the two parts into which divide splits a text that exceeds
// the width. ok reports whether different texts stay different.
func fitBy(texts []string, st text.Style, width vg.Length, divide func(string) (begin, end string)) (short []string, ok bool) {
	whole := map[string]string{}
	ok = true
	for _, s := range texts {
		cut := s
		if st.Width(s) > width {
			begin, end := divide(s)
			cut = cutEnd(begin, end, st, width)
		}
		if other, taken := whole[cut]; taken && other != s {
			ok = false
		}
		whole[cut] = s
		short = append(short, cut)
	}
	return short, ok
}

// cutEnd shortens begin, to one character at least, until begin and end fit the width.
func cutEnd(begin, end string, st text.Style, width vg.Length) string {
	if st.Width(begin+end) <= width {
		return begin + end
	}
	runes := []rune(begin)
	for len(runes) > 1 && st.Width(string(runes)+ellipsis+end) > width {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + ellipsis + end
}

// commonBeginning returns the common prefix of texts, at most the shortest text without
// its last character.
func commonBeginning(texts []string) string {
	first := []rune(texts[0])
	n := len(first) - 1
	for _, s := range texts[1:] {
		runes := []rune(s)
		n = min(n, len(runes)-1)
		for i := range n {
			if runes[i] != first[i] {
				n = i
				break
			}
		}
	}
	return string(first[:max(0, n)])
}
