package c_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/export/c"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/model"
)

// strict are the warnings of which a source has none.
var strict = []string{"-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wshadow", "-Wconversion", "-Wstrict-prototypes",
	"-Wcast-qual"}

// write exports a form into a new directory and returns the path of the source.
func write(t testing.TB, f *export.Form, o export.Options) string {
	t.Helper()
	r, err := c.Write(f, o)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "model.c")
	for _, file := range r.Files {
		name := file.Name
		if name == "" {
			name = "model.c"
		}
		if !bytes.Contains(file.Data[:min(len(file.Data), 1024)], []byte(export.Marker)) {
			t.Errorf("%s does not say who wrote it", name)
		}
		if err := os.WriteFile(filepath.Join(dir, name), file.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// compile compiles with warnings as errors and returns the path of the program.
func compile(t testing.TB, arguments ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	run(t, exporttest.Tool(t, "gcc", "cc"), append(append(strict, "-o", program), append(arguments, "-lm")...)...)
	return program
}

func run(t testing.TB, program string, arguments ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), program, arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
}

// filter runs a compiled filter.
func filter(t testing.TB, program, input string) (stdout, stderr string, err error) {
	t.Helper()
	var out, errs strings.Builder
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// predictions runs a compiled filter on a table and reads the outputs.
func predictions(t testing.TB, program string, table *exporttest.Table) [][]float64 {
	t.Helper()
	stdout, stderr, err := filter(t, program, table.CSV(false))
	if err != nil {
		t.Fatalf("%v: %s", err, stderr)
	}
	rows, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var got [][]float64
	for n, row := range rows {
		if table.Form.Kind == export.Classes {
			checkClass(t, table, n, row[0])
			row = row[1:]
		}
		var y []float64
		for _, cell := range row {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			y = append(y, v)
		}
		got = append(got, y)
	}
	return got
}

// checkClass checks the class of a row: the first of the most probable ones, up to rounding.
func checkClass(t testing.TB, table *exporttest.Table, n int, class string) {
	t.Helper()
	most, p := 0.0, -1.0
	for j, v := range table.Want[n] {
		if most = max(most, v); table.Form.Outputs[j].Name == class {
			p = v
		}
	}
	if !(p >= most-1e-4) {
		t.Errorf("row %d: class %q of probabilities %v", n+1, class, table.Want[n])
	}
}

func TestFilterPredicts(t *testing.T) {
	exporttest.Each(t, func(t *testing.T, _ exporttest.Case, _ *model.Model, table *exporttest.Table) {
		program := compile(t, "-O2", "-DTSK_MAIN", write(t, table.Form, export.Options{}))
		table.Compare(t, predictions(t, program, table), exporttest.Tolerance)
	})
}

func form(t testing.TB, c exporttest.Case) *export.Form {
	t.Helper()
	m, err := c.Model()
	if err != nil {
		t.Fatal(err)
	}
	f, err := export.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// sanitized compiles a form as a filter that ends where the behaviour is not defined.
func sanitized(t *testing.T, f *export.Form) string {
	t.Helper()
	return compile(t, "-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-DTSK_MAIN", write(t, f, export.Options{}))
}

const cellsOfFive = `15,2,"mon, tue",middle,-42`

func TestFilterReadsCSV(t *testing.T) {
	f := form(t, exporttest.Case{Shape: "gaussian", Response: "number"})
	program := sanitized(t, f)
	plain, _, err := filter(t, program, cellsOfFive+"\n")
	if err != nil {
		t.Fatal(err)
	}
	unknown, _, err := filter(t, program, ",,,,\n")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ in, want string }{
		"no final newline": {cellsOfFive, plain},
		"CRLF":             {cellsOfFive + "\r\n" + cellsOfFive + "\r\n", plain + plain},
		"empty lines":      {"\n\r\n" + cellsOfFive + "\n\n\n" + cellsOfFive + "\n\n", plain + plain},
		"byte order mark":  {"\xef\xbb\xbf" + cellsOfFive + "\n", plain},
		"blanks":           {" 15\t, 2 ,\"mon, tue\" ,  middle,-42 \n", plain},
		"quoted numbers":   {`"15","2.0","mon, tue","middle","-4.2e1"` + "\n", plain},
		"blanks in quotes": {"\" 15\n\",2,\" mon, tue\",middle,-42", plain},
		"doubled quotes":   {`15,2,O'Hare,"""big""",-42`, ""},
		"missing values":   {"NA,n/a,?,null,NaN\n", unknown},
		"infinite numbers": {"inf,2,O'Hare,small,-42\n1,-Infinity,O'Hare,small,-42\n1,1e999,=wed,small,-42\n", "NaN\nNaN\nNaN\n"},
		"nothing":          {"", ""},
	} {
		got, stderr, err := filter(t, program, c.in)
		if err != nil {
			t.Errorf("%s: %v: %s", name, err, stderr)
		}
		if c.want == "" && c.in != "" {
			y := 0.0
			if _, err := fmt.Sscan(got, &y); err != nil {
				t.Fatal(err)
			}
			if want := f.Predict(f.Encode([]string{"15", "2", "O'Hare", `"big"`, "-42"}))[0]; !(math.Abs(y-want) < 1e-10) {
				t.Errorf("%s: %v, want %v", name, y, want)
			}
			continue
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestFilterRefusesFaultyLines(t *testing.T) {
	program := sanitized(t, form(t, exporttest.Case{Shape: "gaussian", Response: "number"}))
	good := cellsOfFive + "\n"
	plain, _, _ := filter(t, program, good)
	for name, c := range map[string]struct{ line, want string }{
		"too few cells":      {"1,2,3\n", "line 3: 3 cells, want 5"},
		"one cell":           {"1", "line 3: 1 cells, want 5"},
		"a cell too many":    {good[:len(good)-1] + ",7\n", "line 3: 6 cells, want 5"},
		"many cells":         {strings.Repeat(",", 1<<20), "line 3: more cells than columns, which are 5"},
		"a long cell":        {strings.Repeat("1", 1<<20) + ",2,3,4,5\n", "line 3: a cell is too long"},
		"a text":             {"warm,2,O'Hare,small,-42\n", `line 3, column 1: "warm" is not a number`},
		"a comma as point":   {"\"1,5\",2,O'Hare,small,-42\n", `line 3, column 1: "1,5" is not a number`},
		"hexadecimal":        {"1,0x10,O'Hare,small,-42\n", `line 3, column 2: "0x10" is not a number`},
		"a quote in a cell":  {"1,2,O\"Hare,small,-42\n", "line 3: a quote within a cell"},
		"text after a quote": {"1,2,\"O'Hare\"s,small,-42\n", "line 3: text after a quoted cell"},
		"no closing quote":   {"1,2,\"O'Hare,small,-42\n", "line 3: a quoted cell does not end"},
		"a NUL byte":         {"1,2,O'Hare\x00,small,-42\n", "line 3: a NUL byte"},
		"a wrong mark":       {"\xef\xbb1,2,3,4,5\n", "line 3, column 1"},
	} {
		stdout, stderr, err := filter(t, program, good+"\n"+c.line)
		if err == nil || err.Error() != "exit status 1" || !strings.Contains(stderr, c.want) || stdout != plain {
			t.Errorf("%s: %v, %q, %q; want %q", name, err, stdout, stderr, c.want)
		}
	}
}

// A table may begin with a character that has bytes of the byte order mark.
func TestFilterReadsFirstBytes(t *testing.T) {
	program := sanitized(t, form(t, exporttest.Case{Shape: "gaussian", Response: "number"}))
	for _, begin := range []string{"\uff15", "\ufee1", "\xef", "\xef\xbb"} {
		_, stderr, err := filter(t, program, begin+",2,O'Hare,small,-42\n")
		if want := "line 1, column 1: \"" + begin + "\" is not a number"; err == nil || !strings.HasPrefix(stderr, want) {
			t.Errorf("%q: %v, %q; want %q", begin, err, stderr, want)
		}
	}
}

// FuzzFilter reads any bytes without behaviour that is not defined, and predicts or says a line.
func FuzzFilter(f *testing.F) {
	for _, seed := range []string{"", cellsOfFive, "\"\"\"\",,\r\n,,,,\n", "\xef", ",,,,\r", "1e5,nan(7),=wed,4,-0"} {
		f.Add(seed)
	}
	m, err := exporttest.Case{Shape: "gaussian", Response: "classes"}.Model()
	if err != nil {
		f.Fatal(err)
	}
	form, err := export.New(m)
	if err != nil {
		f.Fatal(err)
	}
	program := compile(f, "-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-DTSK_MAIN",
		write(f, form, export.Options{}))
	f.Fuzz(func(t *testing.T, input string) {
		stdout, stderr, err := filter(t, program, input)
		if err != nil && (err.Error() != "exit status 1" || !strings.HasPrefix(stderr, "line ")) {
			t.Errorf("%q: %v: %s", input, err, stderr)
		}
		if rows := strings.Count(stdout, "\n"); rows > strings.Count(input, "\n")+1 {
			t.Errorf("%q: %d predictions", input, rows)
		}
	})
}

// The filter reads odd cells as predict does, and ends at a text that is no number.
func TestFilterReadsCells(t *testing.T) {
	cells := exporttest.NewCells(t)
	program := sanitized(t, cells.Form)
	table := cells.Of(exporttest.All, exporttest.Trimming, exporttest.Tables)
	table.Compare(t, predictions(t, program, table), exporttest.Tolerance)
	refused := cells.Of(exporttest.NoNumbers)
	for n := range refused.Cells {
		two := exporttest.Table{Form: refused.Form, Cells: [][]string{cells.Cells[0], refused.Cells[n]}} // a mark of byte order may come first
		if _, stderr, err := filter(t, program, two.CSV(false)); err == nil || !strings.HasPrefix(stderr, "line 2, column 1: ") {
			t.Errorf("%q: %v, %q", refused.Cells[n], err, stderr)
		}
	}
}
