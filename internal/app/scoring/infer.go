package scoring

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// tensor is an input of an inference request of the Open Inference Protocol.
type tensor struct {
	name, datatype string
	shape          []int
	data           int // where it is in the text; -1: none
}

// inference is an inference request.
type inference struct {
	id      string
	inputs  []tensor
	outputs []string // empty: all
}

// datatypes are those of inputs.
var datatypes = []string{"FP64", "FP32", "FP16", "INT64", "INT32", "INT16", "INT8", "UINT64", "UINT32", "UINT16", "UINT8", "BOOL", "BYTES"}

// meanings are parameters that say how a client encodes a tensor that it has sent as JSON: they change nothing here.
var meanings = []string{"content_type", "headers"}

func wanted(what, where string) error {
	return refusal(http.StatusBadRequest, "%s: want %s", where, what)
}

// readInference reads a request without the data of its tensors.
func readInference(w *walk) (q inference, err error) {
	if !w.enter('{') {
		return q, wanted("an object with inputs", "the body")
	}
	for err == nil && w.more('}') {
		var ok bool
		switch key, _ := w.word(); key {
		case "id":
			if q.id, ok = w.word(); !ok {
				err = wanted("a string", "id")
			}
		case "parameters":
			err = readParameters(w, "the request")
		case "inputs":
			err = eachObject(w, key, func(where string) error {
				t, err := readTensor(w, where)
				q.inputs = append(q.inputs, t)
				return err
			})
		case "outputs":
			err = eachObject(w, key, func(where string) error {
				t, err := readTensor(w, where)
				q.outputs = append(q.outputs, t.name)
				return err
			})
		default:
			err = refusal(http.StatusBadRequest, "the request has the key %s: want id, parameters, inputs and outputs", escape.Quote(key))
		}
	}
	if err == nil && q.inputs == nil {
		err = wanted("at least one tensor", "inputs")
	}
	return q, err
}

// eachObject calls do for each object of an array.
func eachObject(w *walk, key string, do func(where string) error) error {
	if !w.enter('[') {
		return wanted("an array", key)
	}
	for i := 0; w.more(']'); i++ {
		where := fmt.Sprintf("%s[%d]", key, i)
		if !w.enter('{') {
			return wanted("an object", where)
		}
		if err := do(where); err != nil {
			return err
		}
	}
	return nil
}

// readParameters refuses parameters that ask for what the server does not do, such as tensors in binary form.
func readParameters(w *walk, where string) error {
	if !w.enter('{') {
		return wanted("an object", where+": parameters")
	}
	for w.more('}') {
		key, _ := w.word()
		if w.pass(); !slices.Contains(meanings, key) {
			return refusal(http.StatusBadRequest, "%s: the parameter %s is not supported: leave it out", where, escape.Quote(key))
		}
	}
	return nil
}

// readTensor reads an input, or an output that is asked for, which has a name alone.
func readTensor(w *walk, where string) (t tensor, err error) {
	t.data = -1
	for err == nil && w.more('}') {
		ok := true
		switch key, _ := w.word(); key {
		case "name":
			t.name, ok = w.word()
		case "datatype":
			t.datatype, ok = w.word()
		case "shape":
			t.shape, ok = readShape(w)
		case "data":
			w.next()
			t.data = w.at
			w.pass()
		case "parameters":
			err = readParameters(w, where)
		default:
			err = refusal(http.StatusBadRequest, "%s: the key %s is not one of a tensor", where, escape.Quote(key))
		}
		if !ok {
			err = wanted("name and datatype as strings, and shape as an array of at most two whole numbers", where)
		}
	}
	if err == nil && t.name == "" {
		err = wanted("a name", where)
	}
	return t, err
}

// readShape reads one or two sizes.
func readShape(w *walk) (shape []int, ok bool) {
	if !w.enter('[') {
		return nil, false
	}
	for w.more(']') {
		from, to, _, _ := w.cell()
		size, err := strconv.Atoi(w.text[from:to])
		if err != nil || size < 0 || len(shape) == 2 {
			return nil, false
		}
		shape = append(shape, size)
	}
	return shape, len(shape) > 0
}

