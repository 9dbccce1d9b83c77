package recipe

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
)

// Title returns the title of a key of config.yaml: that of its text, else its name.
func Title(key string) string {
	if title := texts()[key+":"]; title != "" {
		return title
	}
	return capital(Key{Name: "." + key[strings.LastIndex(key, ".")+1:]}.Heading())
}

// Effect returns the first clause of the text of a key as a sentence.
func Effect(doc string) string {
	depth := 0
	for i, c := range doc {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ':', ';', '.':
			if depth == 0 && strings.HasPrefix(doc[i+1:], " ") {
				return capital(doc[:i])
			}
		}
	}
	return capital(doc)
}

// InWords returns a value of a key in words: those that its text has for it, as in "0: no limit" or "drop (the row)".
func InWords(doc string, value any) string {
	if raw, is := value.(json.RawMessage); is {
		_ = json.Unmarshal(raw, &value) // else it stays as it is
	}
	text := fmt.Sprint(value)
	for part := range strings.SplitSeq(doc, "; ") {
		if words, is := strings.CutPrefix(part, text+": "); is {
			return words
		}
	}
	const long = 50
	for _, before := range []string{": ", ", ", " or ", ""} {
		if _, after, is := strings.Cut(doc, before+text+" ("); is && text != "" {
			if words, _, _ := strings.Cut(after, ")"); len(words) <= long {
				return text + " (" + words + ")"
			}
		}
	}
	switch text {
	case "true":
		return "yes"
	case "false":
		return "no"
	case "", "<nil>", "[]", "{}", "map[]", "[~, ~]":
		return "none"
	}
	return Within(text)
}

// Within returns limits such as [0, ~], or a list, in words.
func Within(text string) string {
	if !strings.HasPrefix(text, "[") || !strings.HasSuffix(text, "]") {
		return text
	}
	text = strings.ReplaceAll(text[1:len(text)-1], `"`, "")
	if low, open := strings.CutSuffix(text, ", ~"); open {
		return "at least " + low
	}
	if high, open := strings.CutPrefix(text, "~, "); open {
		return "at most " + high
	}
	return text
}

func capital(text string) string {
	for i, c := range text {
		return text[:i] + string(unicode.ToUpper(c)) + text[i+len(string(c)):]
	}
	return text
}
