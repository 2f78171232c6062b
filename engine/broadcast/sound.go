package broadcast

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/broadcast/kinds"
	"vaultdispatcher/engine/broadcast/material"
	"vaultdispatcher/engine/broadcast/order"
	"vaultdispatcher/engine/broadcast/shelf"
	"vaultdispatcher/engine/broadcast/shown"
	"vaultdispatcher/engine/broadcast/speech"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/config/glob"
	"vaultdispatcher/engine/recall/terms"
	"vaultdispatcher/engine/wording"
)

// This file has a work read aloud. That happens after the answer, and keeps no slot.

// soundEndings are those of the files that are put beside a work later.
var soundEndings = []string{".wav", ".mp3", ".ogg", ".vtt"}

// DeskOptions are what [NewDesk] makes a desk of.
type DeskOptions struct {
	Settings  speech.Settings
	Folder    string // of the vaults, where sounds are put
	State     string // a folder for what waits
	Engine    string // whose temporary files are in the vaults
	Log       *slog.Logger
	IsPrivate func(rel string) bool // whether a note must be read aloud on this machine only; nil = none must
	Changed   func()                // called when the progress of a sound has changed; may be nil
	// Look makes a look at the disk of the vault at root; one that hangs it leaves behind with [speech.ErrSilent]. nil = it is waited for.
	Look func(ctx context.Context, root string, look func() error) error
}

// NewDesk returns the desk that reads aloud what is put into a folder of the vaults. Before a sound is made, while it is and
// before it is put there, a look finds out whether its note and its disk are there: so a disk that hangs delays the sounds of
// no other vault, unless it begins to hang in the write itself, which is waited for.
func NewDesk(o DeskOptions) *speech.Desk {
	return speech.NewDesk(speech.Options{Settings: o.Settings, Folder: o.State, Log: o.Log, Private: o.IsPrivate, Changed: o.Changed, Place: func(ctx context.Context, job speech.Job, list []speech.File) error {
		var sounds []shelf.File
		for _, f := range list {
			sounds = append(sounds, shelf.File{Ext: f.Ext, Text: f.Data})
		}
		look := func() error { return shelf.Attach(ctx, job.Root, o.Folder, job.Note, o.Engine, nil) }
		err := o.lookAt(ctx, job.Root, look)
		if err == nil && len(sounds) > 0 {
			err = shelf.Attach(ctx, job.Root, o.Folder, job.Note, o.Engine, sounds)
		}
		if errors.Is(err, shelf.ErrGone) {
			return speech.ErrGone
		}
		return err
	}})
}

func (o DeskOptions) lookAt(ctx context.Context, root string, look func() error) error {
	if o.Look == nil {
		return look()
	}
	return o.Look(ctx, root, look)
}

// NewShown returns the room that reads what was made, for a page. What was made of a note that is excluded now, or
// private where the folder is not, it does not show.
func NewShown(cfg config.Config, isPrivate func(rel string) bool) *shown.Room {
	folder := cfg.Broadcast.Folder + "/"
	return shown.New(cfg.Broadcast.Folder, func(rel string) bool {
		return glob.Match(cfg.Exclude, rel) && !strings.HasPrefix(rel, folder) || isPrivate(rel) && !isPrivate(folder+"x.md")
	})
}

// isSpoken reports whether a kind is one to be heard.
func isSpoken(kind kinds.Kind) bool { return kind.Name == "audio" }

// language is how a voice knows one.
var language = regexp.MustCompile(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

// readAloud has a work read aloud: it returns the file that the sound will be, and what is to be said of it.
func (c *Controller) readAloud(task agent.Task, kind kinds.Kind, set *material.Set, made kinds.Made, o order.Order, placed shelf.Placed) (sound, remark string) {
	if !isSpoken(kind) || c.port.Sound == nil || placed.Note == "" {
		return "", ""
	}
	script := speech.Script{Seconds: float64(o.Words) * 60 / speech.WordsPerMinute}
	for _, t := range made.Turns {
		script.Turns = append(script.Turns, speech.Turn(t))
	}
	if language.MatchString(o.Lang) {
		script.Lang = o.Lang
	}
	script.Guess = guessLanguage(made.Turns)
	if !slices.ContainsFunc(script.Turns, func(t speech.Turn) bool { return t.Voice > 0 }) {
		script.Voices = o.Voices // here the names of the speakers
	}
	sources := []string{placed.Note}
	for _, n := range made.Used {
		sources = append(sources, set.Notes[n].Rel)
	}
	script.Private = c.port.Private != nil && slices.ContainsFunc(sources, c.port.Private)
	name, err := c.port.Sound.Check(task.Root, script.Private)
	if err == nil {
		err = c.port.Sound.Add(speech.Job{Root: task.Root, Note: placed.Note, ID: task.ID, Script: script, Sources: sources})
	}
	if err != nil {
		return "", fmt.Sprintf("**It is not read aloud**: %s. ", err)
	}
	after := ""
	if n := len(c.port.Sound.Waiting()); n > 1 {
		after = fmt.Sprintf(" after %s", wording.Count(n-1, "other"))
	}
	return strings.TrimSuffix(placed.Note, ".md") + soundEndings[0], fmt.Sprintf("Read aloud by %s%s; the sound stands above as soon as it is made. ", name, after)
}

// guessLanguage is the language of what is said; "" where that is not clear, or English, which voices speak anyway.
func guessLanguage(turns []kinds.Turn) string {
	var text strings.Builder
	for _, t := range turns {
		text.WriteString(t.Text + "\n")
	}
	if lang := terms.Language(text.String()); lang != "en" {
		return lang
	}
	return ""
}

// withoutEffect are the options that change nothing where no agent writes.
func withoutEffect(kind kinds.Kind, o order.Order, made kinds.Made) (given []string) {
	if o.Words > 0 && made.Length == 0 {
		given = append(given, "length")
	}
	for _, name := range o.AgentOptions {
		if !isSpoken(kind) || name == "for" {
			given = append(given, name)
		}
	}
	return given
}
