package main

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// keysOfScripts are what scripts have for keys, by the variables that hold them. None stands in a script itself. They
// have letters that JSON, HTML and addresses write in another way.
var keysOfScripts = map[string]string{
	"MODEL_KEY":    "sk-proj-Qx7/wE+Zt9&kLm2<Nb4=Vc6>Yj8Hf5Gd3",
	"WRONG_KEY":    "sk-or-v1-Ru4/mT+Pv6&dXw8<Jq2=Fz9>Ck7Sb5Ha3",
	"EMBED_KEY":    "Wj3/pD+Gy8&bNs5<Kx7=Te2>Mv4Qc9Lf6Rz",
	"PROGRAM_KEY":  "sk-ant-api03-Bh6/tY+Uc4&nWq9<Dg2=Lk8>Zs5Xj7Vm3",
	"ADDRESS_WORD": "Pf8Kw3Jd6Tz9Xs4Rb7",
}

// guardedT is the T of a script. It hears all that the script's programs print and all that its engine replies over HTTP,
// sees the files that are left, and reports each that has eight characters of a secret: a key, the token, what opens a
// queue. What is to have one, and is not looked at, is in [isHolder] and [printsToken].
type guardedT struct {
	*testing.T
	report func(format string, args ...any) // nil = the test fails

	mu    sync.Mutex // guards runs
	runs  map[string]bool
	first [1 << 16]bool // how runs begin
}

// Verbose has a script keep what its programs print: https://pkg.go.dev/github.com/rogpeppe/go-internal/testscript#T
func (w *guardedT) Verbose() bool { return true }

// Run implements [testscript.T].
func (w *guardedT) Run(name string, run func(testscript.T)) {
	w.T.Run(name, func(t *testing.T) {
		report := w.report
		if report == nil {
			report = t.Errorf
		}
		run(&guardedT{T: t, report: report, runs: make(map[string]bool)})
	})
}

// Log looks at the log of a script, which is given whole at its end.
func (w *guardedT) Log(args ...any) {
	log := fmt.Sprint(args...)
	_, said, _ := strings.Cut(log, "\n\n") // behind the environment
	for _, block := range strings.Split(said, "\n> ") {
		command, _, _ := strings.Cut(block, "\n")
		if !printsToken.MatchString(command) {
			w.look("what is printed by "+command, block)
		}
	}
	w.T.Log(log)
}

// printsToken are the commands that are asked for a secret.
var printsToken = regexp.MustCompile(`^(?:exec |exits \d+ )?wiki (?:hub )?token\b`)

// begin gives a script its keys, and looks at its files in the end.
func (w *guardedT) begin(env *testscript.Env, port int) {
	for variable, key := range keysOfScripts {
		env.Setenv(variable, key)
		w.learn(key[strings.LastIndex(key, "-")+1:]) // what is before is the maker's
	}
	home := filepath.Join(env.WorkDir, "home")
	watchedPorts.Store(fmt.Sprint(port), func(what, text string) {
		w.learnHeld(home)
		w.look(what, text)
	})
	env.Defer(func() {
		w.learnHeld(home)
		for _, dir := range []string{home, filepath.Join(env.WorkDir, "vault")} {
			eachFile(dir, func(path string, data []byte) {
				if !isHolder(path) {
					w.look("the file "+strings.TrimPrefix(path, env.WorkDir), string(data))
				}
			})
		}
	})
}

// learn remembers a secret.
func (w *guardedT) learn(secret string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := 0; i+8 <= len(secret); i++ {
		w.runs[secret[i:i+8]] = true
		w.first[int(secret[i])<<8|int(secret[i+1])] = true
	}
}

// look reports a text that has part of a secret, as it is or as JSON and HTML write it.
func (w *guardedT) look(what, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	plain := html.UnescapeString(jsonEscapes.Replace(text))
	for _, seen := range []string{text, plain} {
		for i := 0; i+8 <= len(seen); i++ {
			if w.first[int(seen[i])<<8|int(seen[i+1])] && w.runs[seen[i:i+8]] {
				w.report("%s has a secret: ...%q", what, seen[max(0, i-40):min(len(seen), i+60)])
				return
			}
		}
	}
}

var jsonEscapes = strings.NewReplacer(`\/`, "/", `\u0026`, "&", `\u003c`, "<", `\u003e`, ">", `\u002b`, "+", `\u002f`, "/", `\u003d`, "=")

// isHolder reports whether a file is to have secrets: the token, what opens a queue, and configurations.
func isHolder(path string) bool {
	base := filepath.Base(path)
	return base == "token" || base == "worker.json" || strings.Contains(path, string(filepath.Separator)+"hub"+string(filepath.Separator)) ||
		strings.Contains(base, ".yaml")
}

var seed = regexp.MustCompile(`\bS[A-Z2-7]{57}\b`) // of an NKey: https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/nkey_auth

