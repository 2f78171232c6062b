package listen

import (
	"os"
	"testing"
)

func TestLeftPort(t *testing.T) {
	state := t.TempDir()
	if got := LeftPort(state); got != 0 {
		t.Errorf("no file says %d", got)
	}
	for text, want := range map[string]int{
		"11435\n": 11435, " 1 ": 1, "65535": 65535, "0": 0, "-1": 0, "65536": 0, "": 0, "no port\n": 0, "1 2": 0, "99999999999999999999": 0,
	} {
		if err := os.WriteFile(PortFile(state), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := LeftPort(state); got != want {
			t.Errorf("%q says %d, want %d", text, got, want)
		}
	}
}
