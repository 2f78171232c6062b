package installer

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/files"
	"vaultdispatcher/installer/doctor"
	"vaultdispatcher/service/host"
)

// Proof is a first answer.
type Proof struct {
	Vault  string        `json:"vault"`
	Answer string        `json:"answer"`
	Took   time.Duration `json:"-"`
	Second float64       `json:"seconds"`
}

// scratchName is that of the scratch note, where it is free.
const scratchName = "Wiki setup check"

// scratchNote is what the scratch note says, before and behind its question.
type scratchNote struct{ above, question, below string }

// newNote has a word of its own: to a question that was asked before, the engine gives
// its earlier answer for ten minutes, whoever would answer now.
func newNote() scratchNote {
	word := strings.ToLower(rand.Text()[:8])
	return scratchNote{
		above: "# Wiki setup check\n\nwiki setup has made this note (" + word +
			") to see a first question answered, and removes it again.\n\n",
		question: "> @agent-Miner who has made this note (" + word + ")?\n",
		below:    "\nThe end of the setup check.\n",
	}
}

// ErrNotKnown says that the engine does not watch the vault.
var ErrNotKnown = errors.New("the engine does not watch that folder")

// Prove writes a note with one question into a vault, waits until the running engine
// has answered it, looks whether anything else in it has changed, and removes it. The
// answer is that of the runner: an engine takes a change of its configuration up
// within seconds, and is waited for. Prove waits as long as ctx lasts; the note is
// removed in any case.
func Prove(ctx context.Context, client *client.Client, vault, runner string) (proof Proof, err error) {
	if err := waitForVault(ctx, client, vault, runner); err != nil {
		return proof, err
	}
	text := newNote()
	note, err := text.writeTo(vault)
	if err != nil {
		return proof, fmt.Errorf("write a note into %s: %w", vault, err)
	}
	begun := time.Now()
	defer func() {
		if err != nil { // nobody shall work for a note that is gone
			cancelQuestion(context.WithoutCancel(ctx), client, filepath.Base(note), begun)
		}
		if gone := os.Remove(note); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}()
	if _, err := client.Scan(ctx, note); err != nil {
		return proof, fmt.Errorf("have the note looked at: %w", err)
	}
	for {
		now, err := os.ReadFile(note)
		if err == nil {
			if answer, ok := text.findAnswer(string(now)); ok {
				took := time.Since(begun)
				return Proof{Vault: vault, Answer: answer, Took: took, Second: took.Seconds()}, nil
			}
		}
		if err := checkHindrance(ctx, client, filepath.Base(note), begun); err != nil {
			return proof, err
		}
		if err := pauseBriefly(ctx); err != nil {
			return proof, fmt.Errorf("no answer has come: %w", err)
		}
	}
}

// waitForVault waits until the engine watches the vault; it may just have been started.
func waitForVault(ctx context.Context, client *client.Client, vault, runner string) error {
	for until := time.Now().Add(time.Minute); time.Now().Before(until); {
		state := ""
		if status, err := client.Status(ctx); err == nil && isAnsweredBy(status, runner) {
			state = stateOf(status, vault)
		}
		switch state {
		case "watching":
			return nil
		case "indexing":
			until = time.Now().Add(time.Minute)
		case "paused", "foreign":
			return fmt.Errorf("%w: it is %s", ErrNotKnown, state)
		}
		if err := pauseBriefly(ctx); err != nil {
			return err
		}
	}
	return ErrNotKnown
}

// isAnsweredBy reports whether the Miner is answered by the runner.
func isAnsweredBy(status api.Status, runner string) bool {
	return slices.ContainsFunc(status.Agents, func(a api.Agent) bool {
		return strings.EqualFold(a.Role, "Miner") && a.Runner == runner
	})
}

func stateOf(status api.Status, vault string) string {
	byName := slices.IndexFunc(status.Vaults, func(v api.Vault) bool { return v.Path == vault })
	if byName >= 0 { // without a look at the disks of the others
		return status.Vaults[byName].State
	}
	for _, v := range status.Vaults {
		if sameFolder(v.Path, vault) {
			return v.State
		}
	}
	return ""
}

func sameFolder(a, b string) bool {
	same, _ := doctor.Await(func() bool {
		one, err := os.Stat(a)
		other, problem := os.Stat(b)
		return err == nil && problem == nil && os.SameFile(one, other)
	})
	return same
}