// learnHeld learns the secrets that a script's programs have made.
func (w *guardedT) learnHeld(home string) {
	eachFile(home, func(path string, data []byte) {
		switch {
		case filepath.Base(path) == "token":
			w.learn(strings.TrimSpace(string(data)))
		case isHolder(path):
			for _, found := range seed.FindAllString(string(data), -1) {
				w.learn(found)
			}
		}
	})
}

func eachFile(dir string, use func(path string, data []byte)) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if data, err := os.ReadFile(path); err == nil { // it may be gone by now
				use(path, data)
			}
		}
		return nil
	})
}

// watchedPorts has, for the port of a script, what looks at a reply.
var watchedPorts sync.Map

// overheard is the way to the engines of the scripts. What they reply is looked at when it was read.
type overheard struct{ http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (o overheard) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := o.RoundTripper.RoundTrip(r)
	look, known := watchedPorts.Load(r.URL.Port())
	if err != nil || !known {
		return resp, err
	}
	head := new(bytes.Buffer)
	_ = resp.Header.Write(head) // into memory
	resp.Body = &overheardBody{ReadCloser: resp.Body, heard: head.Bytes(), look: func(text string) {
		look.(func(what, text string))("the reply to "+r.Method+" "+r.URL.Path, text)
	}}
	return resp, nil
}

type overheardBody struct {
	io.ReadCloser
	heard []byte
	look  func(text string)
}

func (b *overheardBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.heard = append(b.heard, p[:n]...)
	return n, err
}

func (b *overheardBody) Close() error {
	b.look(string(b.heard))
	return b.ReadCloser.Close()
}

// Each way out that has a secret is reported, and what is to have one is not.
func TestPlantedLeaksAreReported(t *testing.T) {
	token := strings.Repeat("0123456789abcdef", 4)
	scripts := map[string]string{
		"stdout":     "exec fake-agent say $MODEL_KEY",
		"part":       "exec fake-agent say Qx7/wE+Z",
		"quoted":     `exec fake-agent say '\u002fwE\u002bZt9\u0026kLm2\u003cN'`,
		"page":       "exec fake-agent say 'wE+Zt9&amp;kLm2&lt;Nb4'",
		"stderr":     "env PROGRAM=$PROGRAM_KEY\n! exec fake-agent reveal PROGRAM",
		"background": "exec fake-agent say $MODEL_KEY &engine&\nwait engine",
		"ended":      "exec fake-agent say $MODEL_KEY &engine&\nwaitfile $LOG run",
		"earlier":    "exec fake-agent say $MODEL_KEY\n# the next phase\nexec fake-agent say x",
		"log":        "expand home/state/vault-dispatcher/engine.log\n-- home/state/vault-dispatcher/engine.log --\nno: ${EMBED_KEY}",
		"note":       "expand vault/a.md\n-- vault/a.md --\nno: ${EMBED_KEY}",
		"token":      "exec fake-agent say " + token[:8] + "\n-- home/state/vault-dispatcher/token --\n" + token,
		"seed":       "exec fake-agent say SUAAB2\nexec fake-agent say ABCDEFGH\n-- home/state/vault-dispatcher/worker.json --\n{\"seed\":\"SU" + strings.Repeat("ABCDEFGH", 7) + "\"}",
		"reply":      "replies $MODEL_KEY",
		"cookie":     "replies x $MODEL_KEY",

		"good": "exec fake-agent say sk-proj-\nexec fake-agent say Qx7/wE+\nexpand home/config/config.yaml\nreplies x\n-- home/state/vault-dispatcher/token --\n" + token +
			"\n-- home/config/config.yaml --\nkey: ${MODEL_KEY}",
	}
	var mu sync.Mutex
	found := make(map[string]int)
	t.Run("scripts", func(t *testing.T) {
		for name, text := range scripts {
			file := filepath.Join(t.TempDir(), name+".txtar")
			if err := os.WriteFile(file, []byte(text+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			testscript.RunT(&guardedT{T: t, report: func(string, ...any) {
				mu.Lock()
				defer mu.Unlock()
				found[name]++
			}}, testscript.Params{Files: []string{file}, RequireExplicitExec: true, Setup: setup, Cmds: map[string]func(*testscript.TestScript, bool, []string){
				"expand": expand, "replies": replies, "waitfile": waitFile}})
		}
	})
	for name := range scripts {
		if got := found[name]; got > 0 != (name != "good") {
			t.Errorf("%s: %d reports", name, got)
		}
	}
}

// replies TEXT [COOKIE] has the script's port reply with a text, and asks it.
func replies(ts *testscript.TestScript, _ bool, args []string) {
	ln, err := net.Listen("tcp4", "127.0.0.1:"+ts.Getenv("WIKI_HTTPPORT"))
	ts.Check(err)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Cookie", strings.Join(args[1:], ""))
		_, _ = io.WriteString(w, args[0])
	})}
	go server.Serve(ln)
	ts.Defer(func() { server.Close() })
	resp, err := http.Get(url(ts, "/"))
	ts.Check(err)
	_, err = io.Copy(io.Discard, resp.Body)
	ts.Check(err)
	ts.Check(resp.Body.Close())
}
