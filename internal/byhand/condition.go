package byhand

import "strings"

// always is the text of an IF part without conditions.
const always = "always"

// parseConditions parses "outside is cold and day is weekend". Names of several words need no
// backticks unless these are "is" or "and".
func parseConditions(text string) ([]Condition, *fault) {
	if strings.EqualFold(strings.TrimSpace(text), always) {
		return nil, nil
	}
	all, err := tokens(text)
	if err != nil {
		return nil, err
	}
	var conditions []Condition
	for i := 0; ; i++ {
		at := all[i].at
		column, next := joined(all, i)
		if next == i {
			return nil, faultf(all[i].at, "want a condition, such as outside is cold")
		}
		if i = next; all[i].text != "is" || all[i].kind != nameToken {
			return nil, faultf(all[i].at, `want "is" and a term behind %s`, quoteName(column))
		}
		term, next := joined(all, i+1)
		if next == i+1 {
			return nil, faultf(all[i+1].at, "want a term of %s behind is", quoteName(column))
		}
		conditions = append(conditions, Condition{Column: column, Term: term, at: at})
		if i = next; all[i].kind == endToken {
			return conditions, nil
		}
		if all[i].text != "and" || all[i].kind != nameToken {
			return nil, faultf(all[i].at, `want "and" and another condition, or the end`)
		}
	}
}

// conditionsText is the inverse of parseConditions.
func conditionsText(all []Condition) string {
	if len(all) == 0 {
		return always
	}
	var texts []string
	for _, c := range all {
		texts = append(texts, quoteName(c.Column)+" is "+quoteName(c.Term))
	}
	return strings.Join(texts, " and ")
}
