package hub

import (
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"vaultdispatcher/engine/queue"
	"vaultdispatcher/engine/queue/keyring"
	"vaultdispatcher/engine/syserr"
)

// Check implements [server.Authentication]: a client signs the number it was given.
func (h *Hub) Check(c server.ClientAuthentication) bool {
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
	key, ok := h.FindKey(opts.Nkey)
	if opts.Nkey == h.processKey {
		key, ok = keyring.Key{Public: h.processKey, Kind: "hub"}, true
	}
	if !ok {
		return false
	}
	c.RegisterUser(&server.User{Username: key.Public, Permissions: permissionsOf(key)})
	if key.Kind == keyring.Joiner {
		return true // its key is removed before it has its answer, and it can do nothing else
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.connections[c.GetID()] = key
	return true
}

// lanesOf returns the lanes of the worker that asks at a place, if it is connected.
func (h *Hub) lanesOf(place string) (lanes []string, letIn bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, key := range h.connections {
		if key.Kind == keyring.Machine && queue.WorkPlace(key.Name) == place {
			return key.Lanes, true
		}
	}
	return nil, false
}

// engineOf returns the name of the engine that has a key.
func (h *Hub) engineOf(public string) (name string, known bool) {
	key, ok := h.FindKey(public)
	return key.Name, ok && key.Kind == keyring.Engine
}

// permissionsOf is what a kind of key may do.
func permissionsOf(key keyring.Key) *server.Permissions {
	if key.Kind == "hub" {
		return nil
	}
	publish, subscribe := queue.Subjects(string(key.Kind), key.Name, key.Public)
	// No key may answer on any subject that a message names, since a client can send a message to
	// itself.
	return &server.Permissions{Publish: &server.SubjectPermission{Allow: publish}, Subscribe: &server.SubjectPermission{Allow: subscribe}}
}

// endRevoked ends the connections of keys that are not good any more.
func (h *Hub) endRevoked(s *server.Server) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, key := range h.connections {
		if _, ok := h.FindKey(key.Public); ok || key.Public == h.processKey {
			if s.GetClient(id) == nil {
				delete(h.connections, id)
			}
			continue
		}
		delete(h.connections, id)
		_ = s.DisconnectClientByID(id) // it may be gone
	}
}

// letJoin exchanges a token for the key of a machine. Taking its file away is what makes it good once.
func (h *Hub) letJoin(m *nats.Msg, log *slog.Logger) queue.Joined {
	token, ok := h.FindKey(strings.TrimPrefix(m.Subject, queue.JoinSubject("")))
	var who queue.Joining
	switch {
	case !ok || token.Kind != keyring.Joiner:
		return queue.Joined{Error: "the token is not good any more; wiki hub token prints another one"}
	case json.Unmarshal(m.Data, &who) != nil || !nkeys.IsValidPublicUserKey(who.Public) || !isName(who.Name):
		return queue.Joined{Error: "the name of a machine has 1 to 40 letters, digits, - and _"}
	case isReserved(who.Name):
		return queue.Joined{Error: "hub, and names that begin with engine- or token-, are the hub's own; use wiki worker join --name and another one"}
	}
	if err := h.DropKey(token); err != nil {
		return queue.Joined{Error: "the token was used"}
	}
	key := keyring.Key{Public: who.Public, Kind: keyring.Machine, Name: h.freeName(who), Lanes: token.Lanes, Created: time.Now()}
	if err := h.KeepKey(key); err != nil {
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

// isReserved reports whether a name is one that the hub gives: the answers to its holder are the hub's
// own.
func isReserved(name string) bool {
	name = strings.ToLower(name)
	return name == hubName || strings.HasPrefix(name, "engine-") || strings.HasPrefix(name, "token-")
}

// freeName is the name a machine wants, with an ending where another has it.
func (h *Hub) freeName(who queue.Joining) string {
	all, _ := h.ListKeys() // without it the name has its ending
	if all != nil && !slices.ContainsFunc(all, func(k keyring.Key) bool { return strings.EqualFold(k.Name, who.Name) }) {
		return who.Name
	}
	return who.Name + "-" + strings.ToLower(who.Public[len(who.Public)-6:])
}
