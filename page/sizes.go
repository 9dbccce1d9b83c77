package page

// Within returns the largest of the sizes that cross-validation compared with at most a number of numbers, which has the least error of
// these; false if there is none.
func (p *Page) Within(numbers int) (s Size, ok bool) {
	for _, one := range p.Sizes {
		if one.Numbers <= numbers {
			s, ok = one, true
		}
	}
	return s, ok
}

// Size returns the page's own size among those that cross-validation compared; false if it is none of them.
func (p *Page) Size() (Size, bool) {
	s, ok := p.Within(p.Numbers())
	return s, ok && s.Numbers == p.Numbers() && s.Rules == len(p.Rules)
}