// readTensors reads the rows of a request: a tensor of each column, or one matrix of all columns in the order of the model.
func (s *Server) readTensors(m *served, w *walk, q inference, sc *scratch) error {
	names := m.names
	first := q.inputs[0]
	_, column := m.columns[first.name]
	if matrix := len(q.inputs) == 1 && len(first.shape) == 2 && !column; matrix && first.shape[1] != len(names) {
		return refusal(http.StatusBadRequest, "%s: %d columns, the model has %d: %s", escape.Quote(first.name), first.shape[1], len(names),
			escape.List(names))
	} else if matrix {
		return s.readTensor(m, w, first, sc, 0, len(names))
	}
	clear(sc.seen)
	for _, t := range q.inputs {
		at, known := m.columns[t.name]
		switch {
		case !known:
			return refusal(http.StatusBadRequest, "%s", m.unknown(t.name))
		case at == unread:
			continue
		case sc.seen[at] != 0:
			return refusal(http.StatusBadRequest, "the input %s is given twice", escape.Quote(t.name))
		}
		sc.seen[at] = 1
		if err := s.readTensor(m, w, t, sc, at, 1); err != nil {
			return err
		}
	}
	for at, name := range names {
		if sc.seen[at] == 0 {
			return refusal(http.StatusBadRequest, "the input %s is missing", escape.Quote(name))
		}
	}
	return nil
}

// readTensor reads a tensor of so many columns from the one at an index on.
func (s *Server) readTensor(m *served, w *walk, t tensor, sc *scratch, at, width int) error {
	where := "input " + escape.Quote(t.name)
	c, n := sc.cells, 0
	if len(t.shape) > 0 {
		n = t.shape[0]
	}
	switch {
	case !slices.Contains(datatypes, t.datatype):
		return wanted("one of "+strings.Join(datatypes, ", "), where+": datatype "+escape.Quote(t.datatype))
	case t.data < 0:
		return wanted("data", where)
	case len(t.shape) == 0 || len(t.shape) == 2 && t.shape[1] != width || len(t.shape) == 1 && width > 1:
		return wanted(fmt.Sprintf("[N] or [N,%d]", width), fmt.Sprintf("%s: shape %v", where, t.shape))
	case n > s.limits.Rows:
		return s.tooManyRows()
	case n == 0:
		return refusal(http.StatusBadRequest, "%s: no rows", where)
	case c.Len() == 0:
		c.Add(n)
	case n != c.Len():
		return refusal(http.StatusBadRequest, "%s: %d rows, but %d of the inputs before", where, n, c.Len())
	}
	w.at = t.data
	k, begins, depth := 0, 0, 0
	for {
		switch b := w.next(); {
		case b == '[' && depth < len(t.shape):
			w.at, depth, begins = w.at+1, depth+1, k
			continue
		case b == ']' && depth == 2 && k-begins != t.shape[1]:
			return refusal(http.StatusBadRequest, "%s: an array of %d values, want %d by its shape", where, k-begins, t.shape[1])
		case b == ']':
			w.at, depth = w.at+1, depth-1
		case depth == 0 || b == '[' || b == '{' || k == n*width:
			return refusal(http.StatusBadRequest, "%s: data does not have the shape %v", where, t.shape)
		case !setTensor(w, t.datatype, c, k/width, at+k%width, m.numbers[at+k%width]):
			return refusal(http.StatusBadRequest, "%s: value %d of data is no %s", where, k+1, t.datatype)
		default:
			k++
		}
		if depth == 0 && k == n*width {
			return nil
		} else if depth == 0 {
			return refusal(http.StatusBadRequest, "%s: %d values in data, want %d by its shape", where, k, n*width)
		}
	}
}

// setTensor sets a cell to the next value of a tensor, which may be null, and reports whether it is of the datatype.
func setTensor(w *walk, datatype string, c *table.Cells, row, column int, numbers bool) bool {
	first := w.next()
	from, to, apart, _ := w.cell()
	text := w.text[from:to]
	switch {
	case first == 'n':
	case datatype == "BYTES" && first == '"' && apart != "":
		c.SetApart(row, column, apart)
	case datatype == "BYTES":
		c.Set(row, column, from, to)
		return first == '"'
	case datatype == "BOOL":
		if numbers {
			text = map[string]string{"true": "1", "false": "0"}[text]
		}
		c.SetApart(row, column, text)
		return first == 't' || first == 'f'
	case first == '"' || first == 't' || first == 'f' || datatype[0] != 'F' && strings.ContainsAny(text, ".eE"):
		return false
	case datatype[0] == 'F' && !numbers: // a level such as 1, sent as 1.0
		if v, ok := table.ParseNumber(text); ok {
			text = table.NumberText(v)
		}
		c.SetApart(row, column, text)
	default:
		c.Set(row, column, from, to)
	}
	return true
}
