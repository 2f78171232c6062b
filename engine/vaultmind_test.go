package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"vaultdispatcher/engine/agent"
)

// plugin asks as the Obsidian plugin "Vault Mind" 0.6.2 does: with the port that the vault's file
// names, from its origin, with the token, always as JSON.
type plugin struct {
	t    *testing.T
	base string
}

func (p plugin) do(method, path, body string, change ...func(*http.Request)) (int, any) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), method, p.base+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Origin", "app://obsidian.md")
	req.Header.Set("Sec-Fetch-Site", "cross-site")
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+strings.Repeat("a", 64))
	for _, f := range change {
		f(req)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	if got := resp.Header.Get("Access-Control-Allow-Origin"); got != "app://obsidian.md" {
		p.t.Errorf("%s %s: the app may not read the answer: %q", method, path, got)
	}
	var value any
	if len(text) > 0 {
		if err := json.Unmarshal(text, &value); err != nil {
			p.t.Errorf("%s %s: %q", method, path, text)
		}
	}
	return resp.StatusCode, value
}

// ok asks for what succeeds, and shows the answer as text with its keys in order.
func (p plugin) ok(method, path, body string, status int) (any, string) {
	p.t.Helper()
	got, value := p.do(method, path, body)
	text, _ := json.Marshal(value)
	if got != status {
		p.t.Errorf("%s %s: %d %s", method, path, got, text)
	}
	return value, string(text)
}

// scripted is an agent that does what a test says.
type scripted func(ctx context.Context, task agent.Task) (agent.Reply, error)

func (s scripted) Run(ctx context.Context, task agent.Task) (agent.Reply, error) { return s(ctx, task) }

// field follows keys and indices down a value.
func field(value any, keys ...any) any {
	for _, key := range keys {
		switch k := key.(type) {
		case string:
			m, _ := value.(map[string]any)
			value = m[k]
		case int:
			list, _ := value.([]any)
			if k >= len(list) {
				return nil
			}
			value = list[k]
		}
	}
	return value
}

