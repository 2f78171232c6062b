// Package library answers the tools that other agents read the vaults with: what they may see of
// the notes, found by the index. [New] makes a library of the shelves that an engine has open,
// [Open] one for a process beside no engine.
//
// # Promises
//
// Nothing is changed. A note is named by what the index holds, never by a path that is handed to
// the system, so no name leads anywhere else. A note is not there if it is excluded, if a
// question in it waits for a person, or if it is private and the scope does not include private
// notes: not under another name of the same file either, and not as the source of an answer. A
// link is not followed.
//
// An answer has about 24 KB at most. Its "next" is the cursor for the rest.
package library

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/mcp"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/sharing"
)

// Shelf is one vault.
type Shelf struct {
	Name, Root string
	Index      *recall.Index
	Shut       string // why it cannot be read now, in words behind its name, and then there is only that; empty = it can
	// Guard calls a function that touches the vault's disk, and may leave it behind; nil = it does after a few seconds.
	Guard func(ctx context.Context, do func() error) error
}

// Past is what the journal tells.
type Past interface {
	List(ctx context.Context, f journal.Filter) ([]journal.Dispatch, error)
	Get(ctx context.Context, id string) (journal.Dispatch, error)
}

// Options are what a library is made of.
type Options struct {
	Config    config.Config
	Rules     *sharing.Rules
	Shelves   func() []Shelf                                                  // now
	History   Past                                                            // nil = nothing is known of questions
	HeldNotes func(ctx context.Context, root string) (map[string]bool, error) // nil = History says it
}

// Library is a [mcp.Library]. It is safe for concurrent use.
type Library struct{ Options }

// New returns a library.
func New(o Options) *Library { return &Library{o} }

// arguments are those of all tools.
type arguments struct {
	Query, Note, Heading, Folder, Vault, Cursor string
	Limit, From, To                             int
}

// Bounds of a call.
const (
	usualLimit = 8
	maxBytes   = 24 << 10 // of an answer, about
	maxItem    = 4 << 10  // of one text in a list
)

// Call implements [mcp.Library].
func (l *Library) Call(ctx context.Context, who mcp.Scope, tool string, raw json.RawMessage) (any, error) {
	do, known := map[string]func(context.Context, *call) (any, error){
		"search": l.findPassages, "read_note": l.readNote, "related": l.findRelated, "list_notes": l.listNotes,
		"backlinks": l.findBacklinks, "recent": l.listRecent, "questions": l.listQuestions,
	}[tool]
	if !known {
		return nil, mcp.Refusal("There is no such tool.")
	}
	c := &call{library: l, scope: who, tool: tool}
	if err := json.Unmarshal(raw, &c.arguments); err != nil { // the room of the tools has read them
		return nil, fmt.Errorf("read the arguments of %s: %w", tool, err)
	}
	c.Limit = cmp.Or(c.Limit, usualLimit)
	var found any
	err := c.openShelves(ctx)
	if err == nil {
		err = c.readCursor()
	}
	if err == nil {
		found, err = do(ctx, c)
	}
	if _, refused := errors.AsType[mcp.Refusal](err); err != nil && !refused && ctx.Err() == nil {
		// The system's message may name files that the client must not know.
		return nil, mcp.Refusal("The vault cannot be read now; try again, and see what wiki doctor says.")
	}
	return found, err
}
