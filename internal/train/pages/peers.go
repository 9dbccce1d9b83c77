package pages

import (
	"context"
	"encoding/json"
	"errors"
)

// Peers are other processes that answer questions of searches, each by a [Peer]. Pages have the bits of a search in one process. Searches
// have them one at a time.
type Peers struct {
	Count int

	// Send sends a text to a peer, counted from 0. Peers receive texts in their order. It returns what waits for the answer of
	// [Peer.Answer] there, once.
	Send func(peer int, text []byte) (wait func(context.Context) ([]byte, error))

	begun int // searches
}

// letter is what a peer receives: a search that begins, or a question about one, or neither when all have ended.
type letter struct {
	Search   int
	Begin    *searchForm `json:",omitempty"`
	Question *question   `json:",omitempty"`
}

// count is the number of peers; zero for nil.
func (p *Peers) count() int {
	if p == nil {
		return 0
	}
	return p.Count
}

// begin begins a search, and returns its number.
func (p *Peers) begin(s Samples, o Options) int {
	if p.count() == 0 {
		return 0
	}
	p.begun++
	form := formOf(s, o)
	for k := range p.Count {
		p.send(k, letter{Search: p.begun, Begin: &form})
	}
	return p.begun
}

// end ends all searches.
func (p *Peers) end() {
	for k := range p.count() {
		p.send(k, letter{})
	}
}

// send sends a letter.
func (p *Peers) send(peer int, l letter) (wait func(context.Context) (answer, error)) {
	text, err := json.Marshal(l)
	if err != nil {
		return func(context.Context) (answer, error) { return answer{}, err }
	}
	received := p.Send(peer, text)
	return func(ctx context.Context) (a answer, err error) {
		text, err := received(ctx)
		if err != nil {
			return a, err
		}
		return decodeAnswer(text)
	}
}

// Peer has the portions of searches of another process that this one was asked for. The zero value has none.
type Peer struct{ portions map[int]*portion }

// Answer answers a text of [Peers]. Use it from one goroutine at a time.
func (p *Peer) Answer(ctx context.Context, text []byte) ([]byte, error) {
	var l letter
	if err := json.Unmarshal(text, &l); err != nil {
		return nil, err
	}
	switch {
	case l.Begin != nil:
		if p.portions == nil {
			p.portions = map[int]*portion{}
		}
		p.portions[l.Search] = l.Begin.portion()
	case l.Question == nil:
		p.portions = nil
	case p.portions[l.Search] == nil:
		return nil, errors.New("a question about a search that has not begun")
	default:
		a, err := p.portions[l.Search].answer(ctx, *l.Question)
		if err != nil {
			return nil, err
		}
		return a.encode()
	}
	return answer{}.encode()
}
