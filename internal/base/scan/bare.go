package scan

// Bare reports whether all bytes of a text are ASCII characters from # to ~ other than the backslash: no blanks, quotes or control
// characters, and none that may begin a cell which must be quoted.
func Bare(text string) bool {
	at := 0
	for ; len(text)-at >= 8; at += 8 {
		if notBare(word(text, at)) != 0 {
			return false
		}
	}
	for ; at < len(text); at++ {
		if b := text[at]; b < '#' || b > '~' || b == '\\' {
			return false
		}
	}
	return true
}

// notBare is not 0 if a byte of a word is not bare.
func notBare(w uint64) uint64 {
	const each, tops = 0x0101010101010101, 0x8080808080808080
	backslash := w ^ '\\'*each
	return (w | (w - '#'*each) | (backslash - each) | (w + each)) & tops // each term is right if no byte of w has its top bit set
}
