package pages

func (s *search) refined(t grown) grown { return t }
