package host

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"vaultdispatcher/engine"
	"vaultdispatcher/engine/api/listen"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/files"
)

// An engine whose start waits has its port and answers nobody yet. It is no stranger.
func TestEngineThatStartsIsNoStranger(t *testing.T) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	go func() {
		for conn, err := ln.Accept(); err == nil; conn, err = ln.Accept() {
			conn.Close()
		}
	}()
	port, state := ln.Addr().(*net.TCPAddr).Port, filepath.Join(t.TempDir(), "state")
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "LOCALAPPDATA", "APPDATA"} {
		t.Setenv(name, state)
	}
	t.Setenv("WIKI_HTTPPORT", strconv.Itoa(port))
	file := filepath.Join(t.TempDir(), "wiki.yaml")
	if err := os.WriteFile(file, []byte("wiki:\n  vaults: []\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	dir, err := place.StateDir()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	err = Run(t.Context(), Options{ConfigFile: file})
	if _, ok := errors.AsType[*listen.Taken](err); !ok {
		t.Errorf("the port of a stranger ends with %v", err)
	}
	lock, err := files.TakeLock(filepath.Join(dir, "lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := Run(t.Context(), Options{ConfigFile: file}); !errors.Is(err, engine.ErrLocked) {
		t.Errorf("the port of an engine that starts ends with %v", err)
	}
}
