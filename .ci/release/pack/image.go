package main

import (
	"archive/tar"
	"bytes"
	"encoding/pem"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// imageUser is the user of an image: a number that no distribution gives to a user, as distroless has it
// (https://github.com/GoogleContainerTools/distroless/blob/main/base/base.bzl). A compose file names another.
const imageUser = "65532:65532"

// imageEnv has everything that the program keeps in one folder, which is a volume.
var imageEnv = []string{
	"PATH=/usr/bin", "HOME=/data", "XDG_CONFIG_HOME=/data/config", "XDG_STATE_HOME=/data/state", "XDG_CACHE_HOME=/data/cache",
	"SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt", "ZONEINFO=/usr/share/zoneinfo.zip",
}

// makeImage writes what is below root as an image for a container, in the form that every program for containers
// loads (https://pkg.go.dev/github.com/google/go-containerregistry/pkg/v1/tarball). The name of root's last folder
// is that of the processor. All times are at.
func makeImage(root, version, homepage, out string, at time.Time) error {
	name, err := name.NewTag("vault-dispatcher:" + version)
	if err != nil {
		return err
	}
	image, err := buildImage(root, version, homepage, at)
	if err == nil {
		err = tarball.WriteToFile(out, name, image)
	}
	if err != nil {
		_ = os.Remove(out) // the first error is the one to tell
	}
	return err
}

func buildImage(root, version, homepage string, at time.Time) (v1.Image, error) {
	body, err := layerOf(root, at)
	if err != nil {
		return nil, err
	}
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	layer, err := tarball.LayerFromOpener(open, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	labels := map[string]string{"org.opencontainers.image.title": "vault-dispatcher", "org.opencontainers.image.version": version, "org.opencontainers.image.licenses": "MIT"}
	if homepage != "" {
		labels["org.opencontainers.image.source"] = homepage
	}
	image := mutate.MediaType(empty.Image, types.OCIManifestSchema1)
	image, err = mutate.Append(mutate.ConfigMediaType(image, types.OCIConfigJSON), mutate.Addendum{Layer: layer, History: v1.History{Created: v1.Time{Time: at}, CreatedBy: "installer/dist"}})
	if err != nil {
		return nil, err
	}
	return mutate.ConfigFile(image, configOf(image, filepath.Base(root), labels, at))
}

// configOf returns how the image runs: without privileges, with the vault in /vault and a look at its health each
// minute.
func configOf(image v1.Image, arch string, labels map[string]string, at time.Time) *v1.ConfigFile {
	config, _ := image.ConfigFile() // of an image in memory
	config = config.DeepCopy()
	config.Architecture, config.OS, config.Created = arch, "linux", v1.Time{Time: at}
	config.Config = v1.Config{
		User: imageUser, Env: imageEnv, WorkingDir: "/data", Labels: labels,
		Entrypoint: []string{"/usr/bin/wiki"}, Cmd: []string{"run", "--vault", "/vault"},
		Volumes:     map[string]struct{}{"/data": {}, "/vault": {}},
		Healthcheck: &v1.HealthConfig{Test: []string{"CMD", "/usr/bin/wiki", "server", "status"}, Interval: time.Minute, Timeout: 10 * time.Second, StartPeriod: 30 * time.Second},
		StopSignal:  "SIGTERM",
	}
	return config
}

// layerOf returns what is below root as a tar, and beside it what a system has and an empty one lacks:
// certificates of Mozilla's list, time zones, and folders to write in.
func layerOf(root string, at time.Time) ([]byte, error) {
	var body bytes.Buffer
	w := tar.NewWriter(&body)
	add := func(name string, mode int64, owner int, text []byte) error {
		head := &tar.Header{Name: name, Mode: mode, Size: int64(len(text)), Uid: owner, Gid: owner, ModTime: at, Format: tar.FormatPAX}
		if strings.HasSuffix(name, "/") {
			head.Typeflag = tar.TypeDir
		}
		err := w.WriteHeader(head)
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	}
	for _, folder := range []struct {
		name  string
		mode  int64
		owner int
	}{{"data/", 0o755, 65532}, {"etc/", 0o755, 0}, {"etc/ssl/", 0o755, 0}, {"etc/ssl/certs/", 0o755, 0}, {"tmp/", 0o1777, 0}, {"vault/", 0o755, 65532}} {
		if err := add(folder.name, folder.mode, folder.owner, nil); err != nil {
			return nil, err
		}
	}
	zones, err := readZones()
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		name, _ := filepath.Rel(root, path)
		if d.IsDir() {
			return add(filepath.ToSlash(name)+"/", 0o755, 0, nil)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		mode := int64(0o644)
		if info, err := d.Info(); err == nil && info.Mode()&0o100 != 0 {
			mode = 0o755
		}
		return add(filepath.ToSlash(name), mode, 0, text)
	})
	err = errors.Join(err,
		add("usr/share/zoneinfo.zip", 0o644, 0, zones),
		add("etc/ssl/certs/ca-certificates.crt", 0o644, 0, rootCertificates()),
		add("etc/passwd", 0o644, 0, []byte("root:x:0:0::/:\nwiki:x:65532:65532::/data:\n")),
		w.Close())
	return body.Bytes(), err
}

// readZones reads the time zones that Go brings (https://pkg.go.dev/time#LoadLocation).
func readZones() ([]byte, error) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "time", "zoneinfo.zip"))
}

// rootCertificates are those that Go itself carries for systems without any
// (https://pkg.go.dev/golang.org/x/crypto/x509roots/fallback/bundle). Those with a limit that a file cannot say are left out.
func rootCertificates() []byte {
	var text bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			_ = pem.Encode(&text, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // into memory
		}
	}
	return text.Bytes()
}