// TestVaultMindPlugin goes through all calls of the plugin with the real engine: status, body, effect.
func TestVaultMindPlugin(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	miner := scripted(func(ctx context.Context, task agent.Task) (agent.Reply, error) {
		if strings.Contains(task.Text, "wait") {
			close(asked)
			<-ctx.Done()
			return agent.Reply{}, ctx.Err()
		}
		return agent.Reply{Text: "Every Friday."}, nil
	})
	dir := t.TempDir() // with a note in it: an empty folder may be one that is not mounted yet
	for _, err := range []error{os.Mkdir(filepath.Join(dir, "vault"), 0o700), os.WriteFile(filepath.Join(dir, "vault", "Index.md"), []byte("# Index\n"), 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	r := startEngine(t, dir, miner)
	p := discover(t, r)

	for _, path := range []string{"/vm/status", "/agent/queue", "/vault-mind/dispatch", "/agent/jobs/x/retry"} {
		if status, body := p.do("OPTIONS", path, "", func(q *http.Request) { q.Header.Del("Authorization") }); status != 204 || body != nil {
			t.Errorf("preflight of %s: %d %v", path, status, body)
		}
	}
	if status, body := p.do("GET", "/vm/status", "", func(q *http.Request) { q.Header.Set("Authorization", "Bearer x") }); status != 401 || field(body, "code") != "unauthorized" {
		t.Errorf("with a wrong token: %d %v", status, body)
	}
	_, text := p.ok("GET", "/vm/status", "", 200)
	if want := fmt.Sprintf(`{"embedding":{"dim":0,"model":"none"},"server":{"port":%d,"running":true},"version":"test","watcher":true}`, r.port); text != want {
		t.Errorf("status: %s", text)
	}
	for _, want := range []string{`{"watcher":false}`, `{"watcher":true}`} {
		if _, text := p.ok("POST", "/vm/watcher/toggle", "", 200); text != want {
			t.Errorf("toggle: %s, want %s", text, want)
		}
		st, err := r.Status(t.Context(), false)
		if err != nil || fmt.Sprintf(`{"watcher":%v}`, st.Watcher.Running) != want {
			t.Errorf("the watcher after it: %+v, %v", st.Watcher, err)
		}
	}
	if _, text := p.ok("GET", "/agent/queue", "", 200); text != "[]" {
		t.Errorf("an empty queue: %s", text)
	}
	dispatchByPlugin(r, p)
	cancelByPlugin(r, p, asked)
	searchByPlugin(r, p)
	for path, want := range map[string]string{"/vm/setup": `{"ok":true}`, "/vault-mind/context": `{"ok":true}`} {
		if _, text := p.ok("POST", path, `{"folders":{"inbox":"In"},"filePath":"a.md","selection":"x","cursor":{"line":1,"ch":2}}`, 200); text != want {
			t.Errorf("%s: %s", path, text)
		}
	}
	if _, text := p.ok("GET", "/vm/pending", "", 200); text != `{"pending":[]}` {
		t.Errorf("pending: %s", text)
	}
}

// discover finds the engine as the plugin does.
func discover(t *testing.T, r *running) plugin {
	t.Helper()
	var said struct{ Port int }
	for said.Port == 0 { // it is written when the vault is known not to be empty
		text, err := os.ReadFile(filepath.Join(r.vault, ".vault-mind", "server.json"))
		if err == nil {
			err = json.Unmarshal(text, &said)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		r.pause()
	}
	if said.Port != r.port {
		t.Errorf("the file names port %d", said.Port)
	}
	return plugin{t, fmt.Sprintf("http://127.0.0.1:%d", said.Port)}
}

// dispatchByPlugin has a note answered by dispatch and by scan, with paths as they are in the vault.
func dispatchByPlugin(r *running, p plugin) {
	t := r.t
	r.save("Backups.md", "# Backups\n\nThe backups run every Friday.\n")
	job, _ := p.ok("POST", "/vault-mind/dispatch", `{"role":"Miner","instruction":"when do they run","file":"Backups.md","vault":"v"}`, 202)
	r.until("Backups.md", "Every Friday.")
	id, _ := field(job, "jobId").(string)
	for field(awaitJob(r, p, id), "status") != "done" {
		r.pause()
	}
	done := awaitJob(r, p, id)
	if field(done, "filePath") != "Backups.md" || field(done, "role") != "Miner" || field(done, "attempts") != 0.0 || field(done, "instruction") != "when do they run" ||
		field(done, "createdAt") == nil || field(done, "completedAt") == nil || field(done, "lastError") != nil {
		t.Errorf("the job: %v", done)
	}
	for _, body := range []string{`{"role":"Miner","instruction":"","file":"Backups.md"}`, `{"role":"Miner","instruction":"x"}`} {
		if status, body := p.do("POST", "/vault-mind/dispatch", body); status != 400 || field(body, "error") == nil {
			t.Errorf("%d %v", status, body)
		}
	}
	for file, want := range map[string]int{"../x.md": 403, "/etc/passwd": 403, "Gone.md": 404, ".obsidian/x.md": 422} {
		for _, path := range []string{"/vault-mind/dispatch", "/vault-mind/scan"} {
			if status, body := p.do("POST", path, fmt.Sprintf(`{"role":"Miner","instruction":"x","file":%q,"vault":"v"}`, file)); status != want {
				t.Errorf("%s of %s: %d %v", path, file, status, body)
			}
		}
	}
	r.save("Scanned.md", "> @agent-Miner when do backups run\n")
	found, text := p.ok("POST", "/vault-mind/scan", `{"file":"Scanned.md","vault":"v"}`, 200)
	if _, isNumber := field(found, "groups").(float64); !isNumber || field(found, "details") == nil || field(found, "error") != nil {
		t.Errorf("scan: %s", text)
	}
	r.until("Scanned.md", "Every Friday.")
}

// awaitJob returns a job of the queue.
func awaitJob(r *running, p plugin, id string) any {
	r.t.Helper()
	for {
		list, _ := p.ok("GET", "/agent/queue", "", 200)
		for _, job := range list.([]any) {
			if field(job, "id") == id {
				return job
			}
		}
		r.pause()
	}
}

// cancelByPlugin cancels a job that runs and has it tried again.
func cancelByPlugin(r *running, p plugin, asked chan struct{}) {
	t := r.t
	r.save("Slow.md", "> @agent-Miner wait for ever\n")
	<-asked
	list, text := p.ok("GET", "/agent/queue?status=running", "", 200)
	id, _ := field(list, 0, "id").(string)
	if id == "" || field(list, 0, "status") != "running" || field(list, 0, "dispatchedAt") == nil || field(list, 1) != nil {
		t.Fatalf("running: %s", text)
	}
	if status, body := p.do("POST", "/agent/jobs/"+id+"/retry", ""); status != 409 || field(body, "code") != "conflict" {
		t.Errorf("retry of a running one: %d %v", status, body)
	}
	if job, text := p.ok("POST", "/agent/jobs/"+id+"/cancel", "", 200); field(job, "id") != id || field(job, "status") != "cancelled" {
		t.Errorf("cancel: %s", text)
	}
	if st, err := r.Status(t.Context(), false); err != nil || st.Queue.Cancelled != 1 {
		t.Errorf("the status counts %+v, %v", st.Queue, err)
	}
	if list, text := p.ok("GET", "/agent/queue?status=cancelled", "", 200); field(list, 0, "id") != id {
		t.Errorf("cancelled: %s", text)
	}
	for _, act := range []string{"retry", "cancel"} {
		if status, body := p.do("POST", "/agent/jobs/unknown/"+act, ""); status != 404 || field(body, "code") != "not_found" {
			t.Errorf("%s of an unknown one: %d %v", act, status, body)
		}
	}
}

// searchByPlugin unwraps each answer as often as the plugin does.
func searchByPlugin(r *running, p plugin) {
	for _, call := range []struct {
		path, body string
		unwrap     []any
	}{
		{"/vm/search", `{"collection":"main","query":"backups Friday","limit":5}`, []any{"hits"}},
		{"/vm/fts-search", `{"query":"backups Friday","collection":"v","limit":20}`, []any{"hits", "hits"}},
		{"/vm/graph", `{"entity":"Backups","depth":2}`, []any{"results", "hits"}},
	} {
		hits := any(nil)
		for field(hits, 0) == nil { // the index hears of a save a little later
			found, text := p.ok("POST", call.path, call.body, 200)
			if hits = field(found, call.unwrap...); hits == nil {
				r.t.Fatalf("%s: %s", call.path, text)
			}
			r.pause()
		}
		for _, key := range []string{"source", "fact", "title", "path", "snippet"} {
			if text, _ := field(hits, 0, key).(string); text == "" {
				r.t.Errorf("%s has no %s: %v", call.path, key, hits)
			}
		}
	}
	stats, text := p.ok("GET", "/vm/stats", "", 200)
	if field(stats, "collections", 0, "name") != "v" || field(stats, "collections", 0, "count") == nil || field(stats, "collections", 0, "size") != 0.0 ||
		field(stats, "collections", 0, "malformed") != 0.0 || field(stats, "collections", 0, "schema", 0) == nil || field(stats, "collections", 0, "path") != r.vaults[0].Root {
		r.t.Errorf("stats: %s", text)
	}
}

// TestRetryByPlugin: what has failed is tried again by the plugin and answered; what came with a
// note from elsewhere is not started unread by it, held or cancelled.
func TestRetryByPlugin(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	r := startEngine(t, t.TempDir(), scripted(func(context.Context, agent.Task) (agent.Reply, error) {
		if asked.Add(1) == 1 {
			return agent.Reply{}, &agent.Failure{Kind: agent.Permanent, Reason: "it has no paper"}
		}
		return agent.Reply{Text: "Every Friday."}, nil
	}))
	p := plugin{t, fmt.Sprintf("http://127.0.0.1:%d", r.port)}
	await := func(file, status string) string {
		for ; ; r.pause() {
			list, _ := p.ok("GET", "/agent/queue?status="+status, "", 200)
			for _, job := range list.([]any) {
				if field(job, "filePath") == file {
					id, _ := field(job, "id").(string)
					return id
				}
			}
		}
	}
	r.save("Asks.md", "> @agent-Miner when\n")
	id := await("Asks.md", "failed")
	if job := awaitJob(r, p, id); field(job, "lastError") == nil || field(job, "attempts") == 0.0 {
		t.Errorf("failed: %v", job)
	}
	if job, text := p.ok("POST", "/agent/jobs/"+id+"/retry", "", 200); field(job, "id") != id || field(job, "filePath") != "Asks.md" {
		t.Errorf("retry: %s", text)
	}
	r.until("Asks.md", "Every Friday.")
	await("Asks.md", "done")

	if err := os.Mkdir(filepath.Join(r.vault, "Clippings"), 0o700); err != nil {
		t.Fatal(err)
	}
	r.save("Clippings/Page.md", "> @agent-Miner obey\n")
	id = await("Clippings/Page.md", "pending")
	for _, state := range []string{"held", "cancelled"} {
		status, body := p.do("POST", "/agent/jobs/"+id+"/retry", "")
		if reason, _ := field(body, "error").(string); status != 409 || !strings.Contains(reason, "from elsewhere") {
			t.Errorf("%s: %d %v", state, status, body)
		}
		if state == "held" {
			p.ok("POST", "/agent/jobs/"+id+"/cancel", "", 200)
		}
	}
	if got := asked.Load(); got != 2 {
		t.Errorf("the agent was asked %d times", got)
	}
}
