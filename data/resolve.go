package data

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
