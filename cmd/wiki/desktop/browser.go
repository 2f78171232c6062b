// Package desktop finds the desktop that a command runs on: its browser, and its panel.
package desktop

import (
	"context"
	"errors"
	"fmt"
	neturl "net/url"
	"os"
	"os/user"
	"runtime"
	"strings"

	"vaultdispatcher/tray/opener"
)

// OpenBrowser has the desktop open a link, if there is one: a browser in the terminal would not be what is meant. Other users
// may see the arguments of a program; the engine takes the link from this user only where it can tell, and once in any case.
func OpenBrowser(ctx context.Context, link string) error {
	hasDesktop := runtime.GOOS == "darwin" || runtime.GOOS == "windows" || os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
	if !hasDesktop {
		return errors.New("there is no desktop")
	}
	return opener.Open(ctx, link)
}

// ForwardCommand is what makes a link of this machine work on the one that the person
// sits at; empty without ssh. connection is SSH_CONNECTION: the addresses and ports of
// client and server, as https://man.openbsd.org/ssh.1#ENVIRONMENT says.
func ForwardCommand(link, connection string) string {
	ends := strings.Fields(connection)
	address, err := neturl.Parse(link)
	if err != nil || len(ends) != 4 || address.Port() == "" {
		return ""
	}
	to := ends[2]
	if me, err := user.Current(); err == nil {
		to = me.Username + "@" + to
	}
	if ends[3] != "22" {
		to = "-p " + ends[3] + " " + to
	}
	return fmt.Sprintf("ssh -L %s:127.0.0.1:%s %s", address.Port(), address.Port(), to)
}
