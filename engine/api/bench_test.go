package api

import (
	"path/filepath"
	"testing"
)

func BenchmarkScanRequest(b *testing.B) {
	r := start(b)
	request := ask("POST", "/vault-mind/scan", asJSON, `{"file":`+quoteJSON(filepath.Join(r.backend.roots[0].Path, "note.md"))+`}`)
	for b.Loop() {
		if a := r.raw(b, request); a.status != 200 {
			b.Fatal(a.status)
		}
	}
}

func BenchmarkReadings(b *testing.B) {
	body := []byte(`{"file":"\/home\/me\/My\ Vault\/Daily\ note\.md"}`)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if len(readings(body, "application/json", true)) == 0 {
			b.Fatal("not read")
		}
	}
}
