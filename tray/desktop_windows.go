package tray

import (
	"context"
	"encoding/xml"
	"log/slog"
	"os/exec"
	"strings"

	"git.sr.ht/~jackmordaunt/go-toast/wintoast"

	"vaultdispatcher/engine/launch"
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

// listTerminals have the program in a window of its own. cmd takes & and its like for
// its own outside of quotes, which Go sets only around what has a blank.
func listTerminals(program ...string) []*exec.Cmd {
	cmd := launch.Command(context.Background(), "cmd")
	cmd.SysProcAttr.CmdLine = `cmd /c start "" "` + strings.Join(program, `" "`) + `"`
	return []*exec.Cmd{cmd}
}
