package c_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/export/c"
	"github.com/tskgraph/tskgraph/internal/test/exporttest"
	"github.com/tskgraph/tskgraph/internal/test/testenv"
	"github.com/tskgraph/tskgraph/model"
)

// number is the case of most tests.
var number = exporttest.Case{Shape: "gaussian", Response: "number"}

// strict are the warnings of which a source has none.
var strict = []string{"-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wshadow", "-Wconversion", "-Wstrict-prototypes",
	"-Wcast-qual"}

// optimised is how the models of all cases are compiled; by default and under CI=true in less time.
var optimised = []string{"-O0", "-O1", "-O2"}[testenv.CaseNumber(0, 1, 2)]

// sanitized are flags of a program that ends where the behaviour is not defined; often are those of programs that by default only
// TestFilter has.
var (
	sanitized = []string{"-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"}
	often     = [][]string{{"-O0"}, sanitized}[testenv.Cases(0, 1)]
)

// compile compiles with warnings as errors and returns the path of the program.
func compile(t testing.TB, arguments ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	run(t, exporttest.Tool(t, "gcc", "cc"), slices.Concat(strict, []string{"-o", program}, arguments, []string{"-lm"})...)
	return program
}

func run(t testing.TB, program string, arguments ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), program, arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
}

// filterOf compiles the filter of a form.
func filterOf(t testing.TB, f *export.Form, o export.Options, flags ...string) string {
	t.Helper()
	return compile(t, append(flags, "-DTSK_MAIN", exporttest.Written(t, c.Write, f, o, "model.c")[0])...)
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

// predictions runs a compiled filter on cells and reads the outputs and, of classes, these.
func predictions(t testing.TB, program string, f *export.Form, cells [][]string) (y [][]float64, classes []string) {
	t.Helper()
	stdout, stderr, err := filter(t, program, (&exporttest.Table{Cells: cells}).CSV(false))
	if err != nil {
		t.Fatalf("%v: %s", err, stderr)
	}
	rows, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for n := range rows {
		if f.Kind == export.Classes {
			classes, rows[n] = append(classes, rows[n][0]), rows[n][1:]
		}
	}
	return exporttest.Numbers(t, rows), classes
}

// compiled predicts by filters that are compiled with flags.
func compiled(o export.Options, flags ...string) exporttest.Consumer {
	return func(t *testing.T, f *export.Form, cells [][]string) ([][]float64, []string) {
		return predictions(t, filterOf(t, f, o, flags...), f, cells)
	}
}

func TestFilterPredicts(t *testing.T) {
	exporttest.Hold(t, compiled(export.Options{}, optimised), 0, exporttest.All, exporttest.Trimming, exporttest.Tables)
}

// floatTolerance is the largest difference of numbers of 32 bits to a prediction, as a share of the
// target's range.
const floatTolerance = 1e-4

// TestFloat compiles every second case, by make matrix each.
func TestFloat(t *testing.T) {
	n := 0
	exporttest.Each(t, func(t *testing.T, _ exporttest.Case, _ *model.Model, table *exporttest.Table) {
		if n++; n%testenv.CaseNumber(2, 2, 1) > 0 {
			return
		}
		y, _ := compiled(export.Options{Float: true}, optimised)(t, table.Form, table.Cells)
		table.Compare(t, y, floatTolerance)
	})
}

const cellsOfFive = `15,2,"mon, tue",middle,-42`

// TestFilter reads tables, and refuses lines, without behaviour that is not defined.
func TestFilter(t *testing.T) {
	f := number.Form(t)
	program := filterOf(t, f, export.Options{}, sanitized...)
	t.Run("reads", func(t *testing.T) { testReads(t, f, program) })
	t.Run("refuses", func(t *testing.T) { testRefuses(t, program) })
}

func testReads(t *testing.T, f *export.Form, program string) {
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

func testRefuses(t *testing.T, program string) {
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
	for _, begin := range []string{"\uff15", "\ufee1", "\xef", "\xef\xbb"} { // characters with bytes of the byte order mark
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
	program := filterOf(f, exporttest.Case{Shape: "gaussian", Response: "classes"}.Form(f), export.Options{}, often...)
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

// The filter ends at a text that is no number.
func TestFilterRefusesCells(t *testing.T) {
	cells := exporttest.NewCells(t)
	program := filterOf(t, cells.Form, export.Options{}, often...)
	for _, row := range cells.Of(exporttest.NoNumbers).Cells {
		two := exporttest.Table{Cells: [][]string{cells.Cells[0], row}} // a mark of byte order may come first
		if _, stderr, err := filter(t, program, two.CSV(false)); err == nil || !strings.HasPrefix(stderr, "line 2, column 1: ") {
			t.Errorf("%q: %v, %q", row, err, stderr)
		}
	}
}

// TestSanitized runs cases without behaviour that is not defined; each member has its own formulas.
func TestSanitized(t *testing.T) {
	tables := map[string]*exporttest.Table{}
	for _, one := range testenv.Share([]exporttest.Case{
		{Shape: "trapezoid", Response: "classes", Committee: true, Components: true, Curves: "own", Defuzz: "htsk"},
		{Shape: "gaussian", Response: "quantiles", Curves: "shared", Transform: true},
		{Shape: "gbell", Response: "targets", TNorm: "minimum", Committee: true},
	}, 3, 0) {
		tables[one.Name()] = one.Table(t, 200)
	}
	two := exporttest.Case{Shape: "gaussian", Response: "number", Committee: true}.Table(t, 20)
	two.Form.Members[1] = exporttest.Case{Shape: "trapezoid", Response: "number", Defuzz: "htsk"}.Form(t).Members[0]
	two.SetWant()
	tables["members of two shapes"] = two
	for name, table := range tables {
		t.Run(name, func(t *testing.T) {
			y, _ := compiled(export.Options{}, often...)(t, table.Form, table.Cells)
			table.Compare(t, y, exporttest.Tolerance)
		})
	}
}

// hostile is text that would end comments, strings and lines.
const (
	hostileLevel = "*/ /* ??/ \\\n\" %s ' // \u202e é"
	hostile      = hostileLevel + "\x00 */*/"
)

// TestHeader: strangers' names are harmless, the header serves C and C++, and there is no name
// outside the prefix.
func TestHeader(t *testing.T) {
	f := exporttest.Case{Shape: "gaussian", Response: "classes", Committee: true}.Form(t)
	for i := range f.Columns {
		f.Columns[i].Name, f.Columns[i].Unit = hostile, hostile
	}
	f.Columns[2].Levels[1], f.Outputs[1].Name, f.Target = hostileLevel, hostileLevel, hostile
	source := exporttest.Written(t, c.Write, f, export.Options{Name: "no2"}, "model.c")[0]
	dir := filepath.Dir(source)
	const main = "testdata/caller.c"
	level := `"*/ /* \?\?/ \\\n\" %s ' // \342\200\256 \303\251"`
	run(t, compile(t, "-I"+dir, "-DLEVEL="+level, main, source))
	run(t, compile(t, "-xc++", "-std=c++11", "-Wno-conversion", "-Wno-error", "-I"+dir, "-DLEVEL="+level, main, "-xc", "-std=c99", source))
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(strings.ReplaceAll(string(text), "TSK_MAIN", ""), "TSK_") || strings.Contains(string(text), "tsk_") {
		t.Error("the file has names with another prefix")
	}
}

func TestOptions(t *testing.T) {
	f := number.Form(t)
	for _, name := range []string{"2no", "a b", "a-b", "é", "_x", strings.Repeat("a", 21), "x\n"} {
		var wrong *export.OptionError
		if _, err := c.Write(f, export.Options{Name: name}); !errors.As(err, &wrong) || wrong.Option != export.OptionName {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestInfinity: an open limit is written as an infinity.
func TestInfinity(t *testing.T) {
	f := exporttest.Case{Shape: "sigmoid", Response: "quantiles", Committee: true}.Form(t)
	f.Members[0].Low[0] = math.Inf(-1)
	text, err := os.ReadFile(exporttest.Written(t, c.Write, f, export.Options{}, "model.c")[0])
	if err != nil || !strings.Contains(string(text), "-INFINITY") {
		t.Errorf("no limit is written as an infinity, %v", err)
	}
}

func TestRefusals(t *testing.T) {
	for want, spoil := range map[string]func(f *export.Form) export.Options{
		"beyond the range of 32 bits": func(f *export.Form) export.Options {
			f.Members[0].Inputs[0].Mean = 1e39
			return export.Options{Float: true}
		},
		"more than 4095 bytes": func(f *export.Form) export.Options {
			f.Columns[2].Levels[0] = strings.Repeat("x", 4096)
			return export.Options{}
		},
	} {
		f := number.Form(t)
		o := spoil(f)
		var refusal *export.Refusal
		if _, err := c.Write(f, o); !errors.As(err, &refusal) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
