package csv

import "bytes"

// Counts are those of a range of a delimited text, for both cases of what is before it: quotes that are closed, or one that is open.
// Where records end depends on that. The zero value is of no bytes.
type Counts struct {
	Bytes int64
	Lines int64   // line ends, those within quotes too
	Odd   bool    // the quotes are odd in number
	In    [2]Ends // of the records if the range begins outside, or within quotes
}

// Ends are the ends of records in a range.
type Ends struct {
	First      int64 // bytes up to and with the first line end that ends a record; -1: none does
	FirstLines int64 // line ends among these
	Records    int64 // that begin after First and end in the range, without empty lines

	Head Filling // of the record that is under way at the start, up to First, or in the whole range
	Tail Filling // of the record that is under way at the end, if there is a First
}

// Filling says whether the bytes of a record, which may be in several ranges, are an empty line.
type Filling uint8

// The fillings.
const (
	Nothing Filling = iota
	Return          // one carriage return, which belongs to the line end
	Content
)

// Add returns the filling of both, one after the other.
func (f Filling) Add(g Filling) Filling {
	switch {
	case f == Nothing:
		return g
	case g == Nothing:
		return f
	}
	return Content
}

func fillingOf(text []byte) Filling {
	switch {
	case len(text) == 0:
		return Nothing
	case len(text) == 1 && text[0] == '\r':
		return Return
	}
	return Content
}

// Counter counts what is written to it.
type Counter struct {
	counts Counts
	begun  bool
	under  [2]Filling // of the record under way, up to the start of the line
	line   Filling    // of the line under way
}

// Counts returns the counts so far.
func (c *Counter) Counts() Counts {
	c.begin()
	counts := c.counts
	for q := range counts.In {
		e := &counts.In[q]
		if under := c.under[q].Add(c.line); e.First < 0 {
			e.Head = under
		} else {
			e.Tail = under
		}
	}
	return counts
}

func (c *Counter) begin() {
	if !c.begun {
		c.begun, c.counts.In[0].First, c.counts.In[1].First = true, -1, -1
	}
}

// Write counts text, in which carriage returns do not end lines, see EndLines. It does not fail.
func (c *Counter) Write(text []byte) (int, error) {
	c.begin()
	quotes := bytes.IndexByte(text, '"') >= 0
	for rest := text; len(rest) > 0; {
		n := bytes.IndexByte(rest, '\n')
		line := rest
		if n >= 0 {
			line = rest[:n]
		}
		if quotes && bytes.Count(line, []byte{'"'})%2 == 1 {
			c.counts.Odd = !c.counts.Odd
		}
		c.line = c.line.Add(fillingOf(line))
		c.counts.Bytes += int64(len(line))
		if n < 0 {
			break
		}
		c.counts.Bytes++
		c.endLine()
		rest = rest[n+1:]
		if !quotes {
			rest = rest[c.full(rest):]
		}
	}
	return len(text), nil
}

// full counts the whole lines of a text without quotes, which begins after a line end, and returns their bytes.
func (c *Counter) full(text []byte) int {
	at, lines, empty := 0, int64(0), int64(0)
	for {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			break
		}
		if n < 2 && fillingOf(text[at:at+n]) != Content {
			empty++
		}
		at += n + 1
		lines++
	}
	c.counts.Bytes += int64(at)
	c.counts.Lines += lines
	c.counts.In[c.ended()].Records += lines - empty // whose First was found at the line end before
	return at
}

// ended returns the case in which a line end ends a record.
func (c *Counter) ended() int {
	if c.counts.Odd {
		return 1
	}
	return 0
}

// endLine counts a line end, which ends a record in one of the cases, and belongs to it in the other.
func (c *Counter) endLine() {
	c.counts.Lines++
	ended := c.ended()
	e := &c.counts.In[ended]
	switch full := c.under[ended].Add(c.line); {
	case e.First < 0:
		e.First, e.FirstLines, e.Head = c.counts.Bytes, c.counts.Lines, full
	case full == Content:
		e.Records++
	}
	c.under[ended], c.under[1-ended], c.line = Nothing, Content, Nothing
}
