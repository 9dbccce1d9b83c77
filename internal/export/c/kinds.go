package c

import (
	"fmt"
	"strings"

	"github.com/tskgraph/tskgraph/internal/export"
)

// addKind adds the formulas of members.
func addKind(s *source, m *export.Member) {
	k := kind{TNorm: comment(m.TNorm), Defuzz: comment(m.Defuzz), Log: m.LogSpace, Parameters: m.Parameters, Start: fmt.Sprint(m.Start())}
	if len(s.Kinds) > 0 {
		k.Suffix = fmt.Sprintf("_%d", len(s.Kinds)+1)
	}
	var params, arguments []string
	arguments = append(arguments, "x")
	for i, p := range m.Shape.Params() {
		params = append(params, p.Name)
		arguments = append(arguments, fmt.Sprintf("p[%d]", i))
	}
	k.Meaning = "Grade of x"
	if m.LogSpace {
		k.Meaning = "Logarithm of the grade of x"
	}
	k.Meaning = comment(fmt.Sprintf("%s: %s with the parameters p = (%s).", k.Meaning, m.Shape.Name(), strings.Join(params, ", ")))
	k.Grade, k.Join = s.convert.Replace(s.formula(m.Grade, arguments...)), s.convert.Replace(s.formula(m.Join, "a", "b"))
	if m.Weight != nil {
		k.Weight = s.convert.Replace(s.formula(m.Weight, "level"))
	}
	s.Kinds = append(s.Kinds, k)
}
