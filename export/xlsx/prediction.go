package xlsx

import (
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/export"
	"github.com/tskgraph/tskgraph/internal/buildinfo"
	"github.com/tskgraph/tskgraph/internal/escape"
)

const (
	predictionSheet = "Prediction"
	categorySheet   = "Categories"
	firstInput      = 5 // row
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
		at := cell(2, row)
		if c.Encoding == data.Numeric {
			p.number(4, row, c.Min)
			p.number(5, row, c.Max)
			p.formula(6, row, fmt.Sprintf(`IF(%s="","missing: a typical value is used",IF(ISNUMBER(%[1]s),IF(OR(%[1]s<D%d,%[1]s>E%[2]d),"outside the range of training",""),"not a number: no prediction"))`, at, row))
			continue
		}
		remark := "unknown category"
		if c.Encoding == data.Ordinal {
			remark += ": counts as missing"
		}
		p.formula(6, row, fmt.Sprintf(`IF(TRIM(%s)="","missing: a typical value is used",IF(%s=0,%s,""))`, at, p.level(i), quoted(remark)))
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
	at := p.fixed(2, firstInput+i)
	return fmt.Sprintf("SUMPRODUCT(EXACT(%s,TRIM(%s))*(ROW(%[1]s)-1))", p.levels(i), at)
}

// feature returns the formula of feature f, "" if it is missing.
func (p *prediction) feature(f int) string {
	i := p.form.Features[f].Column
	c := p.form.Columns[i]
	at := p.fixed(2, firstInput+i)
	switch c.Encoding {
	case data.Numeric:
		return fmt.Sprintf(`IF(%s="","",IF(ISNUMBER(%[1]s),%[1]s,NA()))`, at)
	case data.Ordinal:
		return fmt.Sprintf(`IF(%s=0,"",%[1]s)`, p.level(i))
	}
	return fmt.Sprintf(`IF(TRIM(%s)="","",IF(%s=%d,1,0))`, at, p.level(i), f-c.First+1)
}

// categories writes the sheet of the levels of categories.
func (p *prediction) categories() {
	var s *sheet
	for i, c := range p.form.Columns {
		if c.Encoding == data.Numeric {
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
		name := o.Name
		switch p.form.Kind {
		case export.Classes:
			name = "probability of " + name
		case export.Quantiles:
			name += fmt.Sprintf(", quantile %v", o.Level)
		}
		p.text(1, row, name)
		p.text(3, row, o.Unit)
		var of []string
		for _, r := range responses {
			of = append(of, r[j])
		}
		value := of[0]
		if len(of) > 1 {
			value = fmt.Sprintf("(%s)/%d", strings.Join(of, "+"), len(of))
			if p.form.Kind == export.Quantiles && j > 0 {
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
	p.formula(2, first-1, fmt.Sprintf(`IFERROR(CHOOSE(MATCH(MAX(%s),%[1]s,0),%s),"no prediction")`, span(2, first, row), strings.Join(names, ",")))
	p.style(2, first-1, 2, first-1, p.output)
}
