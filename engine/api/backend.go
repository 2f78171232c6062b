package api

import (
	"context"
	"io/fs"
	"strings"
)

// Backend answers the server, subject by subject; engine/front implements it. The sentinels and types of
// this package decide which status its errors become.
type Backend interface {
	Overview
	Finder
	Questions
	Records
	Decisions
}

// Overview is what an engine says of itself, and its switches.
type Overview interface {
	Status(ctx context.Context, follows bool) (Status, error) // of many dispatches a follower is told of more
	Usage(ctx context.Context) (UsageReport, error)
	Roots() []Root // the configured vaults, now
	SetWatcher(ctx context.Context, req WatcherRequest) (Watcher, error)
	Rescan(ctx context.Context) error
	DismissNotice(ctx context.Context, id string) error
	Shutdown() // asks the engine to end; returns at once
}

// Finder looks at notes.
type Finder interface {
	// Scan looks at a note of one of Roots; rel has slashes and names a regular
	// note that existed a moment ago. With now, what it finds does not settle.
	Scan(ctx context.Context, vault Root, rel string, now bool) (ScanResult, error)
	Search(ctx context.Context, query string, limit int) (HitList, error)
	// Explain says in one sentence why a note, named as a person would name it,
	// is or is not found by a query among the first limit passages.
	Explain(ctx context.Context, query, file string, limit int) (string, error)
}

// Questions are asked without a marker, now or again and again.
type Questions interface {
	// Ask takes up a question outside of all notes. Its File is in the vault, like that of Scan. The vault is the
	// zero Root if the caller names none.
	Ask(ctx context.Context, vault Root, req AskRequest) (Dispatch, error)
	// AwaitAnswer waits until such a question has its answer, or will have none for now. said may be
	// nil; it is given all that the agent has said so far, as often as there is more, and may wait.
	AwaitAnswer(ctx context.Context, id string, said func(text string)) (Answered, error)
	Schedule(ctx context.Context) ([]Scheduled, error) // questions that come again, the next one first
	// ActOnSchedule does one of pause, resume and run, which asks it now.
	ActOnSchedule(ctx context.Context, id, act string) (Scheduled, error)
}

// Records are what is known of dispatches.
type Records interface {
	Dispatches(ctx context.Context, f Filter) ([]Dispatch, error)
	Dispatch(ctx context.Context, id string) (Detail, error)
	Answers(ctx context.Context) ([]Detail, error) // answers that are in no note
}

// Decisions are a person's, about one dispatch.
type Decisions interface {
	Retry(ctx context.Context, id string) (Dispatch, error)
	// AskAgain asks the agent again. An existing answer is replaced when the new one arrives.
	AskAgain(ctx context.Context, id string) (Dispatch, error)
	Cancel(ctx context.Context, id string) (Dispatch, error)
	Release(ctx context.Context, id string) (Dispatch, error)
	// Proposed lists answers that wait for a person's yes, each with what it would change in its note as it is now.
	Proposed(ctx context.Context) ([]Proposal, error)
	// Accept has a proposal written, as it was seen.
	Accept(ctx context.Context, id string, req AcceptRequest) (Dispatch, error)
	// Reject ends a proposal; with a reason its question is asked again.
	Reject(ctx context.Context, id, because string) (Dispatch, error)
	// Undo puts the markers back in the place of their answers.
	Undo(ctx context.Context, id string) (Dispatch, error)
}

// HasNoteExtension reports whether a file may be a note by the end of its name.
func HasNoteExtension(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".md") || strings.HasSuffix(name, ".markdown")
}

// Root is one configured vault as the path rules need it.
type Root struct {
	Name    string
	Path    string   // real and absolute: symlinks resolved
	Aliases []string // other spellings a client may use: as configured, before symlinks were resolved
	Silent  string   // in words, since when its disk has not responded; empty = it responds
}

// FindRoot returns the vault of a name, in any case where none is spelt like it.
func FindRoot(roots []Root, name string) (Root, error) {
	var names []string
	var found []Root
	for _, r := range roots {
		if r.Name == name {
			return r, nil
		}
		if names = append(names, r.Name); strings.EqualFold(r.Name, name) {
			found = append(found, r)
		}
	}
	if len(found) == 0 {
		return Root{}, &Invalid{Reason: "There is no vault named " + name + "; there are: " + strings.Join(names, ", ") + ".", Field: "vault"}
	}
	return found[0], nil
}

// Tools is what calls and pages tell that the engine itself does not know: it wrote
// no log file, and no doctor. The program that starts the engine passes them. Where one is
// nil, its call says so and its page is not offered.
type Tools struct {
	// Log returns the last lines of the log, at most so many, the oldest first.
	Log func(lines int) ([]LogLine, error)

	// Doctor looks for what keeps the product from working on this machine. It
	// changes nothing.
	Doctor func(ctx context.Context) ([]Finding, error)

	Setup *SetupTools

	// Docs are the documents, markdown files that link to each other; README.md leads to all of them.
	Docs fs.FS
}

// SetupTools are the steps of setup, for the page of that name.
type SetupTools struct {
	// Look says what is set and what there is to choose from. It changes nothing
	// but what trying a folder needs.
	Look func(ctx context.Context) (Setup, error)

	// Write makes a choice the configuration. What cannot be so is an [Invalid].
	Write func(ctx context.Context, c SetupChoice) (SetupWritten, error)

	// Prove has a first question answered, and keeps nothing of it.
	Prove func(ctx context.Context) (SetupProof, error)

	// Try sends one real, short question to the agent of a role, which may cost money.
	Try func(ctx context.Context, role string) (SetupTried, error)
}
