package secret

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/testdata/testseed"
)

const key = "sk-proj-Ab3+dEf/9hIjKl=nOpQrS&uVwXyZ01234567"

func TestRedact(t *testing.T) {
	for _, c := range []struct{ key, text, want string }{
		{key, "no: " + key, "no: (the key)"},
		{key, `no: "` + key + `".`, `no: "(the key)".`},
		{key, "no: sk-proj-****4567", "no: sk-proj-****4567"}, // as OpenAI shows it
		{key, "no: sk-proj-Ab3+dEf/9***", "no: (the key)***"},
		{key, "no: ...yZ01234567", "no: ...(the key)"},
		{key, "no: ...1234567", "no: ...1234567"},
		{key, "a sk-proj- key begins so", "a sk-proj- key begins so"},
		{key, "", ""},
		{"sk-very-secret-key", "no: sk-very-", "no: (the key)"}, // all of it is its own
		{"hunter2", "no: hunter2, not hunter22", "no: (the key), not hunter22"},
		{"hunter2", "hunter2", "(the key)"},
		{"ollama", "Ollama or ollama", "Ollama or ollama"},
		{"lm-studio", "lm-studio", "lm-studio"},
		{"NONE", "NONE", "NONE"},
		{"1", "1 of 1", "1 of 1"},
		{"", "nothing", "nothing"},
		{"  " + key + "\n", "no: " + key, "no: (the key)"},
		{"päßwörd-ünïcode", "no: päßwörd-ünïcode!", "no: (the key)!"},
	} {
		if got := NewRedactor(c.key).Redact(c.text); got != c.want {
			t.Errorf("%s of %q: %q, want %q", c.key, c.text, got, c.want)
		}
	}
	if got := NewRedactor("first-secret", "other-secret").Redact("first-secret other-secret"); got != "(the key) (the key)" {
		t.Errorf("two: %q", got)
	}
	if got := (Redactor{}).Redact(key); got != key {
		t.Errorf("none: %q", got)
	}
}

// dresses are ways in which programs put a text into another.
var dresses = map[string]func(string) string{
	"JSON":              func(s string) string { text, _ := json.Marshal(s); return string(text) },
	"JSON, slashes":     func(s string) string { return strings.ReplaceAll(s, "/", `\/`) },
	"JSON, every one":   func(s string) string { return each(s, `\u%04x`) },
	"JSON, capitals":    func(s string) string { return each(s, `\u%04X`) },
	"program text":      func(s string) string { return eachByte(s, `\x%02x`) },
	"quoted":            func(s string) string { return fmt.Sprintf("%q", s) },
	"HTML":              html.EscapeString,
	"HTML, every one":   func(s string) string { return each(s, "&#%d;") },
	"HTML, hexadecimal": func(s string) string { return each(s, "&#x%x;") },
	"a query":           url.QueryEscape,
	"a path":            url.PathEscape,
	"every one":         func(s string) string { return eachByte(s, "%%%02x") },
	"zero-width":        func(s string) string { return each(s, "%c\u200b") },
	"soft hyphens":      func(s string) string { return "\ufeff" + each(s, "%c\u00ad") },
	"quotation marks":   func(s string) string { return "“" + s + "”" },
	"itself":            func(s string) string { return s },
}

func each(s, form string) string {
	var out strings.Builder
	for _, r := range s {
		fmt.Fprintf(&out, form, r)
	}
	return out.String()
}

func eachByte(s, form string) string {
	var out strings.Builder
	for _, b := range []byte(s) {
		fmt.Fprintf(&out, form, b)
	}
	return out.String()
}

