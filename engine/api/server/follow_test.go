package server

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/client"
	"vaultdispatcher/engine/api/testdata/apitest"
)

// Whoever may not follow is told so in a way that says what to do instead.
func TestFollowRefused(t *testing.T) {
	r, _ := startMoving(t, func(s *Server) { s.feed.wait, s.feed.places = 10*time.Millisecond, make(chan struct{}) })
	older := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Server", api.Product)
		writeJSON(w, api.Refusal(http.StatusNotFound, "not_found", "There is no such call."))
	}))
	defer older.Close()
	stranger := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "event: snapshot\ndata: {}\n\n")
	}))
	defer stranger.Close()
	port := func(s *httptest.Server) int {
		_, text, _ := strings.Cut(strings.TrimPrefix(s.URL, "http://"), ":")
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, test := range []struct {
		name   string
		client *client.Client
		status int // 0 = none of ours
	}{
		{"no room", client.New(r.Port, apitest.Token), http.StatusTooManyRequests},
		{"no token", client.New(r.Port, ""), http.StatusUnauthorized},
		{"an older engine", client.New(port(older), apitest.Token), http.StatusNotFound},
		{"a stranger", client.New(port(stranger), apitest.Token), 0},
	} {
		err := test.client.Follow(t.Context(), func(s api.Status) { t.Errorf("%s told %+v", test.name, s) })
		refused, ok := errors.AsType[*api.StatusError](err)
		if ok != (test.status != 0) || ok && refused.Status != test.status || !ok && !errors.Is(err, api.ErrNotOurs) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
