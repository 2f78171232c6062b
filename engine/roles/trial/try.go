// Package trial asks a role one question for a person who wants to see whether it answers:
//
//	tried, err := trial.Run(ctx, cfg, assets.Agents(), "Miner", "Are you there?")
package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/builtin"
	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/broadcast"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal/ids"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/notes"
	"vaultdispatcher/engine/patience"
	"vaultdispatcher/engine/recall"
	"vaultdispatcher/engine/roles"
)

// Result is what came of one request to a role.
type Result struct {
	api.SetupTried
	Usage agent.Usage
}

// Run asks a role one question, as a dispatch would, without a note: it is asked in
// the first vault that is there and whose disk responds, and nothing is written. It needs
// no running engine and disturbs none.
func Run(ctx context.Context, cfg config.Config, agents fs.FS, role, question string) (Result, error) {
	folder, err := os.MkdirTemp("", "vault-dispatcher-")
	if err != nil {
		return Result{}, fmt.Errorf("make a folder for the test: %w", err)
	}
	defer os.RemoveAll(folder)
	var index *recall.Index
	open := func(root string) (_ *recall.Index, err error) {
		index, err = readIndex(ctx, cfg, root, folder)
		return index, err
	}
	r, err := roles.New(cfg, agents, roles.Own{Miner: builtin.New(open), Broadcaster: broadcast.New(broadcast.Port{Index: open})})
	if err != nil {
		return Result{}, err
	}
	defer func() {
		if index != nil {
			index.Close() // before its folder is removed
		}
	}()
	tried := Result{SetupTried: api.SetupTried{Role: role}}
	var runner agent.Runner
	if tried.Runner, runner, err = r.Find(role); err != nil {
		return tried, err
	}
	root := firstVault(cfg.Vaults, folder)
	group := note.Group{Key: note.Marker{Role: role}.Key(), Role: role, Markers: []note.Marker{{Line: 1, Instruction: question}}}
	task := agent.NewTask(ids.New(time.Now()), root, "Test.md", group, nil, agent.Reference{Date: time.Now()})
	begun := time.Now()
	answers, _, err := agent.Ask(task, 1, func(task agent.Task) (agent.Reply, error) {
		reply, err := runner.Run(ctx, task)
		tried.Usage = tried.Usage.Plus(reply.Usage)
		if failure, ok := errors.AsType[*agent.Failure](err); ok {
			tried.Usage = tried.Usage.Plus(failure.Usage)
		}
		return reply, err
	})
	tried.Took = time.Since(begun)
	if err == nil {
		tried.Answer = answers[0]
	}
	return tried, err
}

// firstVault returns the first vault that is there and whose disk responds, or else the folder given.
func firstVault(vaults []config.Vault, folder string) string {
	paths := make([]string, len(vaults))
	for i, v := range vaults {
		paths[i] = v.Path
	}
	if first, ok := patience.FirstThere(paths...); ok {
		return first.Path
	}
	return folder
}

// readIndex reads a vault into an index of its own, so that a running engine and
// its index are left alone.
func readIndex(ctx context.Context, cfg config.Config, root, folder string) (*recall.Index, error) {
	ix, err := recall.Open(ctx, filepath.Join(folder, "index.db"), root, recall.Options{
		Exclude: func(rel string) bool { return cfg.IsUnindexed(rel) }, NoGraph: !cfg.Graph.Enabled,
	})
	if err != nil {
		return nil, fmt.Errorf("read the vault: %w", err)
	}
	type walked struct {
		rels []string
		err  error
	}
	found, err := agent.AwaitFolder(ctx, root, func(_ context.Context, answered func()) (w walked) {
		w.err = notes.Walk(root, cfg.Exclude, func(rel string, _ fs.FileInfo) { answered(); w.rels = append(w.rels, rel) })
		return w
	})
	if err = cmp.Or(err, found.err); err == nil {
		err = ix.Sync(ctx, found.rels, nil) // a call that hangs ends with ctx
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read the vault: %w", err), ix.Close())
	}
	return ix, nil
}
