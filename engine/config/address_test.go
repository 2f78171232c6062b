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
		"": "no address", "localhost": "no address", "localhost:11434": "no address", "127.0.0.1:11434": "no address",
		"ftp://nas": "no address", "http://": "no address", "http://:8080": "no address", "http:nas": "no address", "//nas": "no address",
		"http://nas:0": "no address", "http://nas:65536": "no address", "http://nas:port": "no address",
		"http://a b": "no address", "http://nas\nx: y": "no address", "http://nas\x00": "no address", "s3cret:word@nas": "no address",
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
