package data

import (
	"context"
	"errors"
	"io/fs"

	"github.com/tskgraph/tskgraph/internal/base/escape"
	"github.com/tskgraph/tskgraph/internal/base/safefile"
	"github.com/tskgraph/tskgraph/internal/data/table"
)

// Source says where the data of a run come from and how they are divided: a table (Path), or a built-in data set
// (Builtin, "mackey-glass" when both are empty).
type Source struct {
	// a table with a header: a file, several (see Files), - for standard input, or a database, of which Options.Query has
	// the rows
	Path string
	// a table of its own for the test part, with the same columns (that of weights too) in any order; Split then divides
	// Path into training and validation
	TestPath      string
	Builtin       string // see Builtins
	table.Options        // how the tables are read; a built-in takes none
	Split         Split  // for a built-in, Kind and Train default to its customary ones
}

const defaultBuiltin = "mackey-glass"

// Validate checks what can be checked without reading: options that contradict each other, or that do not apply. The
// error joins all faults, each a *KeyError.
func (s Source) Validate() error {
	if s.Path == "" {
		return s.validateBuiltin()
	}
	var faults []error
	fail := func(bad bool, fault *table.KeyError) {
		if bad {
			faults = append(faults, fault)
		}
	}
	faults = append(faults, s.Options.Input(s.Path).Check())
	byColumn := s.Split.Kind == splitColumn
	fail(s.Builtin != "", table.KeyFault("data.builtin", "%s cannot be combined with data.path: leave one of them out",
		escape.Quote(s.Builtin)).RestingOn("data.path"))
	fail(s.TestPath != "" && table.Input{Name: s.TestPath}.Scheme() != nil,
		table.KeyFault("data.test_path", "want a file: mark the test rows of a database in a column of its query (split: column)"))
	fail(s.TestPath != "" && byColumn, table.KeyFault("data.test_path",
		"cannot be combined with data.split: column, which marks the test rows").RestingOn("data.split"))
	fail(s.TestPath != "" && !byColumn && s.Split.Train != 0,
		table.KeyFault("data.train",
			"cannot be combined with data.test_path: all that data.validation leaves is for training").RestingOn("data.test_path",
			"data.validation"))
	fail(s.TestPath == table.StandardInput && s.Path == table.StandardInput,
		table.KeyFault("data.test_path", "standard input is data.path: save one of the tables to a file").RestingOn("data.path"))
	fail(byColumn && s.Split.Column == "", table.KeyFault("data.split_column", "name the column that says train, validation or test"))
	fail(s.Split.Kind == splitChronological && s.Group != "",
		table.KeyFault("data.group", "cannot be combined with data.split: chronological, which keeps the rows in order").RestingOn("data.split"))
	fail(s.Offset.Column != "" && s.Split.Calibration > 0, table.KeyFault("data.calibration",
		"a target with an exposure (data.offset) has no prediction intervals: set it to 0").RestingOn("data.offset"))
	faults = append(faults, s.validateTime()...)
	split := s.Split
	if s.TestPath != "" && !byColumn {
		split.Train = 1 - split.Validation // all that is left; the default does not apply
	}
	opts, err := s.options()
	return errors.Join(append(faults, split.Validate(), err, opts.Validate())...)
}

// validateTime checks how rows of a table of time stamps become samples.
func (s Source) validateTime() (faults []error) {
	if s.Time == nil {
		return nil
	}
	for _, f := range s.Time.Check(s.Target) {
		faults = append(faults, table.KeyFault(f.Key, "%s", f.Message))
	}
	for _, bad := range []struct {
		is        bool
		key, want string
	}{
		{len(s.Others) > 0 || s.Task == table.TaskClassification, "data.target", "one target of numbers"},
		{s.Split.Kind != "" && s.Split.Kind != splitChronological, "data.split", "chronological, the default there"},
		{s.TestPath != "", "data.test_path", "none: the last rows of data.path are the test part, whose past comes before them"},
		{s.Group != "", "data.group", "none: rows of one time stay together"},
		{s.Offset.Column != "", "data.offset", "none: divide the target by the exposure"},
	} {
		if bad.is {
			faults = append(faults, table.KeyFault(bad.key, "with data.time: want %s", bad.want).RestingOn("data.time"))
		}
	}
	return faults
}

