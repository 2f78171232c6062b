package installer

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
	OnClipboard = "clipboard" // the system confirms it
	ToTerminal  = "terminal"  // the terminal was asked, and does not say whether it did
)

// clipboardTime is how long the system's clipboard may take.
const clipboardTime = 5 * time.Second

// clipboards are the ways to the clipboard of the person at the screen.
type clipboards struct {
	system func(string) error // this machine's clipboard; nil = it is of no use
	screen io.Writer          // the terminal; nil = without one
}

// Copy puts a text on the clipboard and returns where it put it. Over SSH only the
// terminal, which may be nil, reaches the clipboard of the person.
func Copy(text string, terminal io.Writer) (string, error) {
	c := clipboards{screen: terminal}
	if os.Getenv("SSH_CONNECTION") == "" && !clipboard.Unsupported {
		c.system = clipboard.WriteAll
	}
	return c.copyText(text)
}

var errNoClipboard = errors.New("there is no terminal here, and no program for a clipboard such as xclip or wl-copy")

func (c clipboards) copyText(text string) (string, error) {
	problem := errNoClipboard
	if c.system != nil {
		if problem = c.writeSystem(text); problem == nil {
			return OnClipboard, nil
		}
	}
	if c.screen == nil {
		return "", problem
	}
	if _, err := io.WriteString(c.screen, terminalCopy(text)); err != nil {
		return "", err
	}
	return ToTerminal, nil
}

// writeSystem waits for the system no longer than its time: a display may hang.
func (c clipboards) writeSystem(text string) error {
	done := make(chan error, 1)
	go func() { done <- c.system(text) }()
	select {
	case err := <-done:
		if err != nil {
			err = fmt.Errorf("the system's clipboard refused it: %w", err)
		}
		return err
	case <-time.After(clipboardTime):
		return errors.New("the system's clipboard does not answer")
	}
}

// terminalCopy asks a terminal to put a text on its clipboard: OSC 52 of
// https://invisible-island.net/xterm/ctlseqs/ctlseqs.html.
func terminalCopy(text string) string {
	return "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\a"
}
