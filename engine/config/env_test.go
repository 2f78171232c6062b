package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"vaultdispatcher/engine/config/place"
)

func TestEnvironmentWins(t *testing.T) {
	home := alone(t)
	for name, text := range map[string]string{
		"WIKI_HTTPPORT":              "7001",
		"WIKI_DEBOUNCE":              "500ms",
		"WIKI_SETTLE":                "0",
		"WIKI_CONTEXT_BEFORE":        "5",
		"WIKI_CONTEXT_AFTER":         "0",
		"WIKI_CONTEXT_BYTES":         "2048",
		"WIKI_CONTEXT_COMMENTS":      "true",
		"WIKI_DISPATCH_MODE":         "chain",
		"WIKI_DISPATCH_CONCURRENCY":  "1",
		"WIKI_DISPATCH_TIMEOUT":      "90s",
		"WIKI_WATCH_MODE":            "poll",
		"WIKI_WATCH_POLLINTERVAL":    "30s",
		"WIKI_LIMITS_PERNOTE":        "9",
		"WIKI_LIMITS_PERHOUR":        "8",
		"WIKI_LIMITS_PERDAY":         "11",
		"WIKI_LIMITS_BURST":          "12",
		"WIKI_LIMITS_ANSWERBYTES":    "7",
		"WIKI_HISTORY_BYTES":         "6",
		"WIKI_HISTORY_SCOPE":         "note",
		"WIKI_ENRICH_PASSAGES":       "4",
		"WIKI_EMBEDDING_PROVIDER":    "ollama",
		"WIKI_EMBEDDING_MODEL":       "bge-m3",
		"WIKI_EMBEDDING_URL":         "http://127.0.0.1:11434",
		"WIKI_EMBEDDING_APIKEYENV":   "KEY",
		"WIKI_EMBEDDING_DIM":         "384",
		"WIKI_EMBEDDING_QUERYPREFIX": "q: ",
		"WIKI_EMBEDDING_DOCPREFIX":   "none",
		"WIKI_EMBEDDING_BATCH":       "8",
		"WIKI_EMBEDDING_TIMEOUT":     "5s",
		"WIKI_EMBEDDING_WEIGHT":      "0.5",
		"WIKI_GRAPH_ENABLED":         "false",
		"WIKI_BROADCAST_FOLDER":      "Out",

		"WIKI_BROADCAST_SPEECH_ENGINE":    "command",
		"WIKI_BROADCAST_SPEECH_URL":       "http://h:1/v1",
		"WIKI_BROADCAST_SPEECH_MODEL":     "kokoro",
		"WIKI_BROADCAST_SPEECH_APIKEYENV": "VOICE_KEY",

		"WIKI_PROGRESS":   "note",
		"WIKI_APPROVE_BY": "all", "WIKI_APPROVE_INNOTE": "true",
		"WIKI_NOTIFY": "FALSE",
		"WIKI_OWNER":  "Desk",

		"WIKI_HUB_LISTEN":           "0.0.0.0:1",
		"WIKI_LIMITS_DOLLARSPERDAY": "1.5",
		"WIKI_LIMITS_TOKENSPERDAY":  "99",
		"WIKI_QUEUE_URL":            "tls://h:4222",
		"WIKI_QUEUE_CREDENTIALS":    "/c.creds",
		"WIKI_WEBHOOK_URL":          "https://h/topic",
		"WIKI_WEBHOOK_FORMAT":       "ntfy",
		"WIKI_WEBHOOK_TEXT":         "off",
		"WIKI_WEBHOOK_TOKENENV":     "T",
		"WIKI_WEBHOOK_REPLYTOPIC":   "replies",
		"WIKI_QUEUE_NAME":           "laptop",

		"WIKI_METRICS": "open",
		"WIKI_VAULTS":  strings.Join([]string{"~/A", filepath.Join(home, "B.c")}, string(os.PathListSeparator)),
	} {
		t.Setenv(name, text)
	}
	got := mustParse(t, "wiki: {httpPort: 99, settle: 9s, vaults: [relative], notify: true, exclude: [X]}")
	want := Default()
	want.Vaults = []Vault{{Name: "A", Path: filepath.Join(home, "A")}, {Name: "B.c", Path: filepath.Join(home, "B.c")}}
	want.Exclude = []string{"X"}
	want.HTTPPort, want.Debounce, want.Settle = 7001, 500*time.Millisecond, 0
	want.Context = Context{LinesAbove: 5, Bytes: 2048, Comments: true}
	want.Dispatch = Dispatch{Mode: "chain", Concurrency: 1, Timeout: 90 * time.Second}
	want.Watch = Watch{Mode: "poll", PollInterval: 30 * time.Second}
	want.Limits = Limits{PerNote: 9, PerHour: 8, PerDay: 11, Burst: 12, AnswerBytes: 7, Budget: Budget{1.5, 99}}
	want.History, want.Enrich.Passages = History{HistoryNote, 6}, 4
	want.Embedding = Embedding{"ollama", "bge-m3", "http://127.0.0.1:11434", "KEY", 384, "q: ", "none", 8, 5 * time.Second, 0.5}
	want.Graph.Enabled, want.Broadcast = false, Broadcast{"Out", "command", "http://h:1/v1", "kokoro", "VOICE_KEY", nil, nil}
	want.Webhook = Webhook{URL: "https://h/topic", Format: "ntfy", Text: "off", TokenEnv: "T", ReplyTopic: "replies"}
	want.Queue.Hub, want.Queue.URL, want.Queue.Credentials, want.Queue.Name = "0.0.0.0:1", "tls://h:4222", "/c.creds", "laptop"
	want.Approve.Rule, want.Approve.InNote = "all", true
	want.Progress, want.Notify, want.Owner, want.Metrics = "note", false, "Desk", "open"
	if !got.HasSameSettings(want) || len(got.Warnings) > 0 {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
}

// Each single value has a variable, and the test above knows each of them.
func TestEverySettingHasItsVariable(t *testing.T) {
	source, err := os.ReadFile("env_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range settings {
		if name := s.variableName(); name != "" && !strings.Contains(string(source), `"`+name+`":`) {
			t.Errorf("%s (%s) is not tested", name, s.key)
		}
	}
}

func TestEnvironmentRefused(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"WIKI_HTTPPORT", "99999", "WIKI_HTTPPORT: 99999 is not a port; use 1 to 65535"},
		{"WIKI_HTTPPORT", "http", `WIKI_HTTPPORT: expected a whole number, found the text "http"`},
		{"WIKI_DISPATCH_CONCURRENCY", "4", "WIKI_DISPATCH_CONCURRENCY: 4 tasks at once are not possible; use 1 to 3"},
		{"WIKI_SETTLE", "2.5", "WIKI_SETTLE: 2.5 has no unit; write 2.5s or 2.5ms"},
		{"WIKI_WATCH_MODE", "inotify", `WIKI_WATCH_MODE: "inotify" is unknown; use auto, fsnotify or poll`},
		{"WIKI_NOTIFY", "never", `WIKI_NOTIFY: expected true or false, found the text "never"`},
		{"WIKI_VAULTS", "Notes", `WIKI_VAULTS: "Notes" is a relative path; write ~/... or an absolute path`},
	} {
		t.Run(test.name+"="+test.text, func(t *testing.T) {
			alone(t)
			t.Setenv(test.name, test.text)
			_, err := parseConfig("config.yaml", []byte("wiki:\n  httpPort: 80\n"))
			if err == nil || err.Error() != test.want {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

func TestEnvironmentAndFileAreToldTogether(t *testing.T) {
	alone(t)
	t.Setenv("WIKI_VAULTS", strings.Join([]string{"a", "b"}, string(os.PathListSeparator)))
	_, err := parseConfig("c.yaml", []byte("wiki:\n  settle: 1\n  httpPort: 0\n"))
	want := []string{
		`WIKI_VAULTS: "a" is a relative path; write ~/... or an absolute path`,
		`WIKI_VAULTS: "b" is a relative path; write ~/... or an absolute path`,
		"c.yaml:2: wiki.settle: 1 has no unit; write 1s or 1ms",
		"c.yaml:3: wiki.httpPort: 0 is not a port; use 1 to 65535",
	}
	if err == nil || !reflect.DeepEqual(strings.Split(err.Error(), "\n"), want) {
		t.Errorf("got\n%v", err)
	}
}

func TestVariableThatIsAlmostOurs(t *testing.T) {
	alone(t)
	t.Setenv("WIKI_DEBOUCE", "1s")
	t.Setenv("WIKI_OF_SOMEBODY_ELSE", "1")
	t.Setenv("WIKI_VAULT", "/of/an/agent")
	t.Setenv("WIKI_CONTEXT", "fork")
	c := mustParse(t, "")
	if want := []string{"WIKI_DEBOUCE: unknown; did you mean WIKI_DEBOUNCE"}; !reflect.DeepEqual(c.Warnings, want) {
		t.Errorf("warnings %q", c.Warnings)
	}
}

func TestPlaces(t *testing.T) {
	home := alone(t)
	xdg := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(xdg, "config"))
	t.Setenv("XDG_STATE_HOME", filepath.Join(xdg, "state"))
	t.Setenv("XDG_CACHE_HOME", filepath.Join(xdg, "cache"))
	check := func(name, got string, err error, want string) {
		t.Helper()
		if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
	got, err := place.ConfigFile()
	check("ConfigFile", got, err, filepath.Join(xdg, "config", "vault-dispatcher", "config.yaml"))
	got, err = place.StateDir()
	check("StateDir", got, err, filepath.Join(xdg, "state", "vault-dispatcher"))
	got, err = place.CacheDir(filepath.Join(home, "Notes"))
	check("CacheDir's folder", filepath.Dir(got), err, filepath.Join(xdg, "cache", "vault-dispatcher"))
	same, _ := place.CacheDir(filepath.Join(home, "x", "..", "Notes") + string(filepath.Separator))
	other, _ := place.CacheDir(filepath.Join(home, "Notes2"))
	if got != same || got == other || len(filepath.Base(got)) != 16 {
		t.Errorf("cache folders %q, %q, %q", got, same, other)
	}
	t.Setenv("XDG_STATE_HOME", "relative")
	if got, err := place.StateDir(); err != nil || !strings.HasPrefix(got, home) {
		t.Errorf("a relative XDG_STATE_HOME: %q, %v", got, err)
	}
	if left, err := os.ReadDir(xdg); err != nil || len(left) > 0 {
		t.Errorf("looking created something: %v, %v", left, err)
	}
}
