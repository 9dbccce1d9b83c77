package scoring

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/numeric"
)

type object = map[string]any

// openAPI answers with a description of the plain form for a model, in OpenAPI 3.1.
func (s *Server) openAPI(a *answer, q *http.Request) error {
	m, err := s.asked(q)
	if err != nil {
		return err
	}
	rows := object{"oneOf": []any{object{"type": "array", "items": ref("Row"), "minItems": 1, "maxItems": s.limits.Rows}, ref("Row")}}
	content := object{jsonType: object{"schema": rows},
		csvType: object{"schema": object{"type": "string", "description": "a header with the names of the columns, and a line for each row"}}}
	post := func(summary string, schema object) object {
		return object{"post": object{"summary": summary, "parameters": asking, "requestBody": object{"required": true, "content": content},
			"responses": object{"200": answerOf("the answers, in the order of the rows", schema), "default": answerOf("an error", ref("Error"))}}}
	}
	answers := object{"type": "object", "properties": object{"model": text(), "version": text(), "target": text(), "unit": text(),
		"level": object{"type": "number", "description": "of the intervals or sets"}, "rows": object{"type": "array", "items": ref("Answer")}}}
	document := object{"openapi": "3.1.0",
		"info": object{"title": m.Name, "version": m.Version, "description": "Predictions of " + m.describeTarget() +
			" by rules. The Open Inference Protocol 2 is below /v2."},
		"paths": object{
			"/predict": post("Predict rows", answers),
			"/explain": post("Explain the predictions of rows: Shapley values of the columns, and what the rules say",
				object{"type": "object", "description": "each of rows as tskgraph explain --json prints it"}),
			"/rules": object{"get": object{"summary": "The rules in words", "parameters": asking,
				"responses": object{"200": object{"description": "the rules", "content": object{"text/plain": object{}, jsonType: object{}}}}}},
			"/drift": object{"get": object{"summary": "How the last rows differ from those of training", "parameters": asking,
				"responses": object{"200": object{"description": "changes", "content": object{"text/plain": object{}, jsonType: object{}}}}}},
		},
		"components": object{"schemas": object{"Row": m.rowSchema(), "Answer": m.answerSchema(),
			"Error": object{"type": "object", "required": []string{"error"}, "properties": object{"error": text()}}}},
	}
	if s.options.Tokens != "" {
		document["components"].(object)["securitySchemes"] = object{"token": object{"type": "http", "scheme": "bearer"}}
		document["security"] = []any{object{"token": []string{}}}
	}
	return a.sendJSON(document)
}

// asking are the parameters that choose a model.
var asking = []any{
	object{"name": "model", "in": "query", "schema": text(), "description": "the first one by default"},
	object{"name": "version", "in": "query", "schema": text(), "description": "the last one by default"},
}

func ref(name string) object { return object{"$ref": "#/components/schemas/" + name} }
func text() object           { return object{"type": "string"} }

func answerOf(what string, schema object) object {
	return object{"description": what, "content": object{jsonType: object{"schema": schema}}}
}

// describeTarget names what is predicted.
func (m *served) describeTarget() string {
	name := strings.Join(m.Schema.Targets(), ", ")
	if m.Schema.TargetUnit != "" {
		name += " (" + m.Schema.TargetUnit + ")"
	}
	return name
}

// rowSchema describes the columns. A number outside its range and a category that is not listed are predicted, and flagged: the schema does
// not refuse them.
func (m *served) rowSchema() object {
	columns, at := object{}, 0
	for _, c := range m.Schema.Columns {
		features := m.Features[at : at+c.Width()]
		at += c.Width()
		switch {
		case c.Unused:
		case c.Numbers():
			f := features[0]
			of := object{"type": []string{"number", "null"}, "x-training-range": []float64{f.Min, f.Max}, "examples": []float64{f.Mean},
				"description": fmt.Sprintf("%s to %s in training", numeric.Show(f.Min, -1), numeric.Show(f.Max, -1))}
			if c.Unit != "" {
				of["x-unit"] = c.Unit
			}
			if c.Limits != nil {
				of["description"] = of["description"].(string) + "; beyond " + c.Limits.String() + " it counts as the limit"
			}
			columns[c.Name] = of
		default:
			columns[c.Name] = object{"type": []string{"string", "number", "null"}, "x-categories": c.Levels, "examples": c.Levels,
				"description": "a category"}
		}
	}
	if of := m.Schema.Offset.Column; of != "" {
		columns[of] = object{"type": "number", "exclusiveMinimum": 0, "description": "the exposure, which the prediction is multiplied by"}
	}
	return object{"type": "object", "properties": columns, "required": m.names}
}

// answerSchema describes the answer to a row.
func (m *served) answerSchema() object {
	number := object{"type": "number"}
	values := object{}
	for _, v := range m.Values() {
		values[v.Choice()] = number
	}
	of, several := object{"prediction": number}, object{"type": "object", "properties": values}
	bound := object{"type": []string{"number", "null"}}
	switch {
	case m.Schema.Classes != nil:
		of["prediction"], of["probabilities"] = object{"type": "string", "enum": m.Schema.Classes}, several
	case m.Schema.Others != nil:
		of["prediction"], bound = several, several
	case len(values) > 1:
		of["quantiles"] = several
	}
	if m.level != 0 && m.Schema.Classes != nil {
		of["set"] = object{"type": "array", "items": text()}
	} else if m.level != 0 {
		of["lower"], of["upper"] = bound, bound
	}
	if len(m.says) == 1 {
		of["rule"] = object{"type": []string{"integer", "null"}, "description": "the rule that decides"}
		of["because"] = object{"type": []string{"string", "null"}, "description": "the rule in words"}
	} else if len(m.says) > 1 {
		of["rule"] = object{"type": "array", "description": "the rule that decides each output"}
		of["because"] = object{"type": "array", "description": "the rules in words"}
	}
	of["flags"] = object{"type": "array", "items": text(), "description": "reasons to doubt the prediction, such as outside: hour 25"}
	return object{"type": "object", "properties": of}
}
