package runners

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The servers of a silent program are those that its settings and the variables of its role name. Where a name that is not
// found would say nothing of the network, there are none.
func TestServersOf(t *testing.T) {
	for _, c := range []struct {
		program, file, text string
		own                 map[string]string
		want                string
	}{
		{"qwen", ".qwen/settings.json", `{"modelProviders":{"openai":[{"id":"a","baseUrl":"https://coding.dashscope.aliyuncs.com/v1"},{"id":"b","baseUrl":"https:\/\/Other.example:8443\/v1"},{"id":"c","baseUrl":"https://coding.dashscope.aliyuncs.com/v2"}]}}`, nil, "coding.dashscope.aliyuncs.com"},
		{"qwen", ".qwen/settings.json", "{\"a\":\"https://b.example/v1\",\n// mine\n\"c\":'https://a.example'}", nil, "a.example b.example"},
		{"qwen", ".qwen/.env", "OPENAI_BASE_URL=https://a.example/v1\n", nil, "a.example"},
		{"qwen", ".env", "OPENAI_BASE_URL=\"https://a.example:443\"\n", nil, "a.example"},
		{"qwen", "", "", map[string]string{"OPENAI_BASE_URL": "https://a.example/v1"}, "a.example"},
		{"qwen.cmd", "", "", map[string]string{"OPENAI_BASE_URL": "https://a.example/v1"}, "a.example"},

		{"qwen", "", "", nil, ""},
		{"qwen", ".qwen/settings.json", `{"a":"https://a.example","b":"http://127.0.0.1:11434/v1"}`, nil, ""},
		{"qwen", ".qwen/settings.json", `{"a":"http://localhost:1234/v1"}`, nil, ""},
		{"qwen", ".qwen/settings.json", `{"a":"http://[::1]:1234/v1"}`, nil, ""},
		{"qwen", ".qwen/settings.json", `{"a":"http://nas:1234/v1"}`, nil, ""},
		{"qwen", ".qwen/settings.json", `{"a":"http://nas.local/v1"}`, nil, ""},
		{"qwen", ".qwen/settings.json", `{"a":"https://a.example","proxy":"proxy.example:3128"}`, nil, ""},
		{"qwen", ".qwen/settings.json", `{"a":"https://a.example"}`, map[string]string{"HTTPS_PROXY": "http://b.example:3128"}, ""},
		{"qwen", ".qwen/settings.json", `{"a":"https://a.example"}`, map[string]string{"https_proxy": "http://b.example:3128"}, ""},
		{"qwen", ".qwen/oauth_creds.json", `{"resource_url":"https://a.example"}`, nil, ""},
		{"codex", "", "", map[string]string{"X": "https://a.example/v1"}, ""}, // it says so itself
		{"my-own", "", "", map[string]string{"X": "https://a.example/v1"}, ""},
	} {
		home := t.TempDir()
		for _, name := range []string{"HOME", "USERPROFILE"} {
			t.Setenv(name, home)
		}
		for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
			t.Setenv(name, "")
		}
		if c.file != "" {
			path := filepath.Join(home, filepath.FromSlash(c.file))
			for _, err := range []error{os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(c.text), 0o600)} {
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := strings.Join(ServersOf(c.program, c.own), " "); got != c.want {
			t.Errorf("%s with %s %s and %q: %q, want %q", c.program, c.file, c.text, c.own, got, c.want)
		}
	}
	t.Setenv("ALL_PROXY", "socks5://p.example:1080")
	if got := ServersOf("qwen", map[string]string{"OPENAI_BASE_URL": "https://a.example/v1"}); got != nil {
		t.Errorf("behind a proxy of the machine: %s", got)
	}
}
