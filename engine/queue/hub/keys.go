package hub

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/queue"
	"vaultdispatcher/engine/syserr"
)

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
	Public string    `json:"public"`
	Kind   Kind      `json:"kind"`
	Name   string    `json:"name"`
	Lanes  []string  `json:"lanes,omitempty"` // of a worker; none = every one
	Until  time.Time `json:"until,omitzero"`  // of a token
	Since  time.Time `json:"since"`
}

// keys is a folder with one file for each key, so that a command beside the hub can add one and take one
// away. It implements [server.Authentication].
type keys struct {
	folder string
	own    string // of the process that serves; it may do everything

	mu          sync.Mutex     // guards the field below
	connections map[uint64]Key // by their number
}

func (k *keys) filePath(public string) string { return filepath.Join(k.folder, public+".json") }

// findKey returns a key that is good now.
func (k *keys) findKey(public string) (Key, bool) {
	if !nkeys.IsValidPublicUserKey(public) { // so it is no path either
		return Key{}, false
	}
	var key Key
	data, err := os.ReadFile(k.filePath(public))
	if err != nil || json.Unmarshal(data, &key) != nil || key.Public != public {
		return Key{}, false
	}
	return key, key.Until.IsZero() || time.Now().Before(key.Until)
}

// hasSeed reports whether the key of a seed opens the hub.
func (k *keys) hasSeed(seed string) bool {
	pair, err := nkeys.FromSeed([]byte(seed))
	if err != nil {
		return false
	}
	public, _ := pair.PublicKey()
	_, ok := k.findKey(public)
	return ok
}

// addKey makes a key. A name that ends in a dash gets an ending of its own.
func (k *keys) addKey(kind Kind, name string, lanes []string, until time.Time) (seed, named string, err error) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		return "", "", err
	}
	public, _ := pair.PublicKey()
	secret, _ := pair.Seed()
	if strings.HasSuffix(name, "-") {
		name += strings.ToLower(public[len(public)-8:])
	}
	return string(secret), name, k.saveKey(Key{Public: public, Kind: kind, Name: name, Lanes: lanes, Until: until, Since: time.Now()})
}

func (k *keys) saveKey(key Key) error {
	return files.Write(k.filePath(key.Public), encodeJSON(key), 0o600)
}

func encodeJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings and times
	}
	return data
}

