package sandbox

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// A login is a file that a program renews, and its private copy. Both are kept alike while the program runs: the copy
// gets another program's renewal, and the file gets this program's renewal. If both have changed, the person's file
// counts.
type login struct {
	file   string // of the person, without links
	copies *os.Root
	name   string // of the copy

	inFile, inCopy []byte // as they were looked at last
}

const maxLogin = 256 << 10

// openLogin copies a login once it is this run's turn; nil without a readable login.
func openLogin(ctx context.Context, file string, copies *os.Root, name string, waited func()) *login {
	file, err := filepath.EvalSymlinks(file)
	if err != nil {
		return nil
	}
	l := &login{file: file, copies: copies, name: name}
	for {
		text, err := readFile(os.OpenFile, l.file, maxLogin)
		if err != nil {
			return nil
		}
		if turns.take(l.file, text, time.Now()) || ctx.Err() != nil {
			l.inFile = text
			break
		}
		waited()
		select {
		case <-ctx.Done():
		case <-time.After(turnPause):
		}
	}
	if l.replaceCopy(l.inFile) != nil {
		return nil
	}
	return l
}

// look makes the two alike again. A hostile program has the folder of the copy, so that is reached by its root alone.
func (l *login) look() {
	theirs, err := readFile(os.OpenFile, l.file, maxLogin)
	mine, failed := readFile(l.copies.OpenFile, l.name, maxLogin)
	if errors.Join(err, failed) != nil {
		return // in the middle of something, or logged out by its person
	}
	isRenewed, wasRenewed := !bytes.Equal(mine, l.inCopy), !bytes.Equal(theirs, l.inFile)
	switch {
	case wasRenewed:
		if l.inFile, l.inCopy = theirs, mine; !isRenewed {
			_ = l.replaceCopy(theirs) // or the program renews its own
		}
	case isRenewed:
		l.inCopy = mine
		if renewed := renew(theirs, mine); renewed != nil && l.replaceFile(renewed) == nil {
			l.inFile = renewed
		}
	}
}

// replaceFile gives the person's file its new text in one step, with the mode it had.
func (l *login) replaceFile(text []byte) error {
	info, err := os.Lstat(l.file)
	if err != nil || !info.Mode().IsRegular() {
		return errNoFile
	}
	root, err := os.OpenRoot(filepath.Dir(l.file))
	if err != nil {
		return err
	}
	defer root.Close()
	return replaceIn(root, filepath.Base(l.file), text, info.Mode().Perm())
}

func (l *login) replaceCopy(text []byte) error {
	err := replaceIn(l.copies, l.name, text, 0o600)
	if err == nil {
		l.inCopy = text
	}
	return err
}

// replaceIn gives a file of a folder a new text in one step. engine/files would do, and make the longest chain of imports longer.
func replaceIn(folder *os.Root, name string, text []byte, mode fs.FileMode) error {
	temp := "." + name + "-" + rand.Text()
	f, err := folder.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err == nil {
		err = folder.Rename(temp, name)
	}
	if err != nil {
		_ = folder.Remove(temp)
	}
	return err
}

// renewable are the fields of a login that a renewal changes, by the programs' names. No other field is written back:
// one may be an address, or a command that the program runs for a key.
var renewable = map[string]bool{"accessToken": true, "refreshToken": true, "expiresAt": true, "refreshTokenExpiresAt": true, // claude
	"access_token": true, "refresh_token": true, "id_token": true, "last_refresh": true, "expiry_date": true, // codex, gemini, qwen
	"access": true, "refresh": true, "expires": true} // opencode, pi

// renew is a login with the renewable fields of another one that has them at the same places; nil where none differs, or
// one of the two is no JSON.
func renew(old, other []byte) []byte {
	to, err := readObject(old)
	from, failed := readObject(other)
	if errors.Join(err, failed) != nil || !takeFields(to, from) {
		return nil
	}
	text, err := json.MarshalIndent(to, "", "  ")
	if err != nil {
		return nil
	}
	return append(text, '\n')
}