func (s Source) validateBuiltin() error {
	b, err := findBuiltin(s.builtin())
	if err != nil {
		return err
	}
	o := s.Options
	faults := []error{b.validateTask(o.Task)}
	for _, option := range []struct {
		key string
		set bool
	}{
		{"test_path", s.TestPath != ""},
		{"query", o.Query != ""},
		{"target", o.Target != "" && o.Target != b.target || len(o.Others) > 0},
		{"features", len(o.Features) > 0},
		{"ignore", len(o.Ignore) > 0},
		{"weight", o.Weight != ""},
		{"offset", o.Offset.Column != ""},
		{"group", o.Group != ""},
		{"split_column", o.SplitColumn != "" || s.Split.Column != "" || s.Split.Kind == splitColumn},
		{"delimiter", o.Delimiter != "" && o.Delimiter != "auto"},
		{"missing", o.Missing != "" && o.Missing != table.MissingError},
		{"na", len(o.NA) > 0},
		{"categorical", len(o.Categorical) > 0 || o.NoCategorical},
		{"units", len(o.Units) > 0},
		{"time", o.Time != nil},
	} {
		if option.set {
			faults = append(faults, table.KeyFault("data."+option.key,
				"does not apply to the built-in data %s: set data.path for a table of your own", escape.Quote(s.builtin())).RestingOn("data.path"))
		}
	}
	split := s.Split.or(b.split)
	if split.Kind == splitColumn {
		return errors.Join(faults...) // split_column is among them
	}
	split.Column = ""
	return errors.Join(append(faults, split.Validate())...)
}

// options are those of the table at Path.
func (s Source) options() (table.Options, error) {
	opts := s.Options
	if opts.SplitColumn != "" && opts.SplitColumn != s.Split.Column {
		return opts, table.KeyFault("data.split_column", "%s applies only with data.split: column",
			escape.Quote(opts.SplitColumn)).RestingOn("data.split")
	}
	opts.SplitColumn, opts.TestBlanks = s.Split.Column, true
	return opts, nil
}

// Load reads and divides the data; Parts.Close frees them. Missing cells and, in a table of its own, levels that the training
// table does not have stop neither the test part: it is read as ReaderOptions.Lenient says. See model.Preprocessing.Fill.
//
// Of a table of more than SampleRows rows, each part is a sample with its Whole. Its random parts are of independent draws, so that the
// shares are expectations; so is the calibration part.
func (s Source) Load(ctx context.Context) (*Parts, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if s.Path == "" {
		d, split, err := Builtin(s.builtin())
		if err != nil {
			return nil, err
		}
		p, err := d.Split(s.Split.or(split))
		return p, inFile(err, s.builtin())
	}
	opts, err := s.options()
	if err != nil {
		return nil, err
	}
	if s.Path == table.StandardInput || s.TestPath == table.StandardInput {
		if err := table.SpoolStandardInput(s.Scratch); err != nil {
			return nil, err
		}
	}
	if err := table.CheckRegular(opts.Input(s.Path)); err != nil {
		return nil, err
	}
	if s.TestPath != "" {
		if err := table.CheckRegular(table.Input{Name: s.TestPath}); err != nil {
			return nil, err
		}
	}
	return s.divide(ctx, loadingBy(opts, opts.Input(s.Path)))
}

// LoadAs is Load of a table of its own by the schema of a saved model. The validation part is the table at the given path or, if
// the path is empty, the share of the source's table that its split sets.
func (s Source) LoadAs(ctx context.Context, schema table.Schema, validation string) (*Parts, error) {
	s.Target, s.Others, s.Task = "", nil, "" // the schema has them
	content, err := loadingAs(s.Options, s.Input(s.Path), schema)
	if err != nil {
		return nil, err
	}
	p, err := s.divide(ctx, content)
	if err != nil || validation == "" {
		return p, err
	}
	content.In = table.Input{Name: validation}
	alone := s
	alone.Path, alone.TestPath, alone.Split = validation, "", Split{Train: 1}
	v, err := alone.divide(ctx, content)
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	p.Validation, p.stores = v.Train, append(p.stores, v.stores...)
	return p, nil
}

// divide reads the table of the source and divides it, and reads the table of the test part.
func (s Source) divide(ctx context.Context, content *loading) (*Parts, error) {
	split := s.Split
	if content.In.Samples != nil {
		split.Kind = splitChronological
	}
	if s.TestPath != "" && split.Kind != splitColumn {
		split.Train = 1 - split.Validation
	}
	if err := checkScratch(s.Scratch); err != nil {
		return nil, err
	}
	p, err := content.divide(ctx, split, s.Options)
	if err != nil || s.TestPath == "" {
		return p, inFile(err, s.Path)
	}
	test, err := loadTest(ctx, table.Input{Name: s.TestPath}, p.Train.Schema, s.Options)
	if err != nil {
		return nil, errors.Join(inFile(err, s.TestPath), p.Close())
	}
	p.Test, p.stores = test.Test, append(p.stores, test.stores...)
	return p, nil
}

