package dashboard

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"
)

const (
	// linkLife is how long a one-time link waits to be opened.
	linkLife = 5 * time.Minute

	// A session ends when it was not used for sessionIdle, and in any case after
	// sessionLife.
	sessionIdle = 12 * time.Hour
	sessionLife = 7 * 24 * time.Hour

	// rotateAfter is the age at which the secret of a session is exchanged; the
	// old one is good for rotateGrace longer, for requests under way.
	rotateAfter = time.Hour
	rotateGrace = 30 * time.Second

	// mostLinks and mostSecrets bound what is kept; the oldest give way.
	mostLinks   = 8
	mostSecrets = 32
)

// Sessions are the browsers that may see the dashboard. A link is good once and
// makes a session; both are known by the hashes of their secrets, so that the
// time a look-up takes tells nothing. All of it ends with the process: nothing is
// written down. Its methods take the time they are asked at.
type Sessions struct {
	mu      sync.Mutex // guards what follows
	links   map[secretHash]time.Time
	secrets map[secretHash]*secret
}

type secretHash [sha256.Size]byte

// secret is one value of a session's cookie.
type secret struct {
	session *session
	born    time.Time
	expiry  time.Time // set when another has taken its place
}

// session is one browser that has opened a link. Its fields but of and form are
// guarded by the mutex of the Sessions.
type session struct {
	owner    *Sessions
	form     string // the token in its pages' forms; no other page knows it
	born     time.Time
	used     time.Time
	finished bool
}

// NewSessions returns none yet. A process whose engine gives way to another one keeps
// them for both, so that a change of the configuration signs no browser out.
func NewSessions() *Sessions {
	return &Sessions{links: make(map[secretHash]time.Time), secrets: make(map[secretHash]*secret)}
}

const secretBytes = 32

// newSecret returns a random secret in hex.
func newSecret() string {
	raw := make([]byte, secretBytes)
	rand.Read(raw) // never fails
	return hex.EncodeToString(raw)
}

func hashOf(text string) secretHash { return sha256.Sum256([]byte(text)) }

// movedLink begins the key of a link that a page gives to follow the engine to another
// port, and no other.
const movedLink = "moved-"

// newLink returns the key of a new one-time link, with a beginning that says what for.
func (s *Sessions) newLink(purpose string, now time.Time) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropExpired(now)
	if len(s.links) >= mostLinks {
		delete(s.links, oldestKey(s.links, func(made time.Time) time.Time { return made }))
	}
	key := purpose + newSecret()
	s.links[hashOf(key)] = now
	return key
}

// useLink uses a link up and returns the secret of a new session; empty if the link
// is unknown, used or too old.
func (s *Sessions) useLink(key string, now time.Time) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropExpired(now)
	if _, ok := s.links[hashOf(key)]; !ok {
		return ""
	}
	delete(s.links, hashOf(key))
	return s.addSecret(&session{owner: s, form: newSecret(), born: now, used: now}, now)
}

// keepForm lets the session of a new secret go on where another one of the same browser
// is: pages of that one that are still open carry its forms. The secret
// has not been sent yet, so no other goroutine reads the field.
func (s *Sessions) keepForm(text string, from *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.secrets[hashOf(text)]; c != nil {
		c.session.form = from.form
	}
}

// addSecret gives a session a new secret.
func (s *Sessions) addSecret(of *session, now time.Time) string {
	if len(s.secrets) >= mostSecrets {
		delete(s.secrets, oldestKey(s.secrets, func(c *secret) time.Time { return c.session.used }))
	}
	text := newSecret()
	s.secrets[hashOf(text)] = &secret{session: of, born: now}
	return text
}

// findSession returns the session of a secret, or nil. It counts as a use.
func (s *Sessions) findSession(text string, now time.Time) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropExpired(now)
	c := s.secrets[hashOf(text)]
	if c == nil {
		return nil
	}
	c.session.used = now
	return c.session
}

// rotateSecret returns a new secret for the session of an old one, or nothing when that
// is not due.
func (s *Sessions) rotateSecret(text string, now time.Time) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropExpired(now)
	c := s.secrets[hashOf(text)]
	if c == nil || !c.expiry.IsZero() || now.Sub(c.born) < rotateAfter {
		return ""
	}
	c.expiry = now.Add(rotateGrace)
	return s.addSecret(c.session, now)
}

// Alive says whether a session still is one, which is no use of it.
func (of *session) Alive(now time.Time) bool {
	of.owner.mu.Lock()
	defer of.owner.mu.Unlock()
	return !of.isOver(now)
}

// endSession ends a session.
func (s *Sessions) endSession(of *session, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	of.finished = true
	s.dropExpired(now)
}

// endAll ends every session and every link.
func (s *Sessions) endAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.secrets {
		c.session.finished = true
	}
	clear(s.secrets)
	clear(s.links)
}

// dropExpired drops what time has ended.
func (s *Sessions) dropExpired(now time.Time) {
	for hash, made := range s.links {
		if now.Sub(made) >= linkLife {
			delete(s.links, hash)
		}
	}
	for hash, c := range s.secrets {
		if c.session.isOver(now) || !c.expiry.IsZero() && !now.Before(c.expiry) {
			delete(s.secrets, hash)
		}
	}
}

func (of *session) isOver(now time.Time) bool {
	return of.finished || now.Sub(of.used) >= sessionIdle || now.Sub(of.born) >= sessionLife
}

// oldestKey returns the key whose value has the earliest time.
func oldestKey[V any](m map[secretHash]V, at func(V) time.Time) (first secretHash) {
	var earliest time.Time
	for key, v := range m {
		if t := at(v); earliest.IsZero() || t.Before(earliest) {
			first, earliest = key, t
		}
	}
	return first
}
