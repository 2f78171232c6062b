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
// An answer has about 24 KB at most and says with "next" where it goes on.
package library

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

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
	Config  config.Config
	Rules   *sharing.Rules
	Shelves func() []Shelf                                                  // now
	Past    Past                                                            // nil = nothing is known of questions
	Held    func(ctx context.Context, root string) (map[string]bool, error) // nil = Past says it
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
	maxText    = 1000 // letters of a text
	usualLimit = 8
	mostLimit  = 50
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
	a, err := readArguments(raw)
	if err != nil {
		return nil, err
	}
	var found any
	c := &call{library: l, who: who, tool: tool, arguments: a}
	if err = c.openShelves(ctx); err == nil {
		err = c.readCursor()
	}
	if err == nil {
		found, err = do(ctx, c)
	}
	if _, refused := errors.AsType[mcp.Refusal](err); err != nil && !refused && ctx.Err() == nil {
		// What the system says may name what the client has no part in.
		return nil, mcp.Refusal("The vault cannot be read now; try again, and see what wiki doctor says.")
	}
	return found, err
}

// readArguments reads what a client has sent; what no tool has is refused.
func readArguments(raw json.RawMessage) (a arguments, err error) {
	if len(bytes.TrimSpace(raw)) > 0 {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		if err := d.Decode(&a); err != nil || d.Decode(new(any)) != io.EOF {
			return a, mcp.Refusal("The arguments do not have the form that the tool asks for.")
		}
	}
	for name, text := range map[string]string{"query": a.Query, "note": a.Note, "heading": a.Heading, "folder": a.Folder, "vault": a.Vault, "cursor": a.Cursor} {
		if utf8.RuneCountInString(text) > maxText {
			return a, mcp.Refusal(fmt.Sprintf("The argument %s is longer than %d letters.", name, maxText))
		}
	}
	if a.Limit < 0 || a.Limit > mostLimit || a.From < 0 || a.To < 0 {
		return a, mcp.Refusal(fmt.Sprintf("limit is a number from 1 to %d, and lines are counted from 1.", mostLimit))
	}
	if a.Limit == 0 {
		a.Limit = usualLimit
	}
	return a, nil
}
