//go:build !js

package memory

import (
	"github.com/KimMachineGun/automemlimit/memlimit"
)

// share is the part of the memory that a table takes by default: a training needs as much
// for a bucket in float64 and for its samples, and the garbage collector as much again.
const share = 4

// Default returns the memory that a table may take by default, in bytes: a quarter of the
// physical memory or of the least limit of the process, and at least [Least].
func Default() int64 { return max(Least, Total()/share) }

// Total returns the memory that the process may take, in bytes: the physical memory or the least limit of the process,
// and at least [Least].
func Total() int64 {
	total, err := memlimit.FromSystem()
	if err != nil {
		total = Least
	}
	return max(Least, min(int64(total), limit()))
}

// limit returns the least of the limits that the system enforces on the process, in bytes:
// of its control group (v1 or v2), of its address space and of its data segment;
// math.MaxInt64 if there is none.
func limit() int64 {
	least := resourceLimit()
	if group, err := memlimit.FromCgroup(); err == nil {
		least = min(least, group)
	}
	return int64(least)
}