// listKeys returns the keys there are, by their names.
func (k *keys) listKeys() ([]Key, error) {
	entries, err := os.ReadDir(k.folder)
	if err != nil {
		return nil, err
	}
	var all []Key
	for _, e := range entries {
		if key, ok := k.findKey(strings.TrimSuffix(e.Name(), ".json")); ok {
			all = append(all, key)
		}
	}
	slices.SortFunc(all, func(a, b Key) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// Check implements [server.Authentication]: whoever comes signs the number it was given.
func (k *keys) Check(c server.ClientAuthentication) bool {
	opts := c.GetOpts()
	pair, err := nkeys.FromPublicKey(opts.Nkey)
	if err != nil {
		return false
	}
	signature, err := base64.RawURLEncoding.DecodeString(opts.Sig)
	if err != nil {
		return false
	}
	if pair.Verify(c.GetNonce(), signature) != nil {
		return false
	}
	key, ok := k.findKey(opts.Nkey)
	if opts.Nkey == k.own {
		key, ok = Key{Public: k.own, Kind: "hub"}, true
	}
	if !ok {
		return false
	}
	c.RegisterUser(&server.User{Username: key.Public, Permissions: permissionsOf(key)})
	if key.Kind == Joiner {
		return true // its key is taken away before it has its answer, and it can do nothing else
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.connections[c.GetID()] = key
	return true
}

// lanesOf returns the lanes of the worker that asks at a place, if it is connected.
func (k *keys) lanesOf(place string) (lanes []string, letIn bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, key := range k.connections {
		if key.Kind == Machine && queue.WorkPlace(key.Name) == place {
			return key.Lanes, true
		}
	}
	return nil, false
}

// engineOf returns the name of the engine that has a key.
func (k *keys) engineOf(public string) (name string, known bool) {
	key, ok := k.findKey(public)
	return key.Name, ok && key.Kind == Engine
}

// permissionsOf is what a kind of key may do.
func permissionsOf(key Key) *server.Permissions {
	if key.Kind == "hub" {
		return nil
	}
	publish, subscribe := queue.Subjects(string(key.Kind), key.Name, key.Public)
	// Nobody may answer wherever a message says, for one can send a message to oneself.
	return &server.Permissions{Publish: &server.SubjectPermission{Allow: publish}, Subscribe: &server.SubjectPermission{Allow: subscribe}}
}

// endRevoked ends the connections of keys that are not good any more.
func (k *keys) endRevoked(s *server.Server) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for id, key := range k.connections {
		if _, ok := k.findKey(key.Public); ok || key.Public == k.own {
			if s.GetClient(id) == nil {
				delete(k.connections, id)
			}
			continue
		}
		delete(k.connections, id)
		_ = s.DisconnectClientByID(id) // it may be gone
	}
}

// tokenTime is how long a token is good.
const tokenTime = 15 * time.Minute

// NewToken lets one machine join as a worker for lanes, none for every one. The addresses are where it
// finds the hub.
func (h *Hub) NewToken(addresses, lanes []string) (queue.Token, error) {
	seed, _, err := h.keys.addKey(Joiner, "token-", lanes, time.Now().Add(tokenTime))
	if err != nil {
		return queue.Token{}, err
	}
	t := queue.Token{Fingerprint: queue.Fingerprint(h.ca.certificate.Raw), Seed: seed}
	for _, a := range addresses {
		t.URLs = append(t.URLs, "tls://"+a)
	}
	return t, nil
}

// letJoin exchanges a token for the key of a machine. Taking its file away is what makes it good once.
func (h *Hub) letJoin(m *nats.Msg, log *slog.Logger) queue.Joined {
	token, ok := h.keys.findKey(strings.TrimPrefix(m.Subject, queue.JoinSubject("")))
	var who queue.Joining
	switch {
	case !ok || token.Kind != Joiner:
		return queue.Joined{Error: "the token is not good any more; wiki hub token prints another one"}
	case json.Unmarshal(m.Data, &who) != nil || !nkeys.IsValidPublicUserKey(who.Public) || !isName(who.Name):
		return queue.Joined{Error: "the name of a machine has 1 to 40 letters, digits, - and _"}
	case isReserved(who.Name):
		return queue.Joined{Error: "hub, and names that begin with engine- or token-, are the hub's own; use wiki worker join --name and another one"}
	}
	if err := os.Remove(h.keys.filePath(token.Public)); err != nil {
		return queue.Joined{Error: "the token was used"}
	}
	key := Key{Public: who.Public, Kind: Machine, Name: h.freeName(who), Lanes: token.Lanes, Since: time.Now()}
	if err := h.keys.saveKey(key); err != nil {
		return queue.Joined{Error: "the hub cannot keep the key: " + syserr.Plain(err)}
	}
	log.Info("a worker has joined", "worker", key.Name)
	return queue.Joined{Name: key.Name, Lanes: key.Lanes}
}

func isName(name string) bool {
	return name != "" && len(name) <= 40 && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// isReserved reports whether a name is one that the hub gives: the answers to who has it are its own.
func isReserved(name string) bool {
	name = strings.ToLower(name)
	return name == hubName || strings.HasPrefix(name, "engine-") || strings.HasPrefix(name, "token-")
}

// freeName is the name a machine wants, with an ending where another has it.
func (h *Hub) freeName(who queue.Joining) string {
	all, _ := h.keys.listKeys() // without it the name has its ending
	if all != nil && !slices.ContainsFunc(all, func(k Key) bool { return strings.EqualFold(k.Name, who.Name) }) {
		return who.Name
	}
	return who.Name + "-" + strings.ToLower(who.Public[len(who.Public)-6:])
}

// Workers are the machines that have joined.
func (h *Hub) Workers() ([]Key, error) {
	all, err := h.keys.listKeys()
	return slices.DeleteFunc(all, func(k Key) bool { return k.Kind != Machine }), err
}

// Revoke takes the key of a worker away.
func (h *Hub) Revoke(name string) error {
	workers, err := h.Workers()
	if err != nil {
		return err
	}
	for _, k := range workers {
		if k.Name == name {
			if err := os.Remove(h.keys.filePath(k.Public)); !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return nil
		}
	}
	return fmt.Errorf("no worker is called %s", name)
}
