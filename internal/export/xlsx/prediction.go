package xlsx

import (
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/tskgraph/tskgraph/internal/base/buildinfo"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/export"
)

const (
	predictionSheet = "Prediction"
	categorySheet   = "Categories"
	textSheet       = "Texts"
	firstInput      = 5   // row
	longestText     = 255 // characters, of a text that is trimmed
)

// prediction is the sheet of inputs and predictions.
type prediction struct {
	*sheet
	*workbook
}

// inputs writes the cells of inputs, empty, with what may be typed there.
func (p *prediction) inputs() {
	p.text(1, 1, "Prediction of "+p.form.Target)
	p.style(1, 1, 1, 1, p.title)
	p.text(1, 2, "Type the inputs into the yellow cells. An empty cell is a missing value. Written by tskgraph "+buildinfo.Version+".")
	p.header(firstInput-1, p.bold, "Input", "Value", "Unit", "Lowest", "Highest", "Remark")
	for i, c := range p.form.Columns {
		row := firstInput + i
		p.text(1, row, c.Name)
		p.text(3, row, c.Unit)
		p.style(2, row, 2, row, p.input)
		at, missing := cell(2, row), "missing: a typical value is used"
		if c.Missing {
			missing = "missing"
		}
		if c.Numbers() {
			p.number(4, row, c.Min)
			p.number(5, row, c.Max)
			p.formula(6, row, fmt.Sprintf(`IF(%s="","%[3]s",IF(ISNUMBER(%[1]s),IF(OR(%[1]s<D%[2]d,%[1]s>E%[2]d),"outside `+
				`the range of training",""),"not a number: no prediction"))`, p.value(i), row, missing))
			continue
		}
		remark := "unknown category"
		if !c.Nominal() {
			remark += ": counts as missing"
		}
		p.formula(6, row, fmt.Sprintf(`IF(%s="","%s",IF(%s=0,%s,""))`, p.value(i), missing, p.level(i), quoted(remark)))
		choice := excelize.NewDataValidation(true)
		choice.Sqref = at
		choice.SetSqrefDropList(p.levels(i))
		p.sheet.keep(p.sheet.file.AddDataValidation(predictionSheet, choice))
	}
}

// levels returns the cells of the levels of column i.
func (p *prediction) levels(i int) string {
	return fmt.Sprintf("'%s'!%s:%s", categorySheet, absolute(i+1, 2), absolute(i+1, 1+len(p.form.Columns[i].Levels)))
}

func absolute(column, row int) string {
	name, err := excelize.CoordinatesToCellName(column, row, true)
	if err != nil {
		panic(err) // columns are counted before
	}
	return name
}

// level returns the position of the category of column i among its levels, zero if it is none.
func (p *prediction) level(i int) string {
	return fmt.Sprintf("SUMPRODUCT(EXACT(%s,%s)*(ROW(%[1]s)-1))", p.levels(i), p.value(i))
}

// value returns the cell of the input of column i without blanks around it, "" if it is empty.
func (p *prediction) value(i int) string { return fmt.Sprintf("'%s'!%s", textSheet, absolute(2, 2+i)) }

// texts writes the sheet of the inputs without the blanks around them. TRIM would remove blanks between words,
// and spaces alone.
func (p *prediction) texts() {
	s := p.workbook.sheet(textSheet, 32, 18, 12, 12, 12)
	s.header(1, p.bold, "Input", "without blanks around it", "first character", "last character", "blanks")
	var blanks []string
	for _, r := range export.Blanks {
		blanks = append(blanks, fmt.Sprintf("_xlfn.UNICHAR(%d)", r))
	}
	s.formula(5, 2, strings.Join(blanks, "&"))
	place := fmt.Sprintf("ROW($1:$%d)", longestText)
	for i, c := range p.form.Columns {
		row, at := 2+i, p.fixed(2, firstInput+i)
		other := fmt.Sprintf("(%s<=LEN(%s))*ISERROR(FIND(MID(%[2]s,%[1]s,1),$E$2))", place, at) // of characters that are no blanks
		s.text(1, row, c.Name)
		s.formula(2, row, fmt.Sprintf(`IF(OR(AND(ISNUMBER(%[1]s),NOT(ISLOGICAL(%[1]s))),LEN(%[1]s)>%[2]d),%[1]s,IF(D%[3]d=0,"",`+
			`MID(%[1]s,C%[3]d,D%[3]d-C%[3]d+1)))`, at, longestText, row))
		s.formula(3, row, fmt.Sprintf("%d-SUMPRODUCT(MAX(%s*(%[1]d-%[3]s)))", longestText+1, other, place))
		s.formula(4, row, fmt.Sprintf("SUMPRODUCT(MAX(%s*%s))", other, place))
	}
}

// feature returns the formula of feature f, "" if it is missing.
func (p *prediction) feature(f int) string {
	i := p.form.Features[f].Column
	c := p.form.Columns[i]
	switch {
	case c.Numbers():
		number := p.value(i)
		if f > c.First { // whether it is missing
			number = "0"
		}
		return fmt.Sprintf(`IF(%s="","",IF(ISNUMBER(%[1]s),%s,NA()))`, p.value(i), number)
	case c.Nominal():
		return fmt.Sprintf(`IF(%s="","",IF(%s=%d,1,0))`, p.value(i), p.level(i), f-c.First+1)
	}
	return fmt.Sprintf(`IF(%s=0,"",%[1]s)`, p.level(i))
}

// categories writes the sheet of the levels of categories.
func (p *prediction) categories() {
	var s *sheet
	for i, c := range p.form.Columns {
		if c.Numbers() {
			continue
		}
		if s == nil {
			s = p.workbook.sheet(categorySheet)
		}
		s.text(i+1, 1, c.Name)
		s.style(i+1, 1, i+1, 1, p.bold)
		for k, level := range c.Levels {
			s.keep(s.file.SetCellStr(s.name, cell(i+1, k+2), level)) // as it is typed
		}
	}
}

// outputs writes the predictions, the means of the responses of members.
func (p *prediction) outputs(responses [][]string) {
	row := firstInput + len(p.form.Columns) + 1
	p.header(row, p.bold, "Prediction", "Value", "Unit")
	if p.form.Kind == export.Classes {
		row++
		p.text(1, row, p.form.Target)
	}
	first := row + 1
	for j, o := range p.form.Outputs {
		row++
		p.text(1, row, o.Title)
		p.text(3, row, o.Unit)
		var of []string
		for _, r := range responses {
			of = append(of, r[j])
		}
		value := of[0]
		if len(of) > 1 {
			value = fmt.Sprintf("(%s)/%d", strings.Join(of, "+"), len(of))
			if p.form.Ordered && j > 0 {
				value = fmt.Sprintf("MAX(%s,%s)", value, cell(2, row-1))
			}
		}
		p.formula(2, row, fmt.Sprintf(`IFERROR(%s,"no prediction")`, value))
		p.style(2, row, 2, row, p.output)
	}
	if p.form.Kind != export.Classes {
		return
	}
	var names []string
	for _, o := range p.form.Outputs {
		names = append(names, quoted(escape.Text(o.Name)))
	}
	p.formula(2, first-1, fmt.Sprintf(`IFERROR(CHOOSE(MATCH(MAX(%s),%[1]s,0),%s),"no prediction")`, span(2, first, row),
		strings.Join(names, ",")))
	p.style(2, first-1, 2, first-1, p.output)
}
