package host

import (
	"errors"
	"io/fs"
	"os"
	"testing"
	"time"

	"vaultdispatcher/engine/api/client"
)

// Commands that wait for an engine or for its end read the port file all the time. That keeps
// no engine from leaving its port, or from taking it away.
func TestPortFileIsRead(t *testing.T) {
	state := t.TempDir()
	read := func() {
		t.Helper()
		reader, err := os.Open(client.PortFile(state))
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(20*time.Millisecond, func() { reader.Close() })
	}
	if err := os.WriteFile(client.PortFile(state), []byte("1\n"), 0o600); err != nil { // of an engine that was killed
		t.Fatal(err)
	}
	read()
	remove, err := writePortFile(state, 2)
	if err != nil || client.ReadPortFile(state) != 2 {
		t.Fatalf("the port is %d, %v", client.ReadPortFile(state), err)
	}
	read()
	if err := remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(client.PortFile(state)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is left behind: %v", err)
	}
}