// Unhashed returns the files that parts loaded from the source come from, without a table of which the fingerprint of a Whole
// identifies the rows: to hash it would take another pass. A database is none: the fingerprints of the parts identify its rows.
func (s Source) Unhashed(p *Parts) (files []string) {
	if s.Path != "" && p.Train.Whole == nil && s.Input(s.Path).Scheme() == nil {
		files = append(files, table.NamedFiles(s.Path)...)
	}
	if s.TestPath != "" && (p.Test == nil || p.Test.Whole == nil) {
		files = append(files, table.NamedFiles(s.TestPath)...)
	}
	return files
}

// loadTest reads a table that is a test part.
func loadTest(ctx context.Context, in table.Input, schema table.Schema, o table.Options) (*Parts, error) {
	re, err := loadingAs(table.Options{Delimiter: o.Delimiter, Missing: o.Missing, Lenient: true, Weight: o.Weight}, in, schema)
	if err != nil {
		return nil, err
	}
	return re.alone(ctx, o)
}

// LoadAs is ReadAs of a table of any size: Parts.Test has all its rows, and is a sample with a Whole if they are more than SampleRows.
// Options.Memory and Options.Scratch apply as well. Parts.Close frees the rows.
func LoadAs(ctx context.Context, path string, schema table.Schema, o table.Options) (*Parts, error) {
	by := o
	by.Memory, by.Scratch = 0, ""
	re, err := loadingAs(by, o.Input(path), schema)
	if err != nil {
		return nil, err
	}
	re.keep = re.In.Scheme() != nil
	return re.alone(ctx, o)
}

// Name is a short name for the data: the base name of the file without its extensions (.csv.gz), of several files what their
// names begin with, that of the database, or the built-in's name.
func (s Source) Name() string {
	if s.Path == "" {
		return s.builtin()
	}
	if f := (table.Input{Name: s.Path}).Scheme(); f != nil {
		return table.DatabaseName(f, s.Path)
	}
	return table.Stem(s.Path)
}

// Resolve returns a valid source with its defaults filled in, so that they can be
// written down. What does not apply stays empty: the resolved source is valid too
// and gives the same parts.
func (s Source) Resolve() Source {
	if s.Path == "" {
		s.Builtin = s.builtin()
		if b, err := findBuiltin(s.Builtin); err == nil {
			s.Split = s.Split.or(b.split)
		}
	} else {
		if s.Delimiter == "" {
			s.Delimiter = "auto"
		}
		if s.Missing == "" {
			s.Missing = table.MissingError
		}
		if s.Split.Kind == "" && s.Time != nil {
			s.Split.Kind = splitChronological
		}
		if s.Split.Kind == "" {
			s.Split.Kind = splitRandom
		}
	}
	if s.Split.Train == 0 && s.TestPath == "" && s.Split.Kind != splitColumn {
		s.Split.Train = defaultTrain
	}
	return s
}

func (s Source) builtin() string {
	if s.Builtin == "" {
		return defaultBuiltin
	}
	return s.Builtin
}

// or fills in Kind, and with it Train, from the customary split of a built-in.
func (sp Split) or(customary Split) Split {
	if sp.Kind == "" {
		sp.Kind = customary.Kind
	}
	if sp.Train == 0 && sp.Kind == customary.Kind {
		sp.Train = customary.Train
	}
	return sp
}

// inFile names the file of a fault that does not know it.
func inFile(err error, file string) error {
	var fault *table.Error
	if errors.As(err, &fault) && fault.File == "" {
		fault.File = file
	}
	return err
}

// checkScratch checks that scratch files can be created in a directory; empty is that of temporary files. The error is a
// *KeyError.
func checkScratch(dir string) error {
	if dir == "" {
		return nil
	}
	_, discard, err := safefile.Scratch(dir)
	if err == nil {
		discard()
		return nil
	}
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		err = at.Err
	}
	return table.KeyFault("data.scratch", "%s: %v: name an existing directory in which files can be created", escape.Quote(dir), err)
}
