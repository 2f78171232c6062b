package main

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/atotto/clipboard"
)

// Where a text was put that was to be copied.
const (
	onClipboard = "clipboard" // the system says so
	toTerminal  = "terminal"  // it was handed to the terminal, which does not say what it does with it
)

// clipboardTime is how long the system may take; a display that hangs holds up nothing.
const clipboardTime = 5 * time.Second

// copier puts a text on the clipboard of whoever sits there.
type copier struct {
	system func(string) error // this machine's clipboard; nil = it is of no use
	screen io.Writer          // the terminal; nil = there is none
}

// copier is the one for this process. Somebody who came by ssh has the clipboard at
// home, and only the terminal reaches there.
func (a *app) copier() copier {
	var c copier
	if os.Getenv("SSH_CONNECTION") == "" && !clipboard.Unsupported {
		c.system = clipboard.WriteAll
	}
	for _, w := range []io.Writer{a.stdout, a.stderr} {
		if c.screen == nil && isTerminal(w) {
			c.screen = w
		}
	}
	return c
}

var errNoClipboard = errors.New("there is no terminal here, and no program for a clipboard such as xclip or wl-copy")

// copy says where the text was put.
func (c copier) copy(text string) (string, error) {
	problem := errNoClipboard
	if c.system != nil {
		if problem = c.write(text); problem == nil {
			return onClipboard, nil
		}
	}
	if c.screen == nil {
		return "", problem
	}
	if _, err := io.WriteString(c.screen, terminalCopy(text)); err != nil {
		return "", err
	}
	return toTerminal, nil
}

// write waits for the system no longer than its time.
func (c copier) write(text string) error {
	done := make(chan error, 1)
	go func() { done <- c.system(text) }()
	select {
	case err := <-done:
		if err != nil {
			err = fmt.Errorf("the system's clipboard did not take it: %w", err)
		}
		return err
	case <-time.After(clipboardTime):
		return errors.New("the system's clipboard does not answer")
	}
}

// terminalCopy asks a terminal to put a text on its clipboard (OSC 52).
func terminalCopy(text string) string {
	return "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\a"
}

// copyLine puts the note app's line on the clipboard and says what came of it. That
// it could not be done is no failure of setup: the line stands on the screen.
func (a *app) copyLine(text string) string {
	where, err := a.copier().copy(text)
	switch {
	case err != nil:
		a.tell("clipboard", "the line could not be copied: %v", err)
	case where == toTerminal:
		a.tell("clipboard", "the line was handed to your terminal to copy; not every terminal does, so look what a paste brings")
	default:
		a.tell("clipboard", "the line is on it")
	}
	return where
}
