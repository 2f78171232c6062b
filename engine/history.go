package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/fit"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/sharing"
	"vaultdispatcher/engine/vault"
	"vaultdispatcher/engine/vault/copies"
)

// This file chooses the earlier questions that a fork is told, and the agents that are told them.

// How many dispatches a history is chosen from: of the note and of the thread, and of the
// vault, where only those count that share terms with the question.
const (
	nearReach = 200
	wideReach = 1000
)

// historyFor returns the earlier questions and answers that the fork of a dispatch may see. In a chain
// these are the ones answered when the dispatch was accepted; later ones come as the answer before
// ([asker.previousAnswer]).
func (a *asker) historyFor(ctx context.Context, d journal.Dispatch, free *fit.Space) ([]agent.Exchange, error) {
	bounds := a.roles.HistoryOf(d.Role)
	lists, failed := a.readPast(ctx, d, bounds)
	most, may := free.BoundHistory(bounds.Bytes), a.mayBeTold(ctx, d)
	chosen := sharing.Choose(lists, sharing.ListWords(d), most, may)
	wanted := len(chosen)
	if most < bounds.Bytes {
		wanted = len(sharing.Choose(lists, sharing.ListWords(d), bounds.Bytes, may))
	}
	exchanges := make([]agent.Exchange, len(chosen))
	for i, x := range chosen {
		exchanges[i] = agent.Exchange{Note: x.File, Question: x.Question, Answer: x.Answer, At: x.Time}
	}
	return free.FitHistory(exchanges, wanted), errors.Join(failed(), ctx.Err())
}

// readPast reads the exchanges that the history of a dispatch is chosen from. With a
// TaskID that is its own thread and nothing else. Those of the vault are read when they are asked
// for; why returns what went wrong until then.
func (a *asker) readPast(ctx context.Context, d journal.Dispatch, bounds config.History) (lists sharing.Lists, why func() error) {
	var err error
	past := journal.Past{Vault: d.Vault, TaskID: d.TaskID, Bytes: bounds.Bytes, Limit: nearReach}
	if a.config.Dispatch.Mode == dispatch.Chain {
		past.End = d.Created
	}
	ofNote, ofThread, ofVault := past, past, past
	ofNote.File, ofThread.Key, ofVault.Limit = d.File, d.Key, wideReach
	read := func(list *[]journal.Exchange, p journal.Past) {
		if err == nil {
			*list, err = a.journal.Exchanges(ctx, p)
		}
	}
	switch {
	case bounds.Scope == config.HistoryNone || bounds.Bytes == 0:
	case d.TaskID != "":
		if bounds.Scope == config.HistoryNote {
			ofThread.File = d.File
		}
		read(&lists.Thread, ofThread)
	case bounds.Scope == config.HistoryThread:
		read(&lists.Thread, ofThread)
	case bounds.Scope == config.HistoryNote:
		read(&lists.Note, ofNote)
	default:
		read(&lists.Note, ofNote)
		read(&lists.Thread, ofThread)
		lists.Vault = sync.OnceValue(func() (list []journal.Exchange) {
			read(&list, ofVault)
			return list
		})
	}
	return lists, func() error { return err }
}

// leaves reports whether the agent of a dispatch leaves this machine, or its answer is for another
// agent: then it is told nothing private.
func (a *asker) leaves(d journal.Dispatch) bool {
	return d.Trigger == journal.TriggerAgent || !a.roles.Rules.Stays(d.Role)
}

// mayBeTold returns a function that reports whether the agent of d may be told of an earlier exchange.
// An agent on this machine is told of every exchange. An agent that leaves it is told of no private
// exchange. While some notes are private, it is told only of exchanges that are still in a public
// note: others may have moved to a private one since.
func (a *asker) mayBeTold(ctx context.Context, d journal.Dispatch) func(journal.Exchange) bool {
	return a.judgeExchanges(ctx, d, a.stands)
}

// mayFollow reports whether the agent of d is told the answers of the dispatch before it in a chain.
// The rule is that of [asker.mayBeTold], but the note need not have them yet.
func (a *asker) mayFollow(ctx context.Context, d, before journal.Dispatch) bool {
	anywhere := func(context.Context, vault.Disk, journal.Exchange, map[string][]byte) bool { return true }
	return a.judgeExchanges(ctx, d, anywhere)(journal.Exchange{File: before.File, Role: before.Role, Runner: before.Runner, Recipe: before.Recipe})
}

// judgeExchanges is the rule of [asker.mayBeTold]. The function stands reports whether the note of an
// exchange still has it, by the texts read so far.
func (a *asker) judgeExchanges(ctx context.Context, d journal.Dispatch, stands func(context.Context, vault.Disk, journal.Exchange, map[string][]byte) bool) func(journal.Exchange) bool {
	rules, v := a.roles.Rules, a.vaults.At(d.Vault)
	if !a.leaves(d) {
		return func(journal.Exchange) bool { return true }
	}
	if v == nil {
		return func(x journal.Exchange) bool { return rules.MayLeave(x) && !rules.HideNotes() }
	}
	secret := copies.FindNames(v.Root, rules.IsPrivate)
	texts := make(map[string][]byte) // of notes
	silent := false                  // a look was left behind, and may still write texts and secret
	return func(x journal.Exchange) bool {
		if !rules.MayLeave(x) {
			return false
		}
		if !rules.HideNotes() {
			return true
		}
		if silent || len(texts) > nearReach {
			return false
		}
		standing, err := vault.OnDisk(ctx, v, func(disk vault.Disk) (bool, error) {
			return arePublic(disk, secret, append([]string{x.File}, x.Recipe.Sources...)) && stands(ctx, disk, x, texts), nil
		})
		silent = err != nil
		return standing && !silent
	}
}

