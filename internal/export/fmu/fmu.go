// Package fmu writes models as functional mock-up units of the FMI standard, versions 3.0 (target fmu) and 2.0 (target fmu2), for
// co-simulation: simulation tools set the columns as inputs, and get the predictions as outputs at the same instant (direct feedthrough).
//
// A unit is a ZIP archive of modelDescription.xml, the C source of the model (see package c) with that of the interface, and a shared
// library of it for Linux on amd64, if a C compiler is found here.
package fmu

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	_ "embed" // the C sources
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"text/template"
	"time"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/export"
	"github.com/tskgraph/tskgraph/internal/export/c"
)

func init() {
	for _, v := range []version{three, two} {
		export.Register(export.Target{Title: v.target, Meaning: "a functional mock-up unit (FMI " + v.fmi + ", co-simulation) with its C source",
			File: "model.fmu", Options: []string{export.OptionName}, Writing: v.write})
	}
}

// version is one of the FMI standard.
type version struct {
	target, fmi string
	source      string // C template of the interface
	library     string // directory of the shared library in the archive
	describe    func(u *unit) []byte
}

//go:embed instance.c.tmpl
var instance string

//go:embed fmi2.c.tmpl
var fmi2Source string

//go:embed fmi3.c.tmpl
var fmi3Source string

var (
	two   = version{"fmu2", "2.0", fmi2Source, "linux64", describe2}
	three = version{"fmu", "3.0", fmi3Source, "x86_64-linux", describe3}
)

// unit is what the descriptions and sources are written from.
type unit struct {
	*export.Form
	Name, Token string   // prefix of identifiers; the hash that tools compare
	Files       []string // sources
	Inputs      []input
	Results     []string // names of the outputs
}

// input is a column as an input variable. Levels are items of an enumeration: 1 to K, then one for a missing cell and one for any other
// level.
type input struct {
	export.Column
	Reference int
	Codes     []string // in C, of the items from 1; none of a column of numbers
}

func (v version) write(f *export.Form, o export.Options) (*export.Result, error) {
	if o.Name == "" {
		o.Name = "tsk"
	}
	code, err := c.Write(f, export.Options{Name: o.Name, Stem: o.Name})
	if err != nil {
		return nil, err
	}
	u := newUnit(f, o.Name)
	u.Files = []string{o.Name + ".c", "fmi.c"}
	sum := sha256.Sum256(append([]byte(v.fmi), code.Files[0].Data...))
	u.Token = "{" + hex.EncodeToString(sum[:16]) + "}"
	wrapper, err := u.render(instance + v.source)
	if err != nil {
		return nil, err
	}
	files := []export.File{{Name: "modelDescription.xml", Data: v.describe(u)}, {Name: "sources/" + u.Files[0], Data: code.Files[0].Data},
		{Name: "sources/" + o.Name + ".h", Data: code.Files[1].Data}, {Name: "sources/fmi.c", Data: wrapper}}
	if v.fmi == three.fmi {
		files = append(files, export.File{Name: "sources/buildDescription.xml", Data: u.build()})
	}
	result := &export.Result{Notes: code.Notes}
	library, err := compile(files, u.Files)
	if err != nil {
		result.Notes = append(result.Notes, fmt.Sprintf("%v: the unit has C source alone, which the tool that imports it must compile", err))
	} else {
		files = append(files, export.File{Name: "binaries/" + v.library + "/" + o.Name + ".so", Data: library})
	}
	packed, err := pack(files)
	result.Files = []export.File{{Data: packed}}
	return result, err
}

func newUnit(f *export.Form, name string) *unit {
	u := &unit{Form: f, Name: name}
	taken := export.Names{"time": true}
	free := func(name string) string { return taken.Free(escape.Text(name), export.Exact) } // in XML, a name has no line ends and tabs
	for i, column := range f.Columns {
		in := input{Column: column, Reference: i + 1}
		in.Name = free(column.Name)
		if !column.Numbers() {
			other := "NAN"
			if column.Nominal() {
				other = "-1"
			}
			for k := range column.Levels {
				in.Codes = append(in.Codes, fmt.Sprint(column.Code(k)))
			}
			in.Codes = append(in.Codes, "NAN", other)
		}
		u.Inputs = append(u.Inputs, in)
	}
	for _, o := range f.Outputs {
		u.Results = append(u.Results, free(o.Key))
	}
	if f.Kind == export.Classes {
		u.Results = append(u.Results, free(f.Target))
	}
	return u
}

// Classes reports whether the last output is the class.
func (u *unit) Classes() bool { return u.Kind == export.Classes }

// Last returns the reference of the last output.
func (u *unit) Last() int { return len(u.Inputs) + len(u.Results) }

func (u *unit) render(text string) ([]byte, error) {
	t, err := template.New("").Parse(text)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, u)
	return b.Bytes(), err
}

// compile compiles the sources as a shared library for Linux on amd64.
func compile(files []export.File, sources []string) (library []byte, err error) {
	if runtime.GOOS+"/"+runtime.GOARCH != "linux/amd64" {
		return nil, errors.New("this is no Linux on amd64")
	}
	compiler := ""
	for _, name := range []string{"cc", "gcc", "clang"} {
		if compiler, err = exec.LookPath(name); err == nil {
			break
		}
	}
	if compiler == "" {
		return nil, errors.New("no C compiler was found")
	}
	dir, err := os.MkdirTemp("", "tskgraph-fmu-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(f.Name)), f.Data, 0o600); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command(compiler, append([]string{"-std=c99", "-O2", "-ffp-contract=off", "-fPIC", "-shared", "-o", "unit.so"},
		append(sources, "-lm")...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", compiler, err, strings.TrimSpace(string(out)))
	}
	return os.ReadFile(filepath.Join(dir, "unit.so"))
}

// pack returns an archive of files, whose bytes depend on theirs alone.
func pack(files []export.File) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		to, err := w.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err == nil {
			_, err = to.Write(f.Data)
		}
		if err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}