// No dress hides a secret, nor one over another; what is around it stays.
func TestDressesHideNothing(t *testing.T) {
	seed := testseed.Take(t)
	chance := rand.New(rand.NewPCG(seed, 45))
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=.~&<>#"
	names := slices.Sorted(maps.Keys(dresses))
	for range 3000 {
		var own strings.Builder
		for range 8 + chance.IntN(60) {
			own.WriteByte(letters[chance.IntN(len(letters))])
		}
		whole := []string{"", "sk-", "sk-proj-", "sk-ant-api03-", "gsk_"}[chance.IntN(5)] + own.String()
		r := NewRedactor(whole)
		first, second := names[chance.IntN(len(names))], names[chance.IntN(len(names))]
		from := chance.IntN(own.Len() - 7)
		for _, part := range []string{whole, own.String()[from : from+8]} {
			got := r.Redact("Before: " + dresses[second](dresses[first](part)) + " after")
			if !strings.HasPrefix(got, "Before: ") || !strings.HasSuffix(got, " after") || !strings.Contains(got, Hidden) || len(r.findRuns(see(got).text)) > 0 {
				if len(NewRedactor(part).runs) > 0 && r.runs[part] || part == whole {
					t.Fatalf("%q in %s in %s, of %q: %q", part, first, second, whole, got)
				}
			}
		}
	}
}

// What has no key is as it was, to the byte.
func FuzzOthersStay(f *testing.F) {
	f.Add(`{"a":"\u00e4&amp;%20\\"}`)
	f.Add("\xff\\u12\\x1&#;%&&&#x110000;")
	r := NewRedactor(key, "hunter2")
	f.Fuzz(func(t *testing.T, text string) {
		if got := r.Redact(text); got != text && !strings.Contains(got, Hidden) {
			t.Errorf("%q became %q", text, got)
		}
	})
}

func TestReadKey(t *testing.T) {
	for value, want := range map[string]string{
		"": "", "  ": "", key: "", key + "\n": "", "\r\n " + key + "\t": "",
		`"` + key + `"`: "quotation marks", "'" + key + "'": "quotation marks", key + `"`: "quotation marks", "“" + key + "”": "quotation marks",
		"Bearer " + key: "Bearer", "bearer " + key: "Bearer", "sk- " + key: "a space", "a\tb": "a space", key + "\n" + key: "more than one line",
		"\ufeff" + key: "invisible", key[:9] + "\u200b" + key[9:]: "invisible", key + "\u00a0": "invisible", "schlüssel": "invisible", "a\x00b": "invisible", key + "\x1b": "invisible",
	} {
		got, err := ReadKey("MODELS_KEY", value)
		switch {
		case want == "" && (err != nil || got != strings.TrimSpace(value)):
			t.Errorf("%q: %q, %v", value, got, err)
		case want != "" && (err == nil || got != "" || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "MODELS_KEY")):
			t.Errorf("%q: %q, %v", value, got, err)
		case err != nil && NewRedactor(key).Redact(err.Error()) != err.Error():
			t.Errorf("%q: the error repeats it: %v", value, err)
		}
	}
}

func TestEnv(t *testing.T) {
	env := map[string]string{
		"OPENAI_API_KEY": "a", "ANTHROPIC_AUTH_TOKEN": "b", "DB_PASSWORD": "c d", "AWS_SECRET_ACCESS_KEY": "e", "OPENAI_API_KEY_2": "f", "apikey": "g",
		"HTTP_PROXY": "http://me:h@proxy:1", "MODEL": "i", "MAX_TOKENS": "j", "KEYBOARD": "k", "GOOGLE_APPLICATION_CREDENTIALS": "/l", "URL": "http://n/?key=m", "MYPAT": "ghp_0123456789abcdef",
		"AZURE_DEVOPS_EXT_PAT": "n", "DB_PASS": "o", "MYSQL_PWD": "p", "PATH": "q", "COMPASS": "r", "PWD": "s", "ID": "eyJhbGciOiJI.eyJzdWIiOiIx.x-y",
	}
	got := InEnv(env)
	slices.Sort(got)
	if want := []string{"a", "b", "c d", "e", "eyJhbGciOiJI.eyJzdWIiOiIx.x-y", "f", "g", "ghp_0123456789abcdef", "h", "m", "n", "o", "p"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if err := CheckEnv(env); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"OPENAI_API_KEY", "ANTHROPIC_AUTH_TOKEN"} {
		env[name] = `"quoted"`
		if err := CheckEnv(env); err == nil || !strings.Contains(err.Error(), name) || strings.Contains(err.Error(), "quoted") {
			t.Errorf("%s: %v", name, err)
		}
		env[name] = "x"
	}
}

