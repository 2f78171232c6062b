// Package desktop finds the desktop that a command runs on: its browser, and its panel.
package desktop

import (
	"context"
	"fmt"
	neturl "net/url"
	"os"
	"os/exec"
	"os/user"
	"runtime"
	"strings"
	"time"
)

// browserTime is how long a program that opens browsers is waited for. Where it
// becomes the browser itself it goes on, and that is a success.
var browserTime = 3 * time.Second

// OpenBrowser has the desktop open a link. Other users may see the arguments of a
// program; the engine takes the link from this user only where it can tell, and
// once in any case.
func OpenBrowser(ctx context.Context, link string) error {
	name, args := "xdg-open", []string{link}
	switch {
	case runtime.GOOS == "darwin":
		name = "open"
	case runtime.GOOS == "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", link}
	case os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "":
		return exec.ErrNotFound // a browser in the terminal would not be what is meant
	}
	opener := exec.Command(name, args...)
	if err := opener.Start(); err != nil {
		return fmt.Errorf("open a browser: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- opener.Wait() }() // until the browser ends, or this program
	select {
	case err := <-ended:
		return err
	case <-time.After(browserTime):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
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
