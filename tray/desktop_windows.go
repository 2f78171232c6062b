package tray

import (
	"context"
	"encoding/xml"
	"fmt"
	"log/slog"
	"os/exec"
	"strings"
	"syscall"

	"git.sr.ht/~jackmordaunt/go-toast/wintoast"
)

// desktop is the user's session, which is there when this program is.
type desktop struct{ log *slog.Logger }

const appID = "Vault Dispatcher"

func connect(_ context.Context, _ chan<- string, log *slog.Logger) (*desktop, error) {
	if err := wintoast.SetAppData(wintoast.AppData{AppID: appID}); err != nil {
		log.Warn("make the program known for notifications", "error", err)
	}
	return &desktop{log}, nil
}

func (d *desktop) close() {}

func (d *desktop) gone() <-chan struct{} { return nil }

// notify shows a toast; Windows itself opens its link when it is clicked.
func (d *desktop) notify(b bulletin, link string) {
	go func() {
		if err := wintoast.Push(toast(b, link)); err != nil {
			d.log.Warn("show a notification", "error", err)
		}
	}()
}

// toast is the bulletin in the language of toasts.
func toast(b bulletin, link string) string {
	launch := ""
	if link != "" {
		launch = ` activationType="protocol" launch="` + text(link) + `"`
	}
	return "<toast" + launch + `><visual><binding template="ToastGeneric"><text>` + text(b.title) + "</text><text>" + text(b.body) +
		"</text></binding></visual></toast>"
}

func text(s string) string {
	var escaped strings.Builder
	if xml.EscapeText(&escaped, []byte(s)) != nil {
		return ""
	}
	return escaped.String()
}

func open(link string) error {
	if err := run("rundll32", "url.dll,FileProtocolHandler", link); err != nil {
		return fmt.Errorf("the desktop opens no such link: %w", err)
	}
	return nil
}

// terminals have the program in a window of its own. cmd takes & and its like for
// its own outside of quotes, which Go sets only around what has a blank.
func terminals(program ...string) []*exec.Cmd {
	cmd := exec.Command("cmd")
	hide(cmd)
	cmd.SysProcAttr.CmdLine = `cmd /c start "" "` + strings.Join(program, `" "`) + `"`
	return []*exec.Cmd{cmd}
}

// hide keeps a console program from showing a window of its own.
func hide(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: 0x08000000}
}
