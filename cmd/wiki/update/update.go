// Package update finds out whether there is a newer release than this program, and how it is
// installed here. It asks one address, that of the newest release's SHA256SUMS, by a build-time
// setting, and only `wiki update` calls it. It downloads no program and changes nothing.
//
//	found, err := update.Look(ctx, update.Place{Address: build.Releases}, build.Version, update.ThisMachine())
//	update.Print(os.Stdout, found)
package update

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"vaultdispatcher/engine/files"
)

var (
	// ErrNoPlace says that the program was built without an address of releases.
	ErrNoPlace = errors.New("this build names no place to look for releases")

	// ErrNoList says that what is at the address is nothing that a release makes.
	ErrNoList = errors.New("it is not the list of files that a release makes")
)

const (
	product  = "vault-dispatcher"
	lookTime = 20 * time.Second // for the whole answer
	mostList = 1 << 20          // bytes of a list; one of a release has about 8,000
	mostHops = 5                // redirections; a host of releases has one or two
)

// Place is where releases are.
type Place struct {
	Address string            // of the folder with the files of the newest one; https
	Through http.RoundTripper // nil = the usual one, with the proxy of the environment
}

// Found is what a look has found, as `wiki update --json` prints it.
type Found struct {
	Version string   `json:"version"` // of this program
	Newest  string   `json:"newest"`
	Newer   bool     `json:"newer"`
	File    string   `json:"file,omitempty"` // for this machine, of a newer release
	Address string   `json:"address,omitempty"`
	Sum     string   `json:"sha256,omitempty"`
	Proof   string   `json:"proof,omitempty"` // a command that checks who made the file; the sum is of the same place as the file
	Steps   []string `json:"steps,omitempty"` // by which it is installed here
}

// Look asks the place for its newest release, and compares it with this version.
func Look(ctx context.Context, p Place, version string, m Machine) (Found, error) {
	if p.Address == "" {
		return Found{}, ErrNoPlace
	}
	base := strings.TrimSuffix(p.Address, "/")
	text, err := p.fetch(ctx, base+"/SHA256SUMS")
	if err != nil {
		return Found{}, err
	}
	sums, newest, err := readList(text)
	if err != nil {
		return Found{}, fmt.Errorf("%s/SHA256SUMS: %w", base, err)
	}
	found := Found{Version: version, Newest: newest, Newer: compareVersions(newest, version) > 0}
	if !found.Newer {
		return found, nil
	}
	way := m.findWay()
	for name, sum := range sums {
		if strings.HasPrefix(name, product) && strings.HasSuffix(name, way.suffix) {
			found.File, found.Address, found.Sum, found.Proof = name, base+"/"+name, sum, describeProof(base, name)
		}
	}
	if found.File != "" {
		found.Steps = way.describeSteps(found.File)
	}
	return found, nil
}

// describeProof is the command that checks the attestation of a file, for releases on GitHub, whose workflow makes one:
// https://docs.github.com/actions/security-for-github-actions/using-artifact-attestations
func describeProof(base, name string) string {
	at, err := url.Parse(base)
	if err != nil || at.Host != "github.com" {
		return ""
	}
	parts := strings.Split(strings.Trim(at.Path, "/"), "/")
	if len(parts) < 2 {
		return ""
	}
	return "gh attestation verify " + name + " --repo " + parts[0] + "/" + parts[1]
}

// fetch reads a text of a bounded size within a bounded time.
func (p Place) fetch(ctx context.Context, address string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", fmt.Errorf("the address of releases: %w", err)
	}
	if err := checkSecure(req.URL); err != nil {
		return "", err
	}
	req.Header.Set("User-Agent", product) // without a version, which is private
	client := http.Client{Transport: p.Through, CheckRedirect: func(next *http.Request, before []*http.Request) error {
		if len(before) > mostHops {
			return errors.New("it redirects too often")
		}
		return checkSecure(next.URL)
	}}
	resp, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s answers %s", address, resp.Status)
	}
	text, isWhole, err := files.ReadLimited(resp.Body, mostList)
	if err == nil && !isWhole {
		err = ErrNoList
	}
	return string(text), err
}

func checkSecure(address *url.URL) error {
	if address.Scheme != "https" {
		return fmt.Errorf("%s is not asked: releases are looked for by https alone", address)
	}
	return nil
}

var (
	sumLine = regexp.MustCompile(`^([0-9a-f]{64})  ([A-Za-z0-9][A-Za-z0-9._~+-]*)$`)
	ofOne   = regexp.MustCompile(`^vault-dispatcher_(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)_(?:linux|darwin|macos|windows)_`)
)

// readList reads SHA256SUMS as a release makes it, and the version its files are of.
func readList(text string) (sums map[string]string, version string, err error) {
	sums = make(map[string]string)
	for line := range strings.Lines(text) {
		m := sumLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			return nil, "", ErrNoList
		}
		sums[m[2]] = m[1]
		if of := ofOne.FindStringSubmatch(m[2]); of != nil {
			if version != "" && of[1] != version {
				return nil, "", fmt.Errorf("%w: its files are of versions %s and %s", ErrNoList, version, of[1])
			}
			version = of[1]
		}
	}
	if version == "" {
		return nil, "", ErrNoList
	}
	return sums, version, nil
}
