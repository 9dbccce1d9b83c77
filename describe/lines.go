package describe

import "fmt"

// Lines are a rule in lines, for the cells of a table.
type Lines struct{ Rule, If, Then []string }

// Lines puts a rule of d in lines: in words or, where there are none, in numbers.
func (d Description) Lines(r Rule) Lines {
	l := Lines{Rule: []string{fmt.Sprint(r.Number), fmt.Sprintf("%.1f%%", 100*r.Share), fmt.Sprintf("%d samples", r.Samples)}}
	if d.Interpretability == nil {
		for _, a := range r.If {
			l.If = append(l.If, a.subject()+" is "+a.grade(d.Membership))
		}
		l.Then = []string{label(d.Target, d.Unit) + " = " + r.Then.String()}
		return l
	}
	t := d.Text(r)
	for _, c := range t.If {
		l.If = append(l.If, c.String())
	}
	if len(l.If) == 0 {
		l.If = []string{"always"}
	}
	l.Then = t.then()
	return l
}
