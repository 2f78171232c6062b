package server

import (
	"path/filepath"
	"testing"

	"vaultdispatcher/engine/api/testdata/apitest"
)

func BenchmarkScanRequest(b *testing.B) {
	r := start(b)
	request := apitest.Request("POST", "/vault-mind/scan", apitest.AsJSON, `{"file":`+quoteJSON(filepath.Join(r.backend.Vaults[0].Path, "note.md"))+`}`)
	for b.Loop() {
		if a := r.Raw(b, request); a.Status != 200 {
			b.Fatal(a.Status)
		}
	}
}

func BenchmarkReadings(b *testing.B) {
	body := []byte(`{"file":"\/home\/me\/My\ Vault\/Daily\ note\.md"}`)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if len(listReadings(body, "application/json", true)) == 0 {
			b.Fatal("not read")
		}
	}
}
