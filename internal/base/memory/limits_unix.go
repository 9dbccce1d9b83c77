//go:build darwin || freebsd || linux

package memory

import (
	"math"

	"golang.org/x/sys/unix"
)

// resourceLimit returns the lesser of RLIMIT_AS and RLIMIT_DATA.
func resourceLimit() uint64 {
	least := uint64(math.MaxInt64)
	for _, resource := range []int{unix.RLIMIT_AS, unix.RLIMIT_DATA} {
		var limit unix.Rlimit
		if unix.Getrlimit(resource, &limit) == nil {
			least = min(least, uint64(limit.Cur))
		}
	}
	return least
}
