package data

import (
	"context"
	"errors"
)

// Source says where the data of a run come from and how they are divided: a table (Path), or a built-in data set
// (Builtin, "mackey-glass" when both are empty).
type Source struct {
	Path     string // a table with a header: a file, several (see Files), - for standard input, or a database, of which Options.Query has the rows
	TestPath string // a table of its own for the test part, with the same columns (that of weights too) in any order; Split then divides Path into training and validation
	Builtin  string // see Builtins
	Options         // how the tables are read; a built-in takes none
	Split    Split  // for a built-in, Kind and Train default to its customary ones
}

const defaultBuiltin = "mackey-glass"

// Validate checks what can be checked without reading: options that contradict each other, or that do not apply. The
// error joins all faults, each a *KeyError.
func (s Source) Validate() error {
	if s.Path == "" {
		return s.validateBuiltin()
	}
	var faults []error
	fail := func(bad bool, fault *KeyError) {
		if bad {
			faults = append(faults, fault)
		}
	}
	faults = append(faults, s.Options.input(s.Path).check())
	byColumn := s.Split.Kind == splitColumn
	fail(s.Builtin != "", keyFault("data.builtin", "%s cannot be combined with data.path: leave one of them out", quote(s.Builtin)).with("data.path"))
	fail(s.TestPath != "" && Input{Name: s.TestPath}.scheme() != nil,
		keyFault("data.test_path", "want a file: mark the test rows of a database in a column of its query (split: column)"))
	fail(s.TestPath != "" && byColumn, keyFault("data.test_path", "cannot be combined with data.split: column, which marks the test rows").with("data.split"))
	fail(s.TestPath != "" && !byColumn && s.Split.Train != 0,
		keyFault("data.train", "cannot be combined with data.test_path: all that data.validation leaves is for training").with("data.test_path", "data.validation"))
	fail(s.TestPath == standardInput && s.Path == standardInput, keyFault("data.test_path", "standard input is data.path: save one of the tables to a file").with("data.path"))
	fail(byColumn && s.Split.Column == "", keyFault("data.split_column", "name the column that says train, validation or test"))
	fail(s.Split.Kind == splitChronological && s.Group != "",
		keyFault("data.group", "cannot be combined with data.split: chronological, which keeps the rows in order").with("data.split"))
	split := s.Split
	if s.TestPath != "" && !byColumn {
		split.Train = 1 - split.Validation // all that is left; the default does not apply
	}
	opts, err := s.options()
	return errors.Join(append(faults, split.Validate(), err, opts.Validate())...)
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
		{"group", o.Group != ""},
		{"split_column", o.SplitColumn != "" || s.Split.Column != "" || s.Split.Kind == splitColumn},
		{"delimiter", o.Delimiter != "" && o.Delimiter != "auto"},
		{"missing", o.Missing != "" && o.Missing != missingError},
		{"na", len(o.NA) > 0},
		{"categorical", len(o.Categorical) > 0 || o.NoCategorical},
		{"units", len(o.Units) > 0},
	} {
		if option.set {
			faults = append(faults, keyFault("data."+option.key, "does not apply to the built-in data %s: set data.path for a table of your own", quote(s.builtin())).with("data.path"))
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
func (s Source) options() (Options, error) {
	opts := s.Options
	if opts.SplitColumn != "" && opts.SplitColumn != s.Split.Column {
		return opts, keyFault("data.split_column", "%s applies only with data.split: column", quote(opts.SplitColumn)).with("data.split")
	}
	opts.SplitColumn, opts.testBlanks = s.Split.Column, true
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
	if s.Path == standardInput || s.TestPath == standardInput {
		if err := spoolStandardInput(s.Scratch); err != nil {
			return nil, err
		}
	}
	if err := checkRegular(opts.input(s.Path)); err != nil {
		return nil, err
	}
	if s.TestPath != "" {
		if err := checkRegular(Input{Name: s.TestPath}); err != nil {
			return nil, err
		}
	}
	return s.divide(ctx, readingBy(opts, opts.input(s.Path)))
}

// LoadAs is Load of a table of its own by the schema of a saved model. The validation part is the table at the given path or, if
// the path is empty, the share of the source's table that its split sets.
func (s Source) LoadAs(ctx context.Context, schema Schema, validation string) (*Parts, error) {
	s.Target, s.Others, s.Task = "", nil, "" // the schema has them
	table, err := readingAs(s.Options, s.input(s.Path), schema)
	if err != nil {
		return nil, err
	}
	p, err := s.divide(ctx, table)
	if err != nil || validation == "" {
		return p, err
	}
	table.in = Input{Name: validation}
	alone := s
	alone.Path, alone.TestPath, alone.Split = validation, "", Split{Train: 1}
	v, err := alone.divide(ctx, table)
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	p.Validation, p.stores = v.Train, append(p.stores, v.stores...)
	return p, nil
}

// divide reads the table of the source and divides it, and reads the table of the test part.
func (s Source) divide(ctx context.Context, table *reading) (*Parts, error) {
	split := s.Split
	if s.TestPath != "" && split.Kind != splitColumn {
		split.Train = 1 - split.Validation
	}
	if err := checkScratch(s.Scratch); err != nil {
		return nil, err
	}
	p, err := table.divide(ctx, split, s.Options)
	if err != nil || s.TestPath == "" {
		return p, inFile(err, s.Path)
	}
	test, err := loadTest(ctx, Input{Name: s.TestPath}, p.Train.Schema, s.Options)
	if err != nil {
		return nil, errors.Join(inFile(err, s.TestPath), p.Close())
	}
	p.Test, p.stores = test.Test, append(p.stores, test.stores...)
	return p, nil
}

// Unhashed returns the files that parts loaded from the source come from, without a table of which the fingerprint of a Whole
// identifies the rows: to hash it would take another pass. A database is none: the fingerprints of the parts identify its rows.
func (s Source) Unhashed(p *Parts) (files []string) {
	if s.Path != "" && p.Train.Whole == nil && s.input(s.Path).scheme() == nil {
		files = append(files, namedFiles(s.Path)...)
	}
	if s.TestPath != "" && (p.Test == nil || p.Test.Whole == nil) {
		files = append(files, namedFiles(s.TestPath)...)
	}
	return files
}

// loadTest reads a table that is a test part.
func loadTest(ctx context.Context, in Input, schema Schema, o Options) (*Parts, error) {
	re, err := readingAs(Options{Delimiter: o.Delimiter, Missing: o.Missing, Lenient: true, Weight: o.Weight}, in, schema)
	if err != nil {
		return nil, err
	}
	return re.alone(ctx, o)
}

// LoadAs is ReadAs of a table of any size: Parts.Test has all its rows, and is a sample with a Whole if they are more than SampleRows.
// Options.Memory and Options.Scratch apply as well. Parts.Close frees the rows.
func LoadAs(ctx context.Context, path string, schema Schema, o Options) (*Parts, error) {
	by := o
	by.Memory, by.Scratch = 0, ""
	re, err := readingAs(by, o.input(path), schema)
	if err != nil {
		return nil, err
	}
	re.keep = re.in.scheme() != nil
	return re.alone(ctx, o)
}

// Name is a short name for the data: the base name of the file without its extensions (.csv.gz), of several files what their
// names begin with, that of the database, or the built-in's name.
func (s Source) Name() string {
	if s.Path == "" {
		return s.builtin()
	}
	if f := (Input{Name: s.Path}).scheme(); f != nil {
		return databaseName(f, s.Path)
	}
	return stem(s.Path)
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
			s.Missing = missingError
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
	var fault *Error
	if errors.As(err, &fault) && fault.File == "" {
		fault.File = file
	}
	return err
}
