//go:build unix

package opener

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The desktop is handed the link; what it does with it decides what is said.
func TestOpen(t *testing.T) {
	for _, test := range []struct {
		name, does string
		works      bool
		waits      time.Duration
	}{
		{"a desktop", `printf %s "$1" >"$OUT"`, true, time.Minute},
		{"a desktop without a browser", "exit 3", false, time.Minute},
		{"a browser that stays", `printf %s "$1" >"$OUT.new"; mv "$OUT.new" "$OUT"; exec sleep 5`, true, 100 * time.Millisecond},
	} {
		defer func(usual time.Duration) { Patience = usual }(Patience)
		Patience = test.waits
		bin, out := t.TempDir(), filepath.Join(t.TempDir(), "link")
		for _, name := range []string{"xdg-open", "open"} {
			if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+test.does+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		t.Setenv("PATH", bin+":/usr/bin:/bin")
		t.Setenv("OUT", out)
		link, begun := "http://127.0.0.1:1/open/"+strings.Repeat("a", 64), time.Now()
		err := Open(t.Context(), link)
		got, failed := os.ReadFile(out)
		for end := time.Now().Add(time.Minute); failed != nil && test.works && time.Now().Before(end); got, failed = os.ReadFile(out) {
			<-time.After(10 * time.Millisecond)
		}
		if (err == nil) != test.works || test.works && string(got) != link {
			t.Errorf("%s: %v, was handed %q after %s", test.name, err, got, time.Since(begun))
		}
	}
	t.Setenv("PATH", t.TempDir())
	if Open(t.Context(), "http://127.0.0.1:1/") == nil {
		t.Error("no program opened it")
	}
}
