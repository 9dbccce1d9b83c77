package safefile

import "os"

// Same reports whether two paths lead to the same regular file, directly or by links.
func Same(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil || !one.Mode().IsRegular() {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
