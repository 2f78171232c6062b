//go:build unix

package desktop

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"vaultdispatcher/tray/opener"
)

// The desktop is handed the link. Where there is none, no program is started, which might open a browser in the terminal.
func TestOpenBrowser(t *testing.T) {
	defer func(usual time.Duration) { opener.Patience = usual }(opener.Patience)
	opener.Patience = time.Minute
	bin, out := t.TempDir(), filepath.Join(t.TempDir(), "link")
	for _, name := range []string{"xdg-open", "open"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\nprintf %s \"$1\" >\"$OUT\"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+":/usr/bin:/bin")
	t.Setenv("OUT", out)
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	const link = "http://127.0.0.1:1/open/a"
	if err := OpenBrowser(t.Context(), link); (err != nil) != (runtime.GOOS != "darwin") {
		t.Errorf("without a desktop: %v", err)
	}
	if _, err := os.Stat(out); err == nil && runtime.GOOS != "darwin" {
		t.Error("without a desktop a program was started")
	}
	t.Setenv("WAYLAND_DISPLAY", "wayland-0")
	if err := OpenBrowser(t.Context(), link); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(out); string(got) != link {
		t.Errorf("it was handed %q, %v", got, err)
	}
}
