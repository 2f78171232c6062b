package tray

import (
	"context"
	"encoding/xml"
	"fmt"
	"log/slog"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"git.sr.ht/~jackmordaunt/go-toast/wintoast"
	"golang.org/x/sys/windows"
)

// desktop is the user's session, which is there when this program is.
type desktop struct{ log *slog.Logger }

const appID = "Vault Dispatcher"

func connectDesktop(_ context.Context, _ chan<- string, log *slog.Logger) (*desktop, error) {
	if err := wintoast.SetAppData(wintoast.AppData{AppID: appID}); err != nil {
		log.Warn("make the program known for notifications", "error", err)
	}
	return &desktop{log}, nil
}

func (d *desktop) close() {}

func (d *desktop) sessionEnded() <-chan struct{} { return nil }

// showNotification shows a toast; Windows itself opens its link when it is clicked.
func (d *desktop) showNotification(b bulletin, link string) {
	go func() {
		if err := wintoast.Push(toastXML(b, link)); err != nil {
			d.log.Warn("show a notification", "error", err)
		}
	}()
}

// toastXML is the bulletin in the language of toasts.
func toastXML(b bulletin, link string) string {
	launch := ""
	if link != "" {
		launch = ` activationType="protocol" launch="` + escapeText(link) + `"`
	}
	return "<toast" + launch + `><visual><binding template="ToastGeneric"><text>` + escapeText(b.title) + "</text><text>" + escapeText(b.body) +
		"</text></binding></visual></toast>"
}

func escapeText(s string) string {
	var escaped strings.Builder
	if xml.EscapeText(&escaped, []byte(s)) != nil {
		return ""
	}
	return escaped.String()
}

// openLink has Windows open a link. The link of a file is not handed on: what is escaped
// in it Windows takes for bytes of its old code pages, so that only names in plain
// English are found.
func openLink(link string) error {
	do := func() error { return runTool("rundll32", "url.dll,FileProtocolHandler", link) }
	if u, err := url.Parse(link); err == nil && u.Scheme == "file" {
		path := u.Path
		if !strings.HasPrefix(path, "//") { // of a server
			path = strings.TrimPrefix(path, "/")
		}
		do = func() error { return failsSoon(func() error { return shellOpen(filepath.FromSlash(path)) }) }
	}
	if err := do(); err != nil {
		return fmt.Errorf("the desktop opens no such link: %w", err)
	}
	return nil
}

// shellOpen opens a file as the desktop would.
func shellOpen(file string) error {
	name, err := windows.UTF16PtrFromString(file)
	if err != nil {
		return err
	}
	if err := windows.ShellExecute(0, nil, name, nil, nil, windows.SW_SHOWNORMAL); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// listTerminals have the program in a window of its own. cmd takes & and its like for
// its own outside of quotes, which Go sets only around what has a blank.
func listTerminals(program ...string) []*exec.Cmd {
	cmd := exec.Command("cmd")
	hideWindow(cmd)
	cmd.SysProcAttr.CmdLine = `cmd /c start "" "` + strings.Join(program, `" "`) + `"`
	return []*exec.Cmd{cmd}
}

// hideWindow keeps a console program from showing a window of its own.
func hideWindow(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: 0x08000000}
}
