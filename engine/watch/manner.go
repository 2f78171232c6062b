package watch

import (
	"vaultdispatcher/engine/watch/disk"
	"vaultdispatcher/engine/watch/source"
)

// manner is how a path is looked at: how deep, and how far to believe the unchanged stamp of a note.
type manner struct {
	via   string // for the events that come of it
	scope scope
	basis basis
	lists bool // every folder is listed, whatever its times say
}

// scope is how deep a look at a folder reads.
type scope uint8

const (
	// scopeFolder: the names in the folder, and new folders down to their leaves.
	scopeFolder scope = iota
	// scopeTurn: the same. The folders below have a turn of their own, so their
	// names are enough, and a folder at rest is not listed.
	scopeTurn
	// scopeTree: all folders below, each in its turn.
	scopeTree
	// scopeRenewed: all folders below, and their watches are made again, because
	// the folder may not be the one that was watched.
	scopeRenewed
)

// basis is what a look is based on. It says which notes count as changed besides
// those whose stamp differs.
type basis uint8

const (
	// basisPoll: nothing said that there is a change. No other note counts.
	basisPoll basis = iota
	// basisOpened: the same, and the note was opened, so that its times are not what
	// a network file system remembers.
	basisOpened
	// basisRepeat: the note was read so early that a later write may have left the
	// same stamp, and no source would tell of it. It counts.
	basisRepeat
	// basisHint: something said that there is a change near. A note that was read too
	// early counts.
	basisHint
	// basisNamed: a message named this note. As basisHint, and where the system has
	// no change time the note counts: a save may put the rest back, as rsync -t does.
	basisNamed
	// basisCheck: a comparison that no message asked for. As basisHint, and the source should have reported an old
	// difference.
	basisCheck
	// basisReturn: the vault was away. As basisHint, and a note counts that was
	// reported just before.
	basisReturn
)

// scopeOf is how far to go for a hint.
func scopeOf(what source.Hint) scope {
	if what == source.Subtree {
		return scopeRenewed
	}
	return scopeFolder
}

// isHinted reports whether there is a reason to expect a change.
func (m manner) isHinted() bool { return m.basis >= basisHint }

// usesTurns reports whether each folder has a turn, so that one need not ask for those
// below it.
func (m manner) usesTurns() bool { return m.scope == scopeTurn || m.scope == scopeTree }

// forNames is how a folder is looked at for the spelling of its names alone.
func (m manner) forNames() manner {
	m.scope = scopeFolder
	return m
}

// forEntry is how one entry is looked at. A source does not tell of a change that is
// made through a link, or through another name of the same file.
func (m manner) forEntry(e disk.Entry) manner {
	if e.Shared && m.basis == basisCheck {
		m.basis = basisHint
	}
	return m
}

// forNewFolder is how a folder is looked at that is not the one that was known by its
// name. No source tells of each note in it.
func (m manner) forNewFolder() manner {
	m.scope = scopeRenewed
	if m.basis == basisCheck {
		m.basis = basisHint
	}
	return m
}
