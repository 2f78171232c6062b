package config

import (
	"strings"
	"testing"
)

func TestCheckAddress(t *testing.T) {
	for _, good := range []string{"http://127.0.0.1:11434", "https://models.example/v1", "http://[::1]:8080", "HTTP://nas", "https://models.example/a/b/"} {
		if err := CheckAddress(good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for bad, want := range map[string]string{
		"": "not the address", "localhost": "not the address", "localhost:11434": "not the address", "127.0.0.1:11434": "not the address",
		"ftp://nas": "not the address", "http://": "not the address", "http://:8080": "not the address", "http:nas": "not the address", "//nas": "not the address",
		"http://nas:0": "not the address", "http://nas:65536": "not the address", "http://nas:port": "not the address",
		"http://a b": "not the address", "http://nas\nx: y": "not the address", "http://nas\x00": "not the address", "s3cret:word@nas": "not the address",
		"http://s3cret:word@nas": "more than an address", "http://s3cret@nas": "more than an address",
		"https://nas/v1?key=s3cret": "more than an address", "https://nas/#s3cret": "more than an address",
		"https://nas?": "more than an address", "https://nas/v1#": "more than an address", // what is appended would be lost in it
		"https://models.example/v1/embeddings": "a call", "http://nas:11434/api/embed/": "a call", "http://nas/api/embeddings": "a call",
	} {
		if err := CheckAddress(bad); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q: %v, want %s", bad, err, want)
		}
	}
}