// arePublic reports whether notes are where they were, and have no secret name as well. A link may
// lead to a private note. It touches the disk.
func arePublic(disk vault.Disk, secret *copies.Names, rels []string) bool {
	return !slices.ContainsFunc(rels, func(rel string) bool {
		info, err := disk.Stat(rel)
		return err != nil || !info.Mode().IsRegular() || secret.Of(info) != ""
	})
}

// stands reports whether an answer is still in the note where it was written. It touches the disk.
func (a *asker) stands(ctx context.Context, disk vault.Disk, x journal.Exchange, texts map[string][]byte) bool {
	src, read := texts[x.File]
	if !read {
		src, _ = disk.Read(x.File) // an unreadable note counts as empty
		texts[x.File] = src
	}
	d, err := a.journal.Get(ctx, x.Dispatch)
	if err != nil || x.Position >= len(d.Markers) {
		return false // its place is unknown
	}
	return sharing.HoldsBlock(src, d.Markers[x.Position].Block.Text)
}

// whyNotAsked returns why the question of a dispatch is not asked, or nil. It may have been
// accepted before its note was moved among private ones or got a name there; where it is not
// there any more, that is not known, and an agent that leaves this machine waits.
func (a *asker) whyNotAsked(ctx context.Context, d journal.Dispatch) error {
	rules, v := a.roles.Rules, a.vaults.At(d.Vault)
	refuse := func(rel string) error {
		if reason := rules.WhyNotAsked(d.Role, rel); reason != "" {
			return &agent.Failure{Kind: agent.Permanent, Reason: reason}
		}
		return nil
	}
	if err := refuse(d.File); err != nil || v == nil || rules.Stays(d.Role) || !rules.HideNotes() || d.File == "" {
		return err
	}
	name, err := vault.OnDisk(ctx, v, func(disk vault.Disk) (string, error) {
		info, err := disk.Stat(d.File)
		if errors.Is(err, fs.ErrNotExist) && d.Asked == journal.AskedCreate {
			return d.File, nil // it is made for the answer
		}
		if err != nil || !info.Mode().IsRegular() {
			return "", nil
		}
		return cmp.Or(copies.FindNames(v.Root, rules.IsPrivate).Of(info), d.File), nil
	})
	if err == nil && name != "" {
		return refuse(name)
	}
	return &agent.Failure{Kind: agent.Transient, Cause: err, Reason: "the note is not where it was and may be private now (wiki.private), and what answers the role " + d.Role + " leaves this machine"}
}

// isStale reports whether the stored text of a task may hold what its agent may not be
// told, because it was made for another one or something may have become private since.
func (a *asker) isStale(d journal.Dispatch) bool {
	return a.leaves(d) && (d.Recipe.Local || a.roles.Rules.HideAny())
}

// skipPrivate returns a function that reports the notes that are not quoted to the agent of a
// dispatch; nil means that all may be quoted. Its callers read the vault's disk anyway.
func (a *asker) skipPrivate(ctx context.Context, d journal.Dispatch, disk vault.Disk) func(rel string) bool {
	rules := a.roles.Rules
	if d.Trigger == journal.TriggerAgent {
		skip, _ := a.library.Withheld(ctx, disk.Root) // where a disk is silent the task has no passages
		return skip
	}
	if rules.Stays(d.Role) || !rules.HideNotes() {
		return nil
	}
	secret := copies.FindNames(disk.Root, rules.IsPrivate)
	return func(rel string) bool { return rules.IsPrivate(rel) || !arePublic(disk, secret, []string{rel}) }
}

// keepResult keeps, before the answers, which notes they quote and which questions had no result.
// Without it, private quotes could be told to any agent.
func (a *asker) keepResult(ctx context.Context, d journal.Dispatch, notes []string, noResult int64) error {
	if len(notes) == 0 && noResult == d.NoResult {
		return nil
	}
	err := a.recorder.Record(ctx, "keep the result", d.ID, func(ctx context.Context) error {
		return a.journal.KeepResult(ctx, d.ID, notes, noResult)
	})
	if err != nil {
		return fmt.Errorf("keep what the answer quotes: %w", err)
	}
	return nil
}

// keepCut keeps the text of an agent beside its answers, or instead of them, which no note has.
func (a *asker) keepCut(ctx context.Context, d journal.Dispatch, cut string) error {
	if cut == "" && d.Trigger != "retry" && d.Attempts == 0 { // an earlier try may have had something
		return nil
	}
	err := a.recorder.Record(ctx, "keep what was cut", d.ID, func(ctx context.Context) error {
		return a.journal.KeepPart(ctx, d.ID, journal.PartCut, cut)
	})
	if err != nil {
		return fmt.Errorf("keep what the agent said beside its answer: %w", err)
	}
	return nil
}
