package escape

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"pgregory.net/rapid"
)

func TestText(t *testing.T) {
	for s, want := range map[string]string{
		"":                           "",
		"größe [mm] | <b> \\ =1+1 日": "größe [mm] | <b> \\ =1+1 日",
		"\x1b[31mred\x1b[0m":         `\x1b[31mred\x1b[0m`,
		"\u009b31m":                  `\u009b31m`, // CSI as one character
		"two\nlines\r\t\x00\x7f":     `two\nlines\r\t\x00\x7f`,
		"user\u202etxt.exe":          `user\u202etxt.exe`,
		"a\u200bb\u00a0c\ufeff":      `a\u200bb\u00a0c\ufeff`,
		"gr\xf6\xdfe":                `gr\xf6\xdfe`,
		"\U000e0041":                 `\U000e0041`,
		"\ufffd":                     "\ufffd",
	} {
		testenv.Equal(t, Text(s), want, "%q", s)
	}
}

func TestQuote(t *testing.T) {
	testenv.Equal(t, Quote("\x1b"+strings.Repeat("é", 39)), `"\x1b`+strings.Repeat("é", 39)+`"`, "40 characters")
	testenv.Equal(t, Quote(strings.Repeat("é", 41)), `"`+strings.Repeat("é", 40)+`"...`, "41 characters")
}

func TestMarkdown(t *testing.T) {
	for s, want := range map[string]string{
		"vMBGD-RDA[R0->R] 0.5 ± 0.1": "vMBGD-RDA[R0->R] 0.5 ± 0.1",
		"< 0.001":                    "< 0.001",
		"a|b":                        `a\|b`,
		`a\|b`:                       `a\\\|b`,
		"<script>alert(1)</script>":  `\<script>alert(1)\</script>`,
		"![x](http://a.b/c.png)":     `![x]\(http://a.b/c.png)`,
		"*_`~$&amp;":                 "\\*\\_\\`\\~\\$\\&amp;",
		"a\nb":                       `a\\nb`,
	} {
		testenv.Equal(t, Markdown(s), want, "%q", s)
	}
}

// TestJSON checks that a document keeps its meaning and contains no control characters.
func TestJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOf(rapid.StringOf(rapid.SampledFrom([]rune("a\n\x1b\x7f\u009b\u202e\u2028\U000e0041\ufffd日\"\\<")))).Draw(t, "v")
		document := testenv.Must(json.MarshalIndent(v, "", "  "))
		escaped := JSON(document)
		var back []string
		if err := json.Unmarshal(escaped, &back); err != nil || strings.Join(back, ",") != strings.Join(v, ",") || len(back) != len(v) {
			t.Fatalf("%q reads as %q, %v", v, back, err)
		}
		for _, r := range string(escaped) {
			if r != '\n' && !strconv.IsPrint(r) {
				t.Fatalf("%q contains %q", escaped, r)
			}
		}
	})
}

// FuzzText checks that Text returns printable, valid UTF-8 on one line for any input, and
// keeps text that is so already.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "a", "\x1b[2J", "\u202e", "\xff", "a\tb", "\u00ad"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Text(s)
		if !utf8.ValidString(got) || strings.IndexFunc(got, func(r rune) bool { return !strconv.IsPrint(r) || unicode.IsControl(r) }) >= 0 {
			t.Fatalf("%q is shown as %q", s, got)
		}
		testenv.Equal(t, Text(got), got, "%q, shown again", s)
	})
}