func TestRedactAddress(t *testing.T) {
	for address, want := range map[string]string{
		"http://nas:1": "http://nas:1", "nas:4222": "nas:4222", "": "", "tls://a.example:4222": "tls://a.example:4222", "http://nas/a,b": "http://nas/a,b",
		"http://me:secret@nas/v1": "http://xxxxx@nas/v1", "http://secret@nas": "http://xxxxx@nas", "http://nas/v1?key=secret": "http://nas/v1?xxxxx",
		"http://nas/#secret": "http://nas/#xxxxx", "me:secret@nas:4222": "xxxxx@nas:4222", "nats://secret@nas:4222": "nats://xxxxx@nas:4222",
		"nats://a:b@h1,nats://c:d@h2:1": "nats://xxxxx@h1,nats://xxxxx@h2:1", "a:b@h1:1,c:d@h2:1": "xxxxx@h2:1", "http://nas/?key=a,b": "http://nas/?xxxxx",
		"http://me:sec ret@nas": "its address", "http://nas:port/": "its address",
	} {
		if got := RedactAddress(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

// What a person writes into a command for a program is shown without its keys, and with all else.
func TestRedactCommand(t *testing.T) {
	const own = "Ab3dEf9hIjKlnOpQrSuVwXyZ"
	for _, c := range []struct{ args, want string }{
		{"curl|-H|Authorization: Bearer " + own + "|https://api.example.org/v1", "curl|-H|Authorization: Bearer (the key)|https://api.example.org/v1"},
		{"curl|-H|x-api-key: " + own, "curl|-H|x-api-key: (the key)"},
		{"my-agent|--api-key|" + own + "|--json", "my-agent|--api-key|(the key)|--json"},
		{"my-agent|--api-key=" + own, "my-agent|--api-key=(the key)"},
		{"my-agent|-token|" + own, "my-agent|-token|(the key)"},
		{"env|OPENAI_API_KEY=" + own + "|my-agent", "env|OPENAI_API_KEY=(the key)|my-agent"},
		{"sh|-c|GH_TOKEN='" + own + "' my-agent --password hunter2! --json", "sh|-c|GH_TOKEN='(the key)' my-agent --password (the key) --json"},
		{`curl|-d|{"apiKey": "` + own + `", "model": "small"}`, `curl|-d|{"apiKey": "(the key)", "model": "small"}`},
		{"my-agent|https://me:hunter2!@example.org/?key=" + own, "my-agent|https://me:(the key)@example.org/?key=(the key)"},
		{"my-agent|sk-proj-" + own, "my-agent|(the key)"},
		{"sh|-c|my-agent --api-key $MY_KEY --token %TOKEN%", "sh|-c|my-agent --api-key $MY_KEY --token %TOKEN%"},
		{"my-agent|--max-token|4096|--json", "my-agent|--max-token|4096|--json"},
		{"my-agent|--model|gpt-4o-realtime-preview-2024-12-17|--keyboard|x", "my-agent|--model|gpt-4o-realtime-preview-2024-12-17|--keyboard|x"},
		{"my-agent|--api-key|--json", "my-agent|--api-key|--json"},
		{"my-agent", "my-agent"},
		{"", ""},
	} {
		if got := strings.Join(RedactCommand(strings.Split(c.args, "|")), "|"); got != c.want {
			t.Errorf("%s: %s, want %s", c.args, got, c.want)
		}
	}
}
