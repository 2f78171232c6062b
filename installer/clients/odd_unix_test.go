//go:build unix

package clients

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A link that leads nowhere may lead somewhere again: a disk is away, or a dotfile is not there yet.
func TestDanglingLinkStays(t *testing.T) {
	home(t)
	file, _, _ := fileOf("cursor")
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.Symlink("/nowhere/mcp.json", file)); err != nil {
		t.Fatal(err)
	}
	if _, err := Install("cursor", "/wiki", args); !errors.As(err, new(*Manual)) {
		t.Errorf("installed: %v", err)
	}
	if to, err := os.Readlink(file); err != nil || to != "/nowhere/mcp.json" {
		t.Errorf("the link is %q, %v", to, err)
	}
}

// What can hang is not opened: the test would not end.
func TestPipeDoesNotHang(t *testing.T) {
	home(t)
	file, _, _ := fileOf("codex")
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), syscall.Mkfifo(file, 0o600)); err != nil {
		t.Fatal(err)
	}
	_, put := Install("codex", "/wiki", args)
	_, dropped := Uninstall("codex")
	if !errors.As(put, new(*Manual)) || !errors.As(dropped, new(*Manual)) || len(Installed()) > 0 {
		t.Errorf("%v, %v, %q", put, dropped, Installed())
	}
}
