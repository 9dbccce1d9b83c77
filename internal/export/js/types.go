package js

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/export"
)

// types returns the types of a module in TypeScript.
func types(f *export.Form) string {
	var b strings.Builder
	b.WriteString("\n/** A row of a table, by column. NaN, null and an empty text are missing values. */\nexport interface Row {\n")
	for _, c := range f.Columns {
		about, kind := strings.TrimSpace(c.Unit+fmt.Sprintf(", from %v to %v in training", c.Min, c.Max)), "number"
		if about = strings.TrimPrefix(about, ", "); c.Encoding != data.Numeric {
			about, kind = c.Unit, union(c.Levels)+" | (string & {})" // as which editors complete the levels
		}
		b.WriteString(comment("  ", about))
		fmt.Fprintf(&b, "  %s: %s | null;\n", quote(c.Name), kind)
	}
	b.WriteString("}\n\n/** What is predicted. */\nexport interface Answer {\n" + answerType(f) + "}\n" + commonTypes)
	return b.String()
}

// answerType returns the properties of an answer.
func answerType(f *export.Form) string {
	names := outputNames(f)
	numbers := "{ "
	for _, name := range names {
		numbers += quote(name) + ": number; "
	}
	numbers += "}"
	switch {
	case f.Kind == export.Classes:
		return fmt.Sprintf("  /** The most probable class; null without a prediction. */\n  prediction: %s | null;\n  probabilities: %s;\n", union(names), numbers)
	case f.Kind == export.Quantiles:
		return fmt.Sprintf("  /** The quantile nearest to the median. */\n  prediction: number;\n  /** By level. */\n  quantiles: %s;\n", numbers)
	case len(names) > 1:
		return "  /** By target; NaN without a prediction. */\n  prediction: " + numbers + ";\n"
	}
	return comment("  ", withUnit(f.Target, f.Unit)+"; NaN without a prediction.") + "  prediction: number;\n"
}

const commonTypes = `
export interface Prediction extends Answer {
  /** Whether rules of all members cover the row. Without, the response is that of all training rows. */
  covered: boolean;
  /** Whether a limit of the target applied. */
  limited: boolean;
}

export interface RuleExplanation {
  /** Conditions, in words. */
  if: string[];
  /** Consequent of each output, in words. */
  then: string[];
  /** Normalised firing level: the share in the prediction. */
  level: number;
  /** What the rule predicts alone; null without a prediction. */
  says: Answer | null;
}

export interface MemberExplanation extends Prediction {
  rules: RuleExplanation[];
}

export interface Explanation extends Prediction {
  /** The members of a committee, whose mean is the prediction; one of a single model. */
  members: MemberExplanation[];
}

export interface Column {
  name: keyof Row;
  unit?: string;
  encoding: "numeric" | "ordinal" | "one-hot";
  /** Of a column of categories. */
  levels?: readonly string[];
  /** Of a column of numbers, in training. */
  min?: number;
  max?: number;
}

export interface Output {
  /** A target, a class, or the level of a quantile. */
  name: string;
  unit?: string;
}

export declare const columns: readonly Column[];
export declare const outputs: readonly Output[];

/** Predicts for a row. A column that is absent, or a cell of another type, is a TypeError. */
export declare function predict(row: Row): Prediction;

/** Predicts for a row, with what each rule says. */
export declare function explain(row: Row): Explanation;
`

// comment returns a line of documentation; none without a text.
func comment(indent, text string) string {
	if text == "" {
		return ""
	}
	return indent + "/** " + strings.ReplaceAll(escape.Text(text), "*/", "*\\/") + " */\n"
}

// union returns the type of some texts.
func union(texts []string) string {
	var quoted []string
	for _, text := range texts {
		quoted = append(quoted, quote(text))
	}
	return strings.Join(quoted, " | ")
}

// quote returns a text as a literal.
func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string has a JSON form
	}
	return string(escape.JSON(quoted))
}
