package client

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/testdata/apitest"
)

func TestLeftPort(t *testing.T) {
	state := t.TempDir()
	if got := ReadPortFile(state); got != 0 {
		t.Errorf("no file says %d", got)
	}
	for text, want := range map[string]int{
		"11435\n": 11435, " 1 ": 1, "65535": 65535, "0": 0, "-1": 0, "65536": 0, "": 0, "no port\n": 0, "1 2": 0, "99999999999999999999": 0,
	} {
		if err := os.WriteFile(PortFile(state), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := ReadPortFile(state); got != want {
			t.Errorf("%q says %d, want %d", text, got, want)
		}
	}
}

// A port that an engine left when it was killed may belong to another engine of the same user by now.
// The one that refuses the token of the state folder is not ours.
func TestFindPortOfAnotherState(t *testing.T) {
	var refuses atomic.Bool
	port, _ := apitest.Stranger(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Server", api.Product)
		switch {
		case r.URL.Path == "/vault-mind/ping":
			json.NewEncoder(w).Encode(api.Ping{Running: true, PID: 1})
		case refuses.Load():
			w.WriteHeader(http.StatusUnauthorized)
			w.Write([]byte(`{"error":"another token","code":"unauthorized"}`))
		default:
			w.Write([]byte(`[]`))
		}
	})
	state, configured := t.TempDir(), port-1
	if err := os.WriteFile(PortFile(state), []byte(strconv.Itoa(port)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := EnsureToken(filepath.Join(state, "token")); err != nil {
		t.Fatal(err)
	}
	for _, other := range []bool{false, true} {
		refuses.Store(other)
		want := port
		if other {
			want = configured
		}
		if got := FindPort(t.Context(), state, configured); got != want {
			t.Errorf("the token is refused: %t: port %d, want %d", other, got, want)
		}
	}
}
