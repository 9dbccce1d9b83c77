package data

import (
	"errors"
	"fmt"
	"github.com/tskgraph/tskgraph/data/table"
	"io"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// counting is a source of blocks of three rows, which count from 0. The earlier a block, the longer its decoding takes.
type counting struct {
	blocks  int
	fault   int // block whose decoding fails, -1: none
	read    int
	running atomic.Int32
	closed  bool
}

func (s *counting) Header() table.Header { return table.Header{Names: []string{"n"}} }

func (s *counting) Next(b *table.Block) error {
	if s.read == s.blocks {
		return errors.New("the end of the file is missing")
	}
	b.Raw = s.read
	s.read++
	return nil
}

func (s *counting) Decode(b *table.Block) error {
	s.running.Add(1)
	defer s.running.Add(-1)
	number := b.Raw.(int)
	time.Sleep(time.Duration(s.blocks-number) * 100 * time.Microsecond)
	b.Rows, b.Lines, b.Columns = 3, b.Lines[:0], []table.Values{{Numbers: []float64{}}}
	for i := range b.Rows {
		b.Lines = append(b.Lines, 3*number+i+1)
		b.Columns[0].Numbers = append(b.Columns[0].Numbers, float64(3*number+i))
	}
	if number == s.fault {
		return fmt.Errorf("block %d is damaged", number)
	}
	return nil
}

func (s *counting) Close() error {
	if s.running.Load() > 0 {
		return errors.New("closed while a block is decoded")
	}
	s.closed = true
	return nil
}

// TestLookahead: rows come in order, up to the first fault, whatever is known of later blocks, on any number of processors; a
// table is closed when no block is being decoded.
func TestLookahead(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		before := runtime.GOMAXPROCS(workers)
		for _, c := range []struct {
			fault, Rows int
			want        string
		}{{-1, 60, "the end of the file is missing"}, {0, 3, "block 0 is damaged"}, {18, 57, "block 18 is damaged"}} {
			s := &counting{blocks: 20, fault: c.fault}
			tab := &table.Cursor{Src: s, File: table.NoFile{}, Header: s.Header(), Ahead: table.Lookahead{Src: s, Columns: 1}}
			var err error
			rows := 0
			for err = tab.Next(); err == nil; err = tab.Next() {
				if v := tab.Block.Columns[0].Numbers[tab.At]; v != float64(rows) || tab.Line() != rows+1 {
					t.Fatalf("%d workers: row %d is %v, line %d", workers, rows, v, tab.Line())
				}
				if ahead := s.read - 1 - rows/3; ahead > workers || rows < 3 && ahead > 0 {
					t.Fatalf("%d workers: %d blocks are read ahead of block %d", workers, ahead, rows/3)
				}
				rows++
			}
			if rows != c.Rows || err == io.EOF || err.Error() != c.want {
				t.Errorf("%d workers: %d rows, then %v; want %d, then %s", workers, rows, err, c.Rows, c.want)
			}
			if err := tab.Close(); err != nil || !s.closed {
				t.Errorf("%d workers: %v", workers, err)
			}
		}
		runtime.GOMAXPROCS(before)
	}
}
