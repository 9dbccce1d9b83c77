package kernel

// implementations are all that this machine can run.
var implementations = func() []*implementation {
	if use == &plain {
		return []*implementation{&plain}
	}
	return []*implementation{&plain, use}
}()
