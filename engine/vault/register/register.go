// Package register knows which folders the vaults of one engine are, so that no note is in two
// of them and answered twice.
//
//	place := r.Add()                    // one for each vault, in the order of the configuration
//	err := place.Admit(ctx, site)       // before the vault is opened
//	err = place.Compare(site)           // whenever its folder may be another one
//
// It touches no disk. Names that overlap are refused with the configuration; this package
// finds folders that overlap through links or the case of letters.
package register

import (
	"context"
	"sync"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/site"
	"vaultdispatcher/engine/vault/facts"
)

// TurnTime is how long a vault waits for those before it in the configuration to say
// which folders they are.
const TurnTime = facts.SilentAfter

// Register has the places of the vaults. Its zero value has none.
type Register struct {
	places []*Place // set before any of them is used

	mu sync.Mutex // guards the site of each place
}

// Place is that of one vault.
type Place struct {
	register *Register
	earlier  []*Place
	once     sync.Once
	surveyed chan struct{} // closed when it is known which folder it is
	site     *site.Site    // that it has; nil = none yet, or one that was refused
}

// Add makes a place behind the others.
func (r *Register) Add() *Place {
	p := &Place{register: r, earlier: r.places, surveyed: make(chan struct{})}
	r.places = append(r.places, p)
	return p
}

// Admit refuses a folder that shares notes with one that was admitted before, which is
// the one earlier in the configuration unless its disk does not respond.
func (p *Place) Admit(ctx context.Context, here site.Site) error {
	defer p.once.Do(func() { close(p.surveyed) })
	turn, cancel := context.WithTimeout(ctx, TurnTime)
	defer cancel()
	for _, earlier := range p.earlier {
		select {
		case <-earlier.surveyed:
		case <-turn.Done():
		}
	}
	return p.Compare(here)
}

// Compare remembers which folder a vault is now, or refuses it, as Admit does.
func (p *Place) Compare(here site.Site) error {
	r := p.register
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, other := range r.places {
		if other == p || other.site == nil {
			continue
		}
		if err := config.CheckDisjoint(here, *other.site); err != nil {
			p.site = nil
			return err
		}
	}
	p.site = &here
	return nil
}
