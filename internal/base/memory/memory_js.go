package memory

// Default returns the memory that a table may take by default, in bytes: [Least], since a page can
// have 4 GiB at most and learns neither what the computer has nor what the browser allows.
func Default() int64 { return Least }

// Total returns the memory that a page can have, in bytes.
func Total() int64 { return 4 << 30 }
