package scoring

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/tskgraph/tskgraph/data"
	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/registry"
)

// readRows reads a body of the plain form, one row as an object or an array of them, and calls do with the rows.
func (s *Server) readRows(m *served, body []byte, do func(b batch) error) error {
	w, err := newWalk(body)
	if err != nil {
		return refusal(http.StatusBadRequest, "%s", err)
	}
	sc, err := m.borrow()
	if err != nil {
		return err
	}
	defer m.release(sc)
	sc.cells.Reset(w.text)
	clear(sc.seen)
	n := 1
	if !w.enter('[') {
		err = s.readRow(m, w, sc, n)
	} else {
		for ; err == nil && w.more(']'); n++ {
			err = s.readRow(m, w, sc, n)
		}
		n--
	}
	if n == 0 {
		err = refusal(http.StatusBadRequest, "the body has no row")
	}
	if err == nil {
		err = rowFault(sc.cells.Read())
	}
	if err != nil {
		return err
	}
	return do(batch{sc.cells.X, sc.cells.Exposed, sc.cells.Cell, sc.cells.Missing})
}

// readRow reads row n from 1.
func (s *Server) readRow(m *served, w *walk, sc *scratch, n int) error {
	if n > s.limits.Rows {
		return s.tooManyRows()
	}
	if !w.enter('{') {
		return refusal(http.StatusBadRequest, "row %d: want an object with a value for each column, such as GET /openapi.json describes", n)
	}
	sc.cells.Add(1)
	found := 0
	for w.more('}') {
		name, _ := w.word()
		at, known := m.columns[name]
		if !known {
			return refusal(http.StatusBadRequest, "row %d: %s", n, m.unknown(name))
		}
		from, to, apart, ok := w.cell()
		switch {
		case !ok:
			return refusal(http.StatusBadRequest, "row %d: column %s: want a number, a text or null", n, escape.Quote(name))
		case at == unread:
			continue
		case sc.seen[at] == n:
			return refusal(http.StatusBadRequest, "row %d: column %s is given twice", n, escape.Quote(name))
		case apart != "":
			sc.cells.SetApart(n-1, at, apart)
		default:
			sc.cells.Set(n-1, at, from, to)
		}
		sc.seen[at] = n
		found++
	}
	if found == len(sc.cells.Names) {
		return nil
	}
	for at, name := range sc.cells.Names {
		if sc.seen[at] != n {
			return refusal(http.StatusBadRequest, "row %d: column %s is missing: give it a value, or null if it is not known", n,
				escape.Quote(name))
		}
	}
	return nil
}

// unknown says that the model has no column of a name.
func (m *served) unknown(name string) string {
	names := slices.Sorted(maps.Keys(m.columns))
	return "the model has no column " + escape.Quote(name) + registry.Hint(name, names) + " (its columns: " + escape.List(names) + ")"
}

func (s *Server) tooManyRows() error {
	return refusal(http.StatusRequestEntityTooLarge, "more than %d rows: divide the request", s.limits.Rows)
}

// readTable reads a body that is a table of delimited text, and calls do with batches of its rows.
func (s *Server) readTable(m *served, body []byte, do func(b batch) error) error {
	if !utf8.Valid(body) || bytes.IndexByte(body, 0) >= 0 { // neither compressed nor of another format
		return refusal(http.StatusBadRequest, "the table is not delimited text in UTF-8")
	}
	in, err := data.NewReader(data.Input{Name: "request", Reader: bytes.NewReader(body)}, m.Schema, data.ReaderOptions{Lenient: true})
	if err != nil {
		return lineFault(err)
	}
	defer in.Close()
	if m.Schema.Time == nil {
		for _, name := range in.Header() {
			if _, known := m.columns[name]; !known {
				return refusal(http.StatusBadRequest, "%s", m.unknown(name))
			}
		}
	}
	var all []data.Batch // whose rows stay until the decimal marks of the table are known
	rows := 0
	for {
		var b data.Batch
		err := in.Next(&b)
		if err == nil {
			err = b.Parse()
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return lineFault(err)
		}
		if rows += len(b.X); rows > s.limits.Rows {
			return s.tooManyRows()
		}
		all = append(all, b)
	}
	if _, err := in.Marks().Commas(); err != nil {
		return lineFault(err)
	}
	if rows == 0 {
		return refusal(http.StatusBadRequest, "the table has no row")
	}
	for i := range all {
		b := &all[i]
		if err := do(batch{b.X, b.Exposed, b.Cell, b.Missing}); err != nil {
			return err
		}
	}
	return nil
}

// lineFault is the error of the protocol about a line of a table.
func lineFault(err error) error {
	var fault *data.Error
	if errors.As(err, &fault) && fault.Line > 0 {
		return refusal(http.StatusBadRequest, "line %d: %s", fault.Line, fault.Message)
	}
	return rowFault(err)
}

// appendRow appends the answer to a row as JSON.
func (s *scores) appendRow(out []byte, n int) []byte {
	m := s.m
	out = append(out, `{"prediction":`...)
	switch {
	case m.Schema.Classes != nil:
		out = append(out, quoted(s.class(n))...)
		out = append(out, `,"probabilities":`...)
		out = m.appendValues(out, s.all, n)
	case m.Schema.Others != nil:
		out = m.appendValues(out, s.all, n)
	case len(s.all) > 1:
		out = appendNumber(out, s.p.Values[n])
		out = append(out, `,"quantiles":`...)
		out = m.appendValues(out, s.all, n)
	default:
		out = appendNumber(out, s.p.Values[n])
	}
	for _, bound := range []struct {
		name   string
		values [][]float64
	}{{`,"lower":`, s.low}, {`,"upper":`, s.high}} {
		if bound.values == nil {
			continue
		}
		if out = append(out, bound.name...); len(bound.values) > 1 {
			out = m.appendValues(out, bound.values, n)
		} else {
			out = appendNumber(out, bound.values[0][n])
		}
	}
	if s.sets != nil {
		out = append(out, `,"set":`...)
		out = appendTexts(out, s.set(n))
	}
	if s.decides != nil {
		out = s.appendRules(out, n)
	}
	out = append(out, `,"flags":[`...)
	for i, f := range s.flags[n] {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, quoted(f.String())...)
	}
	return append(out, "]}"...)
}

// appendRules appends the rules that decide: their numbers, and what they say; lists of both where each output has a page.
func (s *scores) appendRules(out []byte, n int) []byte {
	for _, key := range []string{`,"rule":`, `,"because":`} {
		words := key != `,"rule":`
		out = append(out, key...)
		if len(s.decides) > 1 {
			out = append(out, '[')
		}
		for c, of := range s.decides {
			if c > 0 {
				out = append(out, ',')
			}
			switch r := of[n]; {
			case r < 0:
				out = append(out, "null"...)
			case words:
				out = append(out, s.m.says[c][r]...)
			default:
				out = strconv.AppendInt(out, int64(r+1), 10)
			}
		}
		if len(s.decides) > 1 {
			out = append(out, ']')
		}
	}
	return out
}

// appendValues appends the values of a row as an object.
func (m *served) appendValues(out []byte, values [][]float64, n int) []byte {
	for j, of := range values {
		out = append(append(append(out, "{,"[min(j, 1)]), m.keys[j]...), ':')
		out = appendNumber(out, of[n])
	}
	return append(out, '}')
}

func appendTexts(out []byte, texts []string) []byte {
	out = append(out, '[')
	for i, text := range texts {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, quoted(text)...)
	}
	return append(out, ']')
}
