package tray

import (
	"context"
	"log/slog"
	"os/exec"
	"strings"

	"vaultdispatcher/engine/launch"
)

// desktop is the user's session, which is there when this program is.
type desktop struct{ log *slog.Logger }

func connectDesktop(_ context.Context, _ chan<- string, log *slog.Logger) (*desktop, error) {
	return &desktop{log}, nil
}

func (d *desktop) close() {}

func (d *desktop) sessionEnded() <-chan struct{} { return nil }

// showNotification shows a bulletin through AppleScript. A click on it opens nothing: that
// takes a signed application. The words are handed over as arguments, never as script.
func (d *desktop) showNotification(b bulletin, _ string) {
	go func() {
		err := launch.Command(context.Background(), "osascript", "-e", "on run words",
			"-e", "display notification (item 2 of words) with title (item 1 of words)", "-e", "end run", b.title, b.body).Run()
		if err != nil {
			d.log.Warn("show a notification", "error", err)
		}
	}()
}

func listTerminals(program ...string) []*exec.Cmd {
	quoted := make([]string, len(program))
	for i, word := range program {
		quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return []*exec.Cmd{launch.Command(context.Background(), "osascript", "-e", "on run words",
		"-e", `tell application "Terminal" to do script (item 1 of words)`,
		"-e", `tell application "Terminal" to activate`, "-e", "end run", strings.Join(quoted, " "))}
}
