package runs

import "github.com/tskgraph/tskgraph/data"

// LoadAs reads the parts of a source by the schema of a saved model. The validation part is the table at the given path, or,
// if the path is empty, the share of the source's table that its split sets.
func LoadAs(schema data.Schema, s data.Source, validation string) (*data.Parts, error) {
	options := s.Options
	options.Target, options.Others, options.Task = "", nil, "" // the schema has them
	read := func(path string) (*data.Dataset, error) { return data.ReadAs(path, schema, options) }
	all, err := read(s.Path)
	if err != nil {
		return nil, err
	}
	split := s.Split
	if s.TestPath != "" {
		split.Train = 1 - split.Validation
	}
	parts, err := all.Split(split)
	if err != nil {
		return nil, err
	}
	if s.TestPath != "" {
		options.Lenient = true
		if parts.Test, err = read(s.TestPath); err != nil {
			return nil, err
		}
	}
	if validation != "" {
		if parts.Validation, err = read(validation); err != nil {
			return nil, err
		}
	}
	return parts, nil
}
