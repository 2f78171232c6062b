// Package proof has a first question answered when setup has ended, so that a person sees what the program does.
//
//	answer, err := proof.FirstAnswer(ctx, state, cfg, run, os.Stderr)
//
// # Promises
//
// None of the person's notes is changed, and none is sent to an agent that leaves the machine.
package proof

import (
	"cmp"
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
	"vaultdispatcher/engine/due"
	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/patience"
	"vaultdispatcher/engine/sharing"
	"vaultdispatcher/engine/syserr"
)

// scratchName is that of the scratch note, where it is free.
const scratchName = "Wiki setup check"

// scratchNote is what the scratch note says, before and behind its question.
type scratchNote struct{ head, question, tail string }

// newNote asks about a subject, or without one about the note itself. It has a random word: for ten minutes, the
// engine gives its earlier answer to a question that was asked before, even if another agent would answer now.
func newNote(about subject) scratchNote {
	word := strings.ToLower(rand.Text()[:8])
	question := "who has made the note " + word + "?"
	if about.title != "" {
		question = about.question()
	}
	return scratchNote{
		head: "# Wiki setup check\n\nwiki setup has made the note " + word +
			" to see a first question answered, and removes it again.\n\n",
		question: "> @agent-Miner " + question + "\n",
		tail:     "\nThe end of the setup check.\n",
	}
}

// ErrNotKnown says that the engine does not watch the vault.
var ErrNotKnown = errors.New("the engine does not watch that folder")

// NotTaken says why the settings let no agent answer the question of a scratch note.
type NotTaken struct{ Reason string }

func (n *NotTaken) Error() string { return n.Reason }

// askInNote writes a note with one question into the vault of a temporary engine, waits until
// that has answered it, and looks whether anything else in it has changed.
func askInNote(ctx context.Context, client *client.Client, vault string, text scratchNote) (answer string, took time.Duration, err error) {
	note, err := text.writeTo(vault)
	if err != nil {
		return "", 0, fmt.Errorf("write a note into %s: %w", vault, err)
	}
	begun := time.Now()
	seen, err := client.ScanNow(ctx, note)
	if err != nil {
		return "", 0, fmt.Errorf("have the note looked at: %w", err)
	}
	if i := slices.IndexFunc(seen.Details, func(g api.ScanGroup) bool { return g.Reason != "" }); i >= 0 {
		return "", 0, &NotTaken{seen.Details[i].Reason}
	}
	for {
		now, err := os.ReadFile(note)
		if err == nil {
			if answer, ok := text.findAnswer(string(now)); ok {
				return answer, time.Since(begun), nil
			}
		}
		if err := checkHindrance(ctx, client, filepath.Base(note), begun); err != nil {
			return "", 0, err
		}
		if err := pauseBriefly(ctx); err != nil {
			return "", 0, fmt.Errorf("no answer has come: %w", err)
		}
	}
}

// askAbout asks the running engine about one subject after the other until an answer is short and names the
// note that was asked about, and returns the best. The engine keeps nothing of that.
func askAbout(ctx context.Context, client *client.Client, vault string, about []subject) (proof api.SetupProof, err error) {
	best := -1
	for _, a := range about {
		begun := time.Now()
		answer, err := client.Ask(ctx, api.AskRequest{Question: a.question(), Vault: vault, Proof: true}, func(string) {}, nil)
		if err != nil {
			return proof, err
		}
		worth := 0
		if slices.ContainsFunc(answer.Sources, func(s api.Source) bool { return s.File == a.rel }) {
			if worth = 1; countLines(quoteOf(answer.Answer)) <= proofLines {
				worth = 2
			}
		}
		if worth > best {
			best, proof = worth, api.SetupProof{Note: a.rel, Question: a.question(), Answer: strings.TrimSpace(answer.Answer), Took: time.Since(begun)}
		}
		if best == 2 {
			break
		}
	}
	return proof, nil
}

// quoteOf returns the lines of an answer that are quoted; all of them where none is.
func quoteOf(answer string) string {
	lines := slices.DeleteFunc(strings.Split(answer, "\n"), func(line string) bool { return !strings.HasPrefix(line, ">") })
	return cmp.Or(strings.Join(lines, "\n"), answer)
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
		_, err = f.WriteString(n.head + n.question + n.tail)
		return path, errors.Join(err, f.Close())
	}
}

// asked is the question of the note.
func (n scratchNote) asked() string {
	return strings.TrimSuffix(strings.TrimPrefix(n.question, "> @agent-Miner "), "\n")
}

// findAnswer returns the text in the place of the question. It returns false if any other text of the note has
// changed, or if the answer is not whole.
func (n scratchNote) findAnswer(text string) (string, bool) {
	middle, ok := strings.CutPrefix(text, n.head)
	middle, same := strings.CutSuffix(middle, n.tail)
	if !ok || !same || strings.Contains(middle, n.question) {
		return "", false
	}
	_, middle, open := strings.Cut(middle, "<!-- agent-response -->")
	answer, _, closed := strings.Cut(middle, "<!-- /agent-response -->")
	return strings.TrimSpace(answer), open && closed
}

