package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/builtin"
	"vaultdispatcher/engine/agent/openai"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/dispatch"
	"vaultdispatcher/engine/journal"
	"vaultdispatcher/engine/note"
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
	definitions, err := config.NewDefinitions(agents, cfg)
	if err != nil {
		return Tried{}, err
	}
	folder, err := os.MkdirTemp("", "vault-dispatcher-")
	if err != nil {
		return Tried{}, fmt.Errorf("make a folder for the test: %w", err)
	}
	defer os.RemoveAll(folder)
	var index *recall.Index
	r := &runners{config: cfg, definitions: definitions, servers: openai.NewServers(), miner: builtin.New(func(root string) (_ *recall.Index, err error) {
		index, err = freshIndex(ctx, cfg, root, folder)
		return index, err
	})}
	defer func() {
		if index != nil {
			index.Close() // its folder goes too
		}
	}()
	tried := Tried{Role: role}
	var runner agent.Runner
	if tried.Runner, runner, err = r.find(role); err != nil {
		return tried, err
	}
	root := somewhere(cfg.Vaults, folder)
	group := note.Group{Key: note.Key("agent-" + role), Role: role, Markers: []note.Marker{{Line: 1, Instruction: question}}}
	task := agent.NewTask(journal.NewID(time.Now()), root, "Test.md", group, nil, agent.Reference{})
	begun := time.Now()
	answers, err := dispatch.Ask(task, 1, func(task agent.Task) (agent.Reply, error) {
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

// somewhere returns the first vault that is there, or else the folder given.
func somewhere(vaults []config.Vault, folder string) string {
	for _, v := range vaults {
		if real, err := filepath.EvalSymlinks(v.Path); err == nil {
			return real
		}
	}
	return folder
}

// freshIndex reads a vault into an index of its own, so that a running engine and
// its index are left alone.
func freshIndex(ctx context.Context, cfg config.Config, root, folder string) (*recall.Index, error) {
	ix, err := recall.Open(ctx, filepath.Join(folder, "index.db"), root, recall.Options{
		Exclude: func(rel string) bool { return config.Match(cfg.Index.Exclude, rel) }, NoGraph: !cfg.Graph.Enabled,
	})
	if err != nil {
		return nil, fmt.Errorf("read the vault: %w", err)
	}
	var notes []string
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		hidden := path != root && strings.HasPrefix(entry.Name(), ".")
		switch rel, _ := filepath.Rel(root, path); {
		case err != nil && path == root:
			return err
		case err != nil && !entry.IsDir():
		case err != nil || hidden && entry.IsDir():
			return fs.SkipDir // what cannot be read is not known
		case entry.Type().IsRegular() && !hidden && strings.EqualFold(filepath.Ext(rel), ".md"):
			notes = append(notes, filepath.ToSlash(rel))
		}
		return nil
	})
	if err == nil {
		err = ix.Sync(ctx, notes, nil)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read the vault: %w", err), ix.Close())
	}
	return ix, nil
}
