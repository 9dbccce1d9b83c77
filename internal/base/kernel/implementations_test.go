package kernel

import "testing"

// implementations are those that this machine can run.
var implementations = func() []*implementation {
	if use == &plain {
		return []*implementation{&plain}
	}
	return []*implementation{&plain, use}
}()

// onImplementations runs a test with each implementation in use.
func onImplementations(t *testing.T, test func(t *testing.T, i *implementation)) {
	defer func(before *implementation) { use = before }(use)
	for _, use = range implementations {
		t.Run(use.name, func(t *testing.T) { test(t, use) })
	}
}
