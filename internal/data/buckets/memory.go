package buckets

// blockBytes is the size of a block of chunks, unless a chunk is larger.
const blockBytes = 256 << 10

// memory holds encoded chunks in blocks of one size, which are reused.
type memory struct {
	size   int      // of a block
	blocks [][]byte // the used ones; the last one has room left
	unused [][]byte
	chunks [][][]byte // [bucket] in order of Add; parts of blocks
	index  int64      // bytes of chunks
}

const sliceBytes = 24 // of the header of a slice

func newMemory(buckets, largest int) memory {
	return memory{size: max(blockBytes, largest), chunks: make([][][]byte, buckets), index: int64(buckets) * sliceBytes}
}

// held returns the bytes of blocks and index.
func (m *memory) held() int64 {
	return int64(len(m.blocks)+len(m.unused))*int64(m.size) + m.index
}

// fits reports whether a chunk of n bytes fits into the room for held.
func (m *memory) fits(n int, room int64) bool {
	last := len(m.blocks) - 1
	return last >= 0 && cap(m.blocks[last])-len(m.blocks[last]) >= n || len(m.unused) > 0 || m.held()+int64(m.size) <= room
}

// add copies a chunk of a bucket.
func (m *memory) add(bucket int, chunk []byte) {
	last := len(m.blocks) - 1
	if last < 0 || cap(m.blocks[last])-len(m.blocks[last]) < len(chunk) {
		m.blocks = append(m.blocks, m.block())
		last++
	}
	block := m.blocks[last]
	start := len(block)
	block = append(block, chunk...)
	m.blocks[last] = block
	before := cap(m.chunks[bucket])
	m.chunks[bucket] = append(m.chunks[bucket], block[start:len(block):len(block)])
	m.index += int64(cap(m.chunks[bucket])-before) * sliceBytes
}

// block returns an empty block.
func (m *memory) block() []byte {
	last := len(m.unused) - 1
	if last < 0 {
		return make([]byte, 0, m.size)
	}
	b := m.unused[last]
	m.unused = m.unused[:last]
	return b[:0]
}

// empty drops all chunks, and keeps blocks for reuse as far as there is room for held.
func (m *memory) empty(room int64) {
	m.unused = append(m.unused, m.blocks...)
	m.blocks = nil
	for b, chunks := range m.chunks {
		clear(chunks)
		m.chunks[b] = chunks[:0]
	}
	keep := min(len(m.unused), max(1, int((room-m.index)/int64(m.size))))
	m.unused = append([][]byte(nil), m.unused[:keep]...)
}
