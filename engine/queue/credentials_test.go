package queue

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestQueueElsewhereIsEncrypted: questions stand in what is sent.
func TestQueueElsewhereIsEncrypted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.creds")
	if err := os.WriteFile(file, []byte("-----BEGIN NATS USER JWT-----"), 0o600); err != nil {
		t.Fatal(err)
	}
	for address, good := range map[string]bool{
		"tls://example.org:4222": true, "nats://127.0.0.1:4222": true, "localhost:4222": true, "nats://[::1]:4222": true, "127.0.0.1:4222": true, "tls://a:1,tls://b:1": true,
		"nats://example.org:4222": false, "example.org:4222": false, "10.0.0.2:4222": false, "tls://a:1,nats://b:1": false, "ws://a:80": false, "nats://127.0.0.1.example.org": false, "nats://%": false,
	} {
		if _, err := Read(file, address, "laptop"); (err == nil) != good {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, address := range []string{"nats://me:p4ssw0rd@example.org", "me:p4ssw0rd@example.org:4222", "tls://me:p4ssw0rd @example.org", "tls://a:1,nats://p4ssw0rd@b:1"} {
		if _, err := Read(file, address, "laptop"); err == nil || strings.Contains(err.Error(), "p4ssw0rd") {
			t.Errorf("%s: %v", address, err)
		}
	}
	c, err := Read(file, "tls://me:p4ssw0rd@example.org:1,tls://token@example.org:2", "laptop")
	if err != nil || c.Address() != "tls://xxxxx@example.org:1,tls://xxxxx@example.org:2" {
		t.Errorf("%s, %v", c.Address(), err)
	}
}
