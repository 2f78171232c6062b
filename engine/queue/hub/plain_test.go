package hub

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"vaultdispatcher/engine/queue"
	"vaultdispatcher/engine/queue/keyring"
)

// A machine that joins is told in plain words why the hub cannot keep its key.
func TestKeyThatCannotBeKept(t *testing.T) {
	h, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var public [2]string
	for i := range public {
		pair, err := nkeys.CreateUser()
		if err == nil {
			public[i], err = pair.PublicKey()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	token := keyring.Key{Public: public[0], Kind: keyring.Joiner, Name: "token-x", Created: time.Now()}
	if err := h.KeepKey(token); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(h.Folder, "keys", public[1]+".json", "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	told := h.letJoin(&nats.Msg{Subject: queue.JoinSubject(public[0]), Data: fmt.Appendf(nil, `{"public":%q,"name":"laptop"}`, public[1])}, slog.New(slog.DiscardHandler)).Error
	if !strings.HasPrefix(told, "the hub cannot keep the key: ") || strings.Contains(told, "rename") || strings.Contains(told, "directory") {
		t.Errorf("told is %q", told)
	}
}
