package csv

// Border is a place in a delimited text between two records, or within one.
type Border struct {
	Offset  int64 // bytes before it
	Lines   int64 // line ends before it
	Records int64 // that end before it, without empty lines
}

// Borders finds the borders between records by the counts of ranges that follow one another.
type Borders struct {
	at     Border // after the ranges so far; Records ended
	quoted int    // 1 within quotes
	under  Filling
}

// Add adds the next range. It returns the first border between records after the start of the range and, if there is none in
// it, false. Of the first range, the start of the text is no border.
func (b *Borders) Add(c Counts) (first Border, ok bool) {
	e := c.In[b.quoted]
	under := b.under.Add(e.Head)
	if ok = e.First >= 0; ok {
		if under == Content {
			b.at.Records++
		}
		first = Border{b.at.Offset + e.First, b.at.Lines + e.FirstLines, b.at.Records}
		b.at.Records += e.Records
		under = e.Tail
	}
	b.under = under
	b.at.Offset += c.Bytes
	b.at.Lines += c.Lines
	if c.Odd {
		b.quoted = 1 - b.quoted
	}
	return first, ok
}

// End returns the end of the text, after the last record.
func (b *Borders) End() Border {
	end := b.at
	if b.under == Content {
		end.Records++
	}
	return end
}