// writeTo makes the note under a name that was free.
func (n scratchNote) writeTo(vault string) (string, error) {
	for try := 1; ; try++ {
		name := scratchName + ".md"
		if try > 1 {
			name = fmt.Sprintf("%s %d.md", scratchName, try)
		}
		path := filepath.Join(vault, name)
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.WriteString(n.above + n.question + n.below)
		return path, errors.Join(err, f.Close())
	}
}

// findAnswer returns what stands in the place of the question, if everything else is
// as it was and the answer is whole.
func (n scratchNote) findAnswer(text string) (string, bool) {
	middle, ok := strings.CutPrefix(text, n.above)
	middle, same := strings.CutSuffix(middle, n.below)
	if !ok || !same || strings.Contains(middle, n.question) {
		return "", false
	}
	_, middle, open := strings.Cut(middle, "<!-- agent-response -->")
	answer, _, closed := strings.Cut(middle, "<!-- /agent-response -->")
	return strings.TrimSpace(answer), open && closed
}

// findDispatch is the dispatch of the note, if there is one yet. Those of earlier notes of
// the same name are none.
func findDispatch(ctx context.Context, client *client.Client, note string, since time.Time) (api.Dispatch, bool) {
	list, err := client.Dispatches(ctx, api.Filter{Query: note, Limit: 1})
	if err != nil || len(list) == 0 || list[0].CreatedAt.Before(since) {
		return api.Dispatch{}, false
	}
	return list[0], true
}

// checkHindrance says why no answer will come soon, if that is so.
func checkHindrance(ctx context.Context, client *client.Client, note string, since time.Time) error {
	d, ok := findDispatch(ctx, client, note, since)
	if !ok {
		return nil // the line settles
	}
	switch d.Status {
	case "failed", "held", "parked", "cancelled", "queued":
	default:
		return nil
	}
	if d.Error != "" {
		return errors.New(d.Error)
	}
	if d.Status == "queued" {
		return nil
	}
	return fmt.Errorf("the question was %s", d.Status)
}

// cancelQuestion cancels the question. That it is over already is as good.
func cancelQuestion(ctx context.Context, client *client.Client, note string, since time.Time) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if d, ok := findDispatch(ctx, client, note, since); ok {
		_, _ = client.Cancel(ctx, d.ID)
	}
}

func pauseBriefly(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(200 * time.Millisecond):
		return nil
	}
}

// ProofTime is how long a first answer is waited for. The engine continues after that.
const ProofTime = 3 * time.Minute

// FirstAnswer has a first question answered: by the engine that runs in one of its
// vaults, or else by a temporary engine in a folder of its own. problems is where a
// temporary engine logs its errors.
func FirstAnswer(ctx context.Context, state string, cfg config.Config, version string, problems io.Writer) (Proof, error) {
	ctx, cancel := context.WithTimeout(ctx, ProofTime)
	defer cancel()
	client, err := host.NewClient(ctx, state, cfg.HTTPPort)
	if err != nil {
		return Proof{}, err
	}
	miner, _ := cfg.Agent("Miner")
	if _, err := client.Ping(ctx); errors.Is(err, api.ErrNotRunning) {
		return rehearse(ctx, cfg, miner.Runner, version, problems)
	}
	for _, v := range cfg.Vaults {
		err, responds := doctor.Await(func() error { _, err := os.Stat(v.Path); return err })
		if responds && err == nil && !v.Paused {
			return Prove(ctx, client, v.Path, miner.Runner)
		}
	}
	return Proof{}, errors.New("none of the folders is there and watched")
}

// rehearse has the question answered by an engine and in a folder of its own, so that
// no note of the user is answered before they start one.
func rehearse(ctx context.Context, cfg config.Config, runner, version string, problems io.Writer) (proof Proof, err error) {
	dir, err := os.MkdirTemp("", "wiki-setup-")
	if err != nil {
		return proof, fmt.Errorf("make a folder for the proof: %w", err)
	}
	defer func() { err = errors.Join(err, files.RemoveAll(dir)) }()
	vault := filepath.Join(dir, "vault")
	if err := os.Mkdir(vault, 0o700); err != nil {
		return proof, fmt.Errorf("make a folder for the proof: %w", err)
	}
	if cfg.Vaults, err = config.NewVaults(vault); err != nil {
		return proof, err
	}
	cfg.Owner = ""
	log := slog.New(slog.NewTextHandler(problems, &slog.HandlerOptions{Level: slog.LevelError}))
	e, err := host.StartTemporary(ctx, cfg, dir, version, log)
	if err != nil {
		return proof, err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	running, end := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- e.Run(running) }()
	proof, err = Prove(ctx, e.Client, vault, runner)
	end()
	return proof, errors.Join(err, <-ended)
}
