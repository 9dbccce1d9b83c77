package main

// cut is what the page's build leaves out of a package, so that the linker can drop it: functions that the page never calls. Some
// of them look up methods by names that are known at run time only, which makes the linker keep all methods of all types.
type cut struct {
	module string // "std" for the standard library
	dir    string // of the package, in the module
	file   string // a file, or "*" for all files

	remove []string // functions, and methods as "Type.Method", that disappear
	stub   []string // those that panic

	cases []string // expressions of case clauses that disappear; at least one must be there

	edits []edit // replacements of texts, each of which occurs once
	add   string // declarations at the end of the file
}

type edit struct{ old, new string }

const (
	tskgraph = "github.com/tskgraph/tskgraph"
	tensor   = "gorgonia.org/tensor"
	graphviz = "github.com/awalterschulze/gographviz"
	expr     = "github.com/expr-lang/expr"
)

// cuts leave more than half of the program out.
var cuts = []cut{
	// Protocol buffers, flat buffers, Arrow and encoding/gob.
	{module: tensor, file: "dense_io.go", remove: []string{"Dense.FBEncode", "Dense.FBDecode", "Dense.PBEncode", "Dense.PBDecode", "Dense.GobEncode", "Dense.GobDecode"}},
	{module: tensor, file: "sparse_io.go", remove: []string{"CS.GobEncode", "CS.GobDecode"}},
	{module: tensor, file: "tensor.go", edits: []edit{{"\tgob.GobEncoder\n\tgob.GobDecoder\n", ""}, {"\tgob.Register(&Dense{})\n\tgob.Register(&CS{})\n", ""}}},
	{module: tensor, file: "dense_compat.go", remove: []string{"FromArrowArray", "FromArrowTensor"}},
	// Arithmetic on the types that no network of tskgraph has; the default clauses return errors.
	{module: tensor, dir: "internal/execution", file: "*", cases: []string{
		"Int8", "Int16", "Int32", "Int64", "Uint", "Uint8", "Uint16", "Uint32", "Uint64", "Uintptr", "UnsafePointer", "Float32", "Complex64", "Complex128", "String",
	}},
	// Comparisons and arithmetic that no layer has.
	{module: tensor, file: "defaultengine_cmp.go", stub: []string{
		"StdEng.Lt", "StdEng.Lte", "StdEng.Gte", "StdEng.ElNe", "StdEng.LtScalar", "StdEng.LteScalar", "StdEng.GteScalar", "StdEng.NeScalar",
	}},
	{module: tensor, file: "defaultengine_arith.go", stub: []string{"StdEng.Pow", "StdEng.Mod", "StdEng.PowScalar", "StdEng.ModScalar"}},
	{module: tensor, file: "defaultengine_unary.go", stub: []string{"StdEng.Log2", "StdEng.Cube", "StdEng.Cbrt", "StdEng.InvSqrt"}},
	// Pictures of graphs: the tables of a parser, which encoding/gob decodes when the program starts.
	{module: graphviz, dir: "internal/parser", file: "actiontable.go", remove: []string{"init"}},
	{module: graphviz, dir: "internal/parser", file: "gototable.go", remove: []string{"init"}},
	// Dtype embeds reflect.Type, whose methods look up methods.
	{module: tensor, file: "types.go", add: `
func (Dtype) Method(int) reflect.Method { panic("Dtype.Method is ` + absent + `") }

func (Dtype) MethodByName(string) (reflect.Method, bool) { panic("Dtype.MethodByName is ` + absent + `") }

func (Dtype) Methods() iter.Seq[reflect.Method] { panic("Dtype.Methods is ` + absent + `") }
`, edits: []edit{{"import (", "import (\n\t\"iter\""}}},
	// Formulas are parsed, and evaluated by tskgraph: values in them have no methods.
	{module: expr, dir: "builtin", file: "lib.go", stub: []string{everything}},
	{module: expr, dir: "checker/nature", file: "nature.go", stub: []string{"Nature.All"}},
	{module: expr, dir: "checker/nature", file: "utils.go", stub: []string{"methodset.method"}},
	{module: expr, dir: "vm/runtime", file: "runtime.go", stub: []string{everything}},
	{module: expr, dir: "vm/runtime", file: "helpers?generated?.go", stub: []string{everything}},
	// A template calls methods whose names are in it; methods.go writes templateMethod.
	{module: std, dir: "text/template", file: "exec.go", edits: []edit{{"ptr.MethodByName(fieldName)", templateLookup}}},
}

const (
	std        = "std"
	everything = "*" // all functions of a file
	absent     = "not part of the page"
)

// compact are packages that compute little: without inlining, which saves time elsewhere, the program is a sixteenth smaller.
var compact = []string{
	"archive/zip", "encoding/json", "fmt", "go/...", "html/...", "regexp/...", "text/template/...", "time",
	"go.yaml.in/...", "github.com/expr-lang/...", "github.com/awalterschulze/...",
	tskgraph + "/config", tskgraph + "/describe", tskgraph + "/export/...", tskgraph + "/internal/predicting", tskgraph + "/internal/runs",
	tskgraph + "/internal/viewing", tskgraph + "/internal/workbench", tskgraph + "/knowledge/...", tskgraph + "/recipe", tskgraph + "/report/...",
}