// findDispatch returns the dispatch of the note; false before there is one. Dispatches of earlier notes of the same
// name do not count.
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
	switch {
	case d.Error != "":
		return errors.New(d.Error)
	case d.Status == "queued":
		return nil
	case d.Hold != nil:
		return &NotTaken{d.Hold.Reason}
	}
	return fmt.Errorf("the question was %s", d.Status)
}

// ProofTime is how long a first answer is waited for. The engine continues after that.
const ProofTime = 3 * time.Minute

// RunEngine runs an engine of a configuration that shares nothing with the one which the
// user may be running, as long as use is at work. dir is for its files.
type RunEngine func(ctx context.Context, cfg config.Config, dir string, log *slog.Logger, use func(context.Context, *client.Client) error) error

// FirstAnswer has a first question answered, about a note of the person's if they have one. It asks the running
// engine, in one of its vaults, which keeps no trace of it. Without a running engine, a temporary one answers in a
// note in its own folder. It does the same, about no note of the person's, if answers leave this machine, because the
// person has not asked that agent anything yet. problems is where a temporary engine logs its errors.
func FirstAnswer(ctx context.Context, state string, cfg config.Config, run RunEngine, problems io.Writer) (api.SetupProof, error) {
	ctx, cancel := context.WithTimeout(ctx, ProofTime)
	defer cancel()
	engine, err := client.FindEngine(ctx, state, cfg.HTTPPort)
	if err != nil {
		return api.SetupProof{}, err
	}
	miner, _ := cfg.Agent(api.DefaultRole)
	_, err = engine.Ping(ctx)
	isRunning := !errors.Is(err, api.ErrNotRunning)
	vault := firstVault(cfg)
	if vault == "" && isRunning {
		return api.SetupProof{}, errors.New("none of the folders is there and watched")
	}
	outside, name, missing := "", "", ""
	var about []subject
	if sharing.Stays(miner) {
		about, missing = findSubjects(cfg, vault)
	} else if outside = miner.Runner; len(miner.Command) > 0 {
		outside = filepath.Base(miner.Command[0])
	}
	if isRunning {
		if name, err = waitForVault(ctx, engine, vault, miner.Runner); err != nil {
			return api.SetupProof{}, err
		}
	}
	var proof api.SetupProof
	if isRunning && len(about) > 0 {
		proof, err = askAbout(ctx, engine, name, about)
	} else {
		proof, err = proveInScratchVault(ctx, cfg, about, run, problems)
	}
	proof.Vault, proof.Running, proof.Outside, proof.Missing, proof.Second = vault, isRunning, outside, missing, proof.Took.Seconds()
	return proof, err
}

// firstVault is the first folder that is there, responds and is watched, or nothing.
func firstVault(cfg config.Config) string {
	var watched []string
	for _, v := range cfg.Vaults {
		if !v.Paused {
			watched = append(watched, v.Path)
		}
	}
	first, _ := patience.FirstThere(watched...)
	return first.Named
}

// proveInScratchVault has a question answered by an engine and in a folder of its own, so that no note of
// the person's is answered before they start one. What it is about is copied there.
func proveInScratchVault(ctx context.Context, cfg config.Config, about []subject, run RunEngine, problems io.Writer) (proof api.SetupProof, err error) {
	dir, err := os.MkdirTemp("", "wiki-setup-")
	if err != nil {
		return proof, fmt.Errorf("make a folder for the proof: %w", err)
	}
	defer func() { err = errors.Join(err, files.RemoveAll(dir)) }()
	vault := filepath.Join(dir, "vault")
	var first subject
	if len(about) > 0 {
		first = about[0]
	}
	if err := first.copyTo(vault); err != nil {
		return proof, fmt.Errorf("make a folder for the proof: %w", err)
	}
	if cfg.Vaults, err = config.NewVaults(vault); err != nil {
		return proof, err
	}
	cfg.Owner = ""
	text := newNote(first)
	proof = api.SetupProof{Note: first.rel, Question: text.asked(), Temporary: true}
	miner, _ := cfg.Agent(api.DefaultRole)
	log := slog.New(slog.NewTextHandler(problems, &slog.HandlerOptions{Level: slog.LevelError, ReplaceAttr: syserr.ForPeople}))
	err = run(ctx, cfg, dir, log, func(ctx context.Context, c *client.Client) (err error) {
		if _, err = waitForVault(ctx, c, vault, miner.Runner); err == nil {
			proof.Answer, proof.Took, err = askInNote(ctx, c, vault, text)
		}
		return err
	})
	return proof, err
}

// pauseBriefly lets a moment pass before the engine is asked again.
func pauseBriefly(ctx context.Context) error { return due.Sleep(ctx, 200*time.Millisecond) }
