package apitest

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
)

// Stranger is another program's server; it returns the Authorization headers
// that were sent to it.
func Stranger(t *testing.T, handler http.HandlerFunc) (int, func() []string) {
	t.Helper()
	var sent []string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = append(sent, r.Header.Get("Authorization"))
		handler(w, r)
	}))
	t.Cleanup(srv.Close)
	return srv.Listener.Addr().(*net.TCPAddr).Port, func() []string { srv.Close(); return sent }
}
