// Package keyring is what a hub is, without its server: an authority, and the keys that open it.
//
//	ring, err := keyring.Open(state)
//	token, err := ring.NewToken(addresses, lanes) // lets one machine join
//
// It is a folder with one file for each key, read at each use, so that a command beside the hub can add a key and take one
// away. A program that holds the server of NATS is waked by it each second, so only the hub's own does:
// engine/queue/hub.
package keyring

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nkeys"

	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/queue"
)

// Usual is the address of a hub that has no other one set.
const Usual = "127.0.0.1:11437"

// ListenAddress is the first of places that is given, else [Usual].
func ListenAddress(places ...string) (string, error) {
	listen := cmp.Or(append(places, Usual)...)
	if _, _, err := net.SplitHostPort(listen); err != nil {
		return "", fmt.Errorf("%s is no address to listen on; write it like 0.0.0.0:11437", listen)
	}
	return listen, nil
}

// Kind says what a key is good for.
type Kind string

// The kinds of keys.
const (
	Engine  Kind = "engine"
	Machine Kind = "worker"
	Joiner  Kind = "token"
)

// Key is one key that opens the hub; its secret half is elsewhere.
type Key struct {
	Public  string    `json:"public"`
	Kind    Kind      `json:"kind"`
	Name    string    `json:"name"`
	Lanes   []string  `json:"lanes,omitempty"` // of a worker; none = every one
	Expiry  time.Time `json:"until,omitzero"`  // of a token
	Created time.Time `json:"since"`
}

// Ring is the authority and the keys of a queue. Several processes may use it, and several goroutines.
type Ring struct {
	Folder string // of the hub, with its lock and its queue
	ca     authority
}

// Open reads what a state folder has of a hub, and makes what is missing.
func Open(state string) (*Ring, error) {
	r := &Ring{Folder: queue.HubFolder(state)}
	if err := os.MkdirAll(r.keysFolder(), 0o700); err != nil {
		return nil, err
	}
	var err error
	if r.ca, err = openAuthority(r.Folder); err != nil {
		return nil, fmt.Errorf("the hub's authority: %w", err)
	}
	return r, nil
}

func (r *Ring) keysFolder() string { return filepath.Join(r.Folder, "keys") }

func (r *Ring) addressFile() string { return filepath.Join(r.Folder, "address") }

// Address is where the hub listened last, "" if it never did.
func (r *Ring) Address() string {
	text, _ := os.ReadFile(r.addressFile()) // none is said
	return string(text)
}

// KeepAddress keeps where the hub listens.
func (r *Ring) KeepAddress(addr net.Addr) error {
	return files.Write(r.addressFile(), []byte(addr.String()), 0o600)
}

func (r *Ring) filePath(public string) string { return filepath.Join(r.keysFolder(), public+".json") }

// FindKey returns a key that is good now.
func (r *Ring) FindKey(public string) (Key, bool) {
	if !nkeys.IsValidPublicUserKey(public) { // so it is no path either
		return Key{}, false
	}
	var key Key
	data, err := os.ReadFile(r.filePath(public))
	if err != nil || json.Unmarshal(data, &key) != nil || key.Public != public {
		return Key{}, false
	}
	return key, key.Expiry.IsZero() || time.Now().Before(key.Expiry)
}

// HasSeed reports whether the key of a seed opens the hub.
func (r *Ring) HasSeed(seed string) bool {
	pair, err := nkeys.FromSeed([]byte(seed))
	if err != nil {
		return false
	}
	public, _ := pair.PublicKey()
	_, ok := r.FindKey(public)
	return ok
}

// AddKey makes a key. A name that ends in a dash gets an ending of its own.
func (r *Ring) AddKey(kind Kind, name string, lanes []string, until time.Time) (seed, named string, err error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return "", "", err
	}
	public, _ := pair.PublicKey()
	secret, _ := pair.Seed()
	if strings.HasSuffix(name, "-") {
		name += strings.ToLower(public[len(public)-8:])
	}
	return string(secret), name, r.KeepKey(Key{Public: public, Kind: kind, Name: name, Lanes: lanes, Expiry: until, Created: time.Now()})
}

// KeepKey keeps a key whose secret half is elsewhere.
func (r *Ring) KeepKey(key Key) error {
	data, err := json.Marshal(key)
	if err != nil {
		return err
	}
	return files.Write(r.filePath(key.Public), data, 0o600)
}

// DropKey takes a key away. Of several that do so at once, one has no error.
func (r *Ring) DropKey(key Key) error { return os.Remove(r.filePath(key.Public)) }

// ListKeys returns the keys there are, by their names.
func (r *Ring) ListKeys() ([]Key, error) {
	entries, err := os.ReadDir(r.keysFolder())
	if err != nil {
		return nil, err
	}
	var all []Key
	for _, e := range entries {
		if key, ok := r.FindKey(strings.TrimSuffix(e.Name(), ".json")); ok {
			all = append(all, key)
		}
	}
	slices.SortFunc(all, func(a, b Key) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// tokenTime is how long a token is good.
const tokenTime = 15 * time.Minute

// NewToken lets one machine join as a worker for lanes, none for every one. The addresses are where it
// finds the hub.
func (r *Ring) NewToken(addresses, lanes []string) (queue.Token, error) {
	seed, _, err := r.AddKey(Joiner, "token-", lanes, time.Now().Add(tokenTime))
	if err != nil {
		return queue.Token{}, err
	}
	t := queue.Token{Fingerprint: queue.Fingerprint(r.ca.certificate.Raw), Seed: seed}
	for _, a := range addresses {
		t.URLs = append(t.URLs, "tls://"+a)
	}
	return t, nil
}

// Workers are the machines that have joined.
func (r *Ring) Workers() ([]Key, error) {
	all, err := r.ListKeys()
	return slices.DeleteFunc(all, func(k Key) bool { return k.Kind != Machine }), err
}

// Revoke takes the key of a worker away.
func (r *Ring) Revoke(name string) error {
	workers, err := r.Workers()
	if err != nil {
		return err
	}
	for _, k := range workers {
		if k.Name == name {
			if err := r.DropKey(k); !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return nil
		}
	}
	return fmt.Errorf("no worker is called %s", name)
}