func readObject(text []byte) (object map[string]any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return object, d.Decode(&object)
}

// takeFields reports whether a field was taken.
func takeFields(to, from map[string]any) bool {
	taken := false
	for key, value := range to {
		switch was := value.(type) {
		case map[string]any:
			if is, ok := from[key].(map[string]any); ok && takeFields(was, is) {
				taken = true
			}
		case string:
			if is, ok := from[key].(string); ok && renewable[key] && is != "" && is != was {
				to[key], taken = is, true
			}
		case json.Number:
			if is, ok := from[key].(json.Number); ok && renewable[key] && is != was {
				to[key], taken = is, true
			}
		}
	}
	return taken
}

// A server takes a token for renewal once, and programs with a copy each do not know of one another. So of programs whose
// login has run out, or is about to, one starts and the others wait for what it brings back.
const (
	turnTime  = 20 * time.Second // that one program has for it, from its start
	turnPause = 200 * time.Millisecond
	ahead     = 10 * time.Minute // that programs renew a login before it has run out, and a run lasts
)

// turns are who renews which login.
var turns = renewals{turns: make(map[string]turn)}

type renewals struct {
	mu    sync.Mutex // guards turns
	turns map[string]turn
}

type turn struct {
	text   string // of the login
	expiry time.Time
}

// take reports whether a program may start with a login of this text.
func (r *renewals) take(file string, text []byte, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if t := r.turns[file]; t.text == string(text) {
		return !now.Before(t.expiry)
	}
	if isStale(text, now) {
		r.turns[file] = turn{string(text), now.Add(turnTime)}
	}
	return true
}

// isStale reports whether a login says that a token in it ends soon.
func isStale(text []byte, now time.Time) bool {
	object, err := readObject(text)
	return err == nil && endsBefore(object, now.Add(ahead))
}

func endsBefore(object map[string]any, limit time.Time) bool {
	for key, value := range object {
		var end int64 // milliseconds
		switch v := value.(type) {
		case map[string]any:
			if endsBefore(v, limit) {
				return true
			}
		case json.Number:
			if key == "expiresAt" || key == "expires" || key == "expiry_date" {
				end, _ = v.Int64() // else it says nothing
			}
		case string:
			if key == "access_token" {
				end = readTokenEnd(v)
			}
		}
		if end > 0 && time.UnixMilli(end).Before(limit) {
			return true
		}
	}
	return false
}

// readTokenEnd is when a token ends that says so (https://www.rfc-editor.org/rfc/rfc7519#section-4.1.4), in milliseconds; else 0.
func readTokenEnd(token string) int64 {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return 0
	}
	var claims struct {
		End float64 `json:"exp"`
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || json.Unmarshal(text, &claims) != nil {
		return 0
	}
	return int64(claims.End) * 1000
}

// lookPause is between two looks at the logins of a program that runs.
const lookPause = time.Second

// Follow keeps the logins and their copies alike until Release, which has the last look.
func (h *Held) Follow() {
	if h == nil || len(h.logins) == 0 {
		return
	}
	h.stop = make(chan struct{})
	h.tasks.Go(func() {
		tick := time.NewTicker(lookPause)
		defer tick.Stop()
		for {
			select {
			case <-h.stop:
				return
			case <-tick.C:
				h.look()
			}
		}
	})
}

// Release is for when nothing of the program runs any more. The scratch folder is still there.
func (h *Held) Release() {
	if h == nil {
		return
	}
	if h.stop != nil {
		close(h.stop)
		h.tasks.Wait()
		h.look()
	}
	for _, root := range h.roots {
		_ = root.Close()
	}
	if h.lock != nil {
		giveBack(h.lock)
	}
}

// looking is held while logins are looked at, so that no two programs of ours replace the same one.
var looking sync.Mutex

func (h *Held) look() {
	looking.Lock()
	defer looking.Unlock()
	for _, l := range h.logins {
		l.look()
	}
}
