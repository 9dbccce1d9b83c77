// Package gosrc writes models as Go: one file that needs only the standard library.
//
// The file is a package of its own with a function Predict of a Row, a struct with a field for each
// column: a number, NaN if it is missing, or the text of a category, empty if it is missing. A category
// that training did not have is any other text. The package has no variables that change, does nothing
// when a program starts, and allocates nothing.
package gosrc

import (
	"go/token"
	"regexp"

	"github.com/tskgraph/tskgraph/internal/export"
)

func init() {
	export.Register(export.Target{Title: "go", Meaning: "a Go file that needs only the standard library", File: "model.go",
		Options: []string{export.OptionName}, Writing: Write})
}

var packageName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// Write writes the file.
func Write(f *export.Form, o export.Options) (*export.Result, error) {
	if o.Name == "" {
		o.Name = "predictor"
	}
	if !packageName.MatchString(o.Name) || token.IsKeyword(o.Name) {
		return nil, &export.OptionError{Option: export.OptionName,
			Message: "want the name of a package: a small letter, then small letters, digits and underscores; not a keyword of Go"}
	}
	code, err := newSource(f, o.Name).write()
	if err != nil {
		return nil, err
	}
	return &export.Result{Files: []export.File{{Data: code}}}, nil
}
