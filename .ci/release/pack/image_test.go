package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// TestMakeImage: the image of a folder holds its files, what an empty system lacks, and how it runs; the same folder
// gives the same bytes, and a version that no image can have leaves no file.
func TestMakeImage(t *testing.T) {
	root := filepath.Join(t.TempDir(), "arm64")
	if err := os.MkdirAll(filepath.Join(root, "usr", "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "usr", "bin", "wiki"), []byte("program"), 0o700); err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1_700_000_000, 0).UTC()
	out := filepath.Join(t.TempDir(), "image.tar")
	made := make([][]byte, 2)
	for i := range made {
		if err := makeImage(root, "1.2.3", "https://example.org/notes", out, at); err != nil {
			t.Fatal(err)
		}
		made[i], _ = os.ReadFile(out)
	}
	if len(made[0]) == 0 || !bytes.Equal(made[0], made[1]) {
		t.Error("the same folder gives other bytes")
	}
	image, err := tarball.ImageFromPath(out, nil)
	if err != nil {
		t.Fatal(err)
	}
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if config.Architecture != "arm64" || config.Config.User != imageUser || strings.Join(config.Config.Healthcheck.Test, " ") != "CMD /usr/bin/wiki server status" {
		text, _ := json.Marshal(config)
		t.Errorf("it runs as %s", text)
	}
	layers, _ := image.Layers()
	body, err := layers[0].Uncompressed()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]tar.Header{}
	for r := tar.NewReader(body); ; {
		head, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		found[head.Name] = *head
	}
	if wiki := found["usr/bin/wiki"]; wiki.Mode != 0o755 || wiki.Uid != 0 || !wiki.ModTime.Equal(at) {
		t.Errorf("the program is %+v", wiki)
	}
	if data := found["data/"]; data.Uid != 65532 {
		t.Errorf("the folder of what it keeps belongs to %d", data.Uid)
	}
	if found["etc/ssl/certs/ca-certificates.crt"].Size < 50_000 || found["usr/share/zoneinfo.zip"].Size < 50_000 {
		t.Errorf("it has %d bytes of certificates and %d of time zones", found["etc/ssl/certs/ca-certificates.crt"].Size, found["usr/share/zoneinfo.zip"].Size)
	}
	other := filepath.Join(t.TempDir(), "image.tar")
	if makeImage(root, "not a version", "", other, at) == nil {
		t.Error("an image has a version with blanks")
	}
	if _, err := os.Stat(other); err == nil {
		t.Error("a file is left of an image that could not be made")
	}
}
