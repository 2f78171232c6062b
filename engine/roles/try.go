package roles

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/builtin"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
	"vaultdispatcher/engine/notes"
	"vaultdispatcher/engine/recall"
)

// Tried is what came of one request to a role.
type Tried struct {
	Role   string
	Runner string
	Answer string
	Took   time.Duration
	Usage  agent.Usage
}

// Try asks a role one question, as a dispatch would, without a note: it is asked in
// the first vault that is there, and nothing is written. It needs no running
// engine and disturbs none.
func Try(ctx context.Context, cfg config.Config, agents fs.FS, role, question string) (Tried, error) {
	folder, err := os.MkdirTemp("", "vault-dispatcher-")
	if err != nil {
		return Tried{}, fmt.Errorf("make a folder for the test: %w", err)
	}
	defer os.RemoveAll(folder)
	var index *recall.Index
	r, err := New(cfg, agents, builtin.New(func(root string) (_ *recall.Index, err error) {
		index, err = readIndex(ctx, cfg, root, folder)
		return index, err
	}))
	if err != nil {
		return Tried{}, err
	}
	defer func() {
		if index != nil {
			index.Close() // its folder goes too
		}
	}()
	tried := Tried{Role: role}
	var runner agent.Runner
	if tried.Runner, runner, err = r.Find(role); err != nil {
		return tried, err
	}
	root := firstVault(cfg.Vaults, folder)
	group := note.Group{Key: note.Key("agent-" + role), Role: role, Markers: []note.Marker{{Line: 1, Instruction: question}}}
	task := agent.NewTask(journal.NewID(time.Now()), root, "Test.md", group, nil, agent.Reference{})
	begun := time.Now()
	answers, err := agent.Ask(task, 1, func(task agent.Task) (agent.Reply, error) {
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

// firstVault returns the first vault that is there, or else the folder given.
func firstVault(vaults []config.Vault, folder string) string {
	for _, v := range vaults {
		if real, err := filepath.EvalSymlinks(v.Path); err == nil {
			return real
		}
	}
	return folder
}

// readIndex reads a vault into an index of its own, so that a running engine and
// its index are left alone.
func readIndex(ctx context.Context, cfg config.Config, root, folder string) (*recall.Index, error) {
	ix, err := recall.Open(ctx, filepath.Join(folder, "index.db"), root, recall.Options{
		Exclude: func(rel string) bool { return config.Match(cfg.Index.Exclude, rel) }, NoGraph: !cfg.Graph.Enabled,
	})
	if err != nil {
		return nil, fmt.Errorf("read the vault: %w", err)
	}
	var all []string
	err = notes.Walk(root, cfg.Exclude, func(rel string, _ fs.FileInfo) { all = append(all, rel) })
	if err == nil {
		err = ix.Sync(ctx, all, nil)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read the vault: %w", err), ix.Close())
	}
	return ix, nil
}
