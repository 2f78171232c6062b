package sandbox

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"vaultdispatcher/engine/testdata/testseed"
)

// openCopies makes a login and some copies of it.
func openCopies(t *testing.T, text string, n int) (file string, copies []*login) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "auth.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for range n {
		root, err := os.OpenRoot(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { root.Close() })
		l := openLogin(t.Context(), file, root, "auth.json", func() {})
		if l == nil {
			t.Fatal("no login")
		}
		copies = append(copies, l)
	}
	return file, copies
}

func (l *login) readCopy(t *testing.T) string {
	t.Helper()
	text, err := l.copies.ReadFile(l.name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (l *login) writeCopy(t *testing.T, text string) {
	t.Helper()
	if err := l.copies.WriteFile(l.name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// tokenIn is the access token of a login.
func tokenIn(t *testing.T, text string) string {
	t.Helper()
	var l struct{ Access string }
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return l.Access
}

// A copy that is longer than a login is none.
func TestLongCopy(t *testing.T) {
	file, copies := openCopies(t, `{"access":"a1"}`, 1)
	copies[0].writeCopy(t, `{"access":"`+strings.Repeat("a", maxLogin)+`"}`)
	copies[0].look()
	if text, err := os.ReadFile(file); err != nil || tokenIn(t, string(text)) != "a1" {
		t.Errorf("%.80s, %v", text, err)
	}
}

// What one of three programs has renewed the person and the other two have at their next look; a renewal that came later than
// another one is left.
func TestThreePrograms(t *testing.T) {
	file, copies := openCopies(t, `{"access":"a1","account":"me"}`, 3)
	copies[1].writeCopy(t, `{"access":"a2","account":"you"}`)
	for range 2 {
		for _, l := range copies {
			l.look()
		}
	}
	text, err := os.ReadFile(file)
	if err != nil || tokenIn(t, string(text)) != "a2" || !strings.Contains(string(text), "me") {
		t.Errorf("%s, %v", text, err)
	}
	for i, l := range copies {
		if got := tokenIn(t, l.readCopy(t)); got != "a2" {
			t.Errorf("%d has %s", i, got)
		}
	}
	copies[0].writeCopy(t, `{"access":"a3"}`)
	if err := os.WriteFile(file, []byte(`{"access":"a4"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	copies[0].look()
	copies[0].look()
	if text, err := os.ReadFile(file); err != nil || tokenIn(t, string(text)) != "a4" {
		t.Errorf("%s, %v", text, err)
	}
}

// Three programs that renew, write in pieces and log out at any time, beside a person who does the same: the file is whole at
// every look, and nobody's but the renewable fields have changed.
func TestProgramsAtOnce(t *testing.T) {
	file, copies := openCopies(t, `{"access":"a0","account":"me"}`, 3)
	var wg sync.WaitGroup
	seed := testseed.Take(t)
	for i, l := range copies {
		held := &Held{logins: []*login{l}}
		r := rand.New(rand.NewPCG(seed, uint64(i)))
		wg.Go(func() {
			for i := range 200 {
				text := `{"access":"a` + strconv.Itoa(i) + `","account":"you"}`
				if r.IntN(4) == 0 {
					text = text[:r.IntN(len(text))]
				}
				_ = l.copies.WriteFile(l.name, []byte(text), 0o600)
				held.look()
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	for {
		text, err := os.ReadFile(file)
		if err != nil || !strings.HasPrefix(tokenIn(t, string(text)), "a") || !strings.Contains(string(text), `"me"`) {
			t.Fatalf("%q, %v", text, err)
		}
		select {
		case <-done:
			return
		default:
		}
	}
}

// A hostile program has the folder of its copy: a link there does not have us read or write elsewhere, and a pipe is not waited for.
func TestCopyIsReplaced(t *testing.T) {
	other := filepath.Join(t.TempDir(), "other.json")
	if err := os.WriteFile(other, []byte(`{"access":"stolen"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, replace := range map[string]func(file string) error{
		"link":   func(file string) error { return os.Symlink(other, file) },
		"pipe":   func(file string) error { return unix.Mkfifo(file, 0o600) },
		"folder": func(file string) error { return os.Mkdir(file, 0o700) },
	} {
		file, copies := openCopies(t, `{"access":"a1"}`, 1)
		l := copies[0]
		place := filepath.Join(l.copies.Name(), l.name)
		if err := os.Remove(place); err != nil {
			t.Fatal(err)
		}
		if err := replace(place); err != nil {
			t.Fatal(err)
		}
		l.look()
		if err := os.WriteFile(file, []byte(`{"access":"a2"}`), 0o600); err != nil {
			t.Fatal(err)
		}
		l.look()
		if text, err := os.ReadFile(file); err != nil || tokenIn(t, string(text)) != "a2" {
			t.Errorf("%s: the login is %s, %v", name, text, err)
		}
		if text, err := os.ReadFile(other); err != nil || tokenIn(t, string(text)) != "stolen" {
			t.Errorf("%s: the other file is %s, %v", name, text, err)
		}
	}
}

// Of programs with a login that has run out one starts, and the others when it has brought a new one back, or has had its time.
func TestTurns(t *testing.T) {
	for name, test := range map[string]struct {
		renewed bool
		want    time.Duration
	}{"renewed": {true, 400 * time.Millisecond}, "not renewed": {false, turnTime}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				text := func(access string, end time.Time) string {
					return `{"access":"` + access + `","expires":` + strconv.FormatInt(end.UnixMilli(), 10) + `}`
				}
				began := time.Now()
				file, copies := openCopies(t, text("a1", began.Add(-time.Hour)), 1)
				if waited := time.Since(began); waited != 0 {
					t.Errorf("the first one waited %s", waited)
				}
				if test.renewed {
					time.AfterFunc(300*time.Millisecond, func() {
						copies[0].writeCopy(t, text("a2", began.Add(time.Hour)))
						copies[0].look()
					})
				}
				root, err := os.OpenRoot(t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				defer root.Close()
				told := 0
				l := openLogin(t.Context(), file, root, "auth.json", func() { told++ })
				if waited := time.Since(began); waited != test.want || told != int(test.want/turnPause) {
					t.Errorf("the second one waited %s, told %d times, want %s", waited, told, test.want)
				}
				if got := tokenIn(t, l.readCopy(t)); (got == "a2") != test.renewed {
					t.Errorf("it has %s", got)
				}
				third := time.Now()
				openLogin(t.Context(), file, root, "third", func() {})
				if waited := time.Since(third); waited != 0 {
					t.Errorf("the third one waited %s", waited)
				}
			})
		})
	}
}

// A start that is given up does not wait to the end.
func TestTurnGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file, copies := openCopies(t, `{"expires":5}`, 1)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		openLogin(ctx, file, copies[0].copies, "second", func() {})
		if waited := time.Since(began); waited != time.Second {
			t.Errorf("waited %s", waited)
		}
	})
}

func TestStale(t *testing.T) {
	now := time.Unix(2_000_000_000, 0)
	for text, want := range map[string]bool{
		`{"claudeAiOauth":{"expiresAt":1999999999000}}`:                true,
		`{"claudeAiOauth":{"expiresAt":2000000300000}}`:                true,
		`{"claudeAiOauth":{"expiresAt":2000003600000}}`:                false,
		`{"expiry_date":1999999999000}`:                                true,
		`{"tokens":{"access_token":"e30.eyJleHAiOjE5OTk5OTk5OTl9.s"}}`: true,
		`{"tokens":{"access_token":"e30.eyJleHAiOjIwMDAwMDM2MDB9.s"}}`: false,
		`{"tokens":{"id_token":"e30.eyJleHAiOjE5OTk5OTk5OTl9.s"}}`:     false,
		`{"tokens":{"access_token":"a.b.c"}}`:                          false,
		`{"OPENAI_API_KEY":"k"}`:                                       false, `{"expires":0}`: false, `[]`: false, ``: false,
	} {
		if got := isStale([]byte(text), now); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// Whatever a program has made of a login, only renewable fields of it change, and each keeps its kind.
func TestRenewProperty(t *testing.T) {
	r := rand.New(rand.NewPCG(testseed.Take(t), 0))
	for range 5000 {
		old, other := randomObject(r, 3), randomObject(r, 3)
		was, err := json.Marshal(old)
		if err != nil {
			t.Fatal(err)
		}
		is, err := json.Marshal(other)
		if err != nil {
			t.Fatal(err)
		}
		got := renew(was, is)
		if got == nil {
			continue
		}
		a, err := readObject(was)
		b, failed := readObject(got)
		if err != nil || failed != nil {
			t.Fatal(err, failed)
		}
		if !reflect.DeepEqual(blank(a), blank(b)) {
			t.Fatalf("%s\n%s\n%s", was, is, got)
		}
	}
}

// blank replaces the renewable fields of an object by their kinds.
func blank(object map[string]any) map[string]any {
	for key, value := range object {
		switch v := value.(type) {
		case map[string]any:
			blank(v)
		case string:
			if renewable[key] && v != "" {
				object[key] = "text"
			}
		case json.Number:
			if renewable[key] {
				object[key] = 1
			}
		}
	}
	return object
}

func randomObject(r *rand.Rand, depth int) map[string]any {
	object := make(map[string]any)
	for _, key := range []string{"access", "refresh", "expires", "key", "url", "a", "b"} {
		switch n := r.IntN(6); {
		case n == 0:
			object[key] = r.IntN(9)
		case n == 1 || n == 2:
			object[key] = strconv.Itoa(r.IntN(9))
		case n == 3 && depth > 0:
			object[key] = randomObject(r, depth-1)
		case n == 4 && depth > 0:
			object[key] = []any{randomObject(r, depth-1)}
		}
	}
	return object
}
