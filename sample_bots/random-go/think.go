package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
)

// Player is one seat in one game; a new one is made at every start.
type Player struct {
	random *rand.Rand
}

// NewPlayer is told the board, the rules and its seat. Keep what you need of it.
func NewPlayer(start *Start) *Player {
	// Chance comes from the game's id and the seat, so that the same game is played the same way again.
	hash := fnv.New64a()
	fmt.Fprintf(hash, "%s/%d", start.Game, start.Seat)
	return &Player{random: rand.New(rand.NewPCG(hash.Sum64(), 0))}
}

// Choose gives the index of one of request.Choices, all of which are legal.
//
// YOUR OWN THINKING GOES HERE. So far it is this: a kind of choice, then one of that kind.
func (p *Player) Choose(request *Decide) int {
	var kinds []string
	ofKind := map[string][]int{}
	for index, choice := range request.Choices {
		if ofKind[choice.Do] == nil {
			kinds = append(kinds, choice.Do)
		}
		ofKind[choice.Do] = append(ofKind[choice.Do], index)
	}
	indices := ofKind[kinds[p.random.IntN(len(kinds))]]
	return indices[p.random.IntN(len(indices))]
}
