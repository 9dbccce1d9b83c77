package export

import "math"

// Extent is what the members of a form have at most, for targets that reserve memory for one row
// and write only the steps that are needed.
type Extent struct {
	MaxInputs, MaxRules int  // of a member
	MaxPlaces           int  // inputs with curves
	Power, Components   bool // of some member
	Curves, Limits      bool
}

// NewExtent returns the extent of a form.
func NewExtent(f *Form) (e Extent) {
	for _, m := range f.Members {
		e.MaxInputs, e.MaxRules = max(e.MaxInputs, len(m.Inputs), len(m.Components)), max(e.MaxRules, len(m.Rules))
		e.Components, e.Curves = e.Components || m.Components != nil, e.Curves || m.Curves != nil
		for _, in := range m.Inputs {
			e.Power = e.Power || in.Power != nil
		}
		for j := range m.Low {
			e.Limits = e.Limits || !math.IsInf(m.Low[j], 0) || !math.IsInf(m.High[j], 0)
		}
		places := 0
		for _, k := range m.Knots {
			if len(k) > 0 {
				places++
			}
		}
		e.MaxPlaces = max(e.MaxPlaces, places)
	}
	return e
}
