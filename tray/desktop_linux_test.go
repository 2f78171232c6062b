package tray

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/tray/opener"
)

// A session bus that takes the connection and says nothing keeps nobody for ever,
// and not at all a person who ends the program.
func TestSilentBus(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "bus")
	ln, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+socket)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := connectDesktop(ctx, nil, slog.New(slog.DiscardHandler))
		ended <- err
	}()
	conn, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	cancel()
	select {
	case err := <-ended:
		if !errors.Is(err, ErrNoDesktop) || !errors.Is(err, context.Canceled) {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it waits for the bus")
	}
}

// A vault of Obsidian's where Obsidian is not installed: its notes are opened as
// files.
func TestOpenWithoutObsidian(t *testing.T) {
	dir := t.TempDir()
	opened := filepath.Join(dir, "opened")
	script := "#!/bin/sh\ncase $1 in obsidian:*) exit 4; esac\nprintf %s \"$1\" >'" + opened + "'\n"
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	before := opener.Patience
	opener.Patience = time.Minute // a busy machine is slow to fail
	t.Cleanup(func() { opener.Patience = before })
	if err := os.Mkdir(filepath.Join(dir, ".obsidian"), 0o700); err != nil {
		t.Fatal(err)
	}
	a := newApp(Options{}, nil, nil)
	vaults := []api.Vault{{Name: "n", Path: dir}}
	r := a.carryOut(t.Context(), Action{Verb: OpenNote, Note: api.Dispatch{Vault: "n", File: "a b+c%41&d.md"}}, vaults)
	got, err := os.ReadFile(opened)
	if want := fileLink(filepath.Join(dir, "a b+c%41&d.md")); r.err != nil || err != nil || string(got) != want {
		t.Errorf("%v; opened %q, %v, want %q", r.err, got, err, want)
	}
	if err := os.RemoveAll(filepath.Join(dir, ".obsidian")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte("#!/bin/sh\nexit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if r := a.carryOut(t.Context(), Action{Verb: OpenNote, Note: api.Dispatch{Vault: "n", File: "a.md"}}, vaults); r.err == nil {
		t.Error("a failure is no error")
	}
}

// A notification has the logo, and belongs to the entry in the desktop's menu that the packages install.
func TestNotificationHasTheLogo(t *testing.T) {
	words := listNotifyWords(bulletin{title: "a"}, "b")
	entry, _ := words[6].(map[string]dbus.Variant)["desktop-entry"].Value().(string)
	text, err := os.ReadFile(filepath.Join("..", "installer", "linux", entry+".desktop"))
	if err != nil {
		t.Fatalf("the packages have no entry %q: %v", entry, err)
	}
	if icon := words[2]; icon == "" || !strings.Contains(string(text), fmt.Sprintf("\nIcon=%s\n", icon)) {
		t.Errorf("the icon is %q", icon)
	}
	logo := words[6].(map[string]dbus.Variant)["image-data"]
	if p, _ := logo.Value().(pixels); logo.Signature().String() != "(iiibiiay)" || p.Width < 32 || p.Stride != 4*p.Width || len(p.Data) != int(p.Stride*p.Height) {
		t.Errorf("the logo is %s, %d wide, of %d bytes", logo.Signature(), p.Width, len(p.Data))
	}
}
