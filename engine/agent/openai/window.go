package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"vaultdispatcher/engine/modelhttp"
)

// ollamaContext is how much Ollama has a model read at once where neither the model nor the
// user says more; with much graphics memory it is more, which it tells once the model is
// loaded (https://docs.ollama.com/context-length).
const ollamaContext = 4096

const (
	windowTime  = 5 * time.Second  // for the answers about a model
	windowAgain = 10 * time.Minute // a server that does not know of windows is asked again then
	maxAbout    = 8 << 20          // of what a server tells about a model
)

// Window returns how many tokens the model reads at once, its answer among them; 0 is not
// known. Only servers of this machine are asked, by Ollama's own calls: what it leaves out
// of a longer conversation it does not say
// (https://github.com/ollama/ollama/blob/main/docs/api.md#show-model-information).
func (m Model) Window(ctx context.Context) int {
	s, err := m.readAddress()
	if m.ContextTokens > 0 || err != nil || !s.local || m.Servers.isSilent(s.base) {
		return m.ContextTokens
	}
	ctx, stop := context.WithTimeout(ctx, windowTime)
	defer stop()
	at := strings.TrimSuffix(s.base, "v1/") + "api/"
	most, set, err := m.askShow(ctx, at)
	if err != nil {
		if _, refused := errors.AsType[*modelhttp.Refusal](err); refused || isBroken(err) {
			m.Servers.learnSilent(s.base)
		}
		return 0
	}
	window := cmp.Or(m.askLoaded(ctx, at), set, ollamaContext)
	if most > 0 {
		window = min(window, most)
	}
	return window
}

// askShow returns how much a model can read at once, and how much it is set to; 0 is not
// said.
func (m Model) askShow(ctx context.Context, at string) (most, set int, err error) {
	resp, err := m.Servers.client.Post(ctx, at+"show", "", map[string]string{"model": m.Model})
	if err != nil {
		return 0, 0, err
	}
	var about struct {
		Parameters string
		Info       map[string]json.RawMessage `json:"model_info"`
	}
	if err := modelhttp.ReadJSON(resp, maxAbout, &about); err != nil {
		return 0, 0, err
	}
	for key, value := range about.Info {
		if strings.HasSuffix(key, ".context_length") {
			most, _ = strconv.Atoi(string(value)) // no number: not said
		}
	}
	for line := range strings.Lines(about.Parameters) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "num_ctx" {
			set, _ = strconv.Atoi(f[1])
		}
	}
	return most, set, nil
}

// askLoaded returns how much the model reads at once as it is loaded now, or 0
// (https://github.com/ollama/ollama/blob/main/docs/api.md#list-running-models).
func (m Model) askLoaded(ctx context.Context, at string) int {
	resp, err := m.Servers.client.Get(ctx, at+"ps")
	if err != nil {
		return 0
	}
	var loaded struct {
		Models []struct {
			Name    string
			Context int `json:"context_length"`
		}
	}
	if modelhttp.ReadJSON(resp, maxAbout, &loaded) != nil {
		return 0
	}
	for _, l := range loaded.Models {
		if strings.TrimSuffix(l.Name, ":latest") == strings.TrimSuffix(m.Model, ":latest") {
			return l.Context
		}
	}
	return 0
}

// isSilent reports whether a server does not say how much its models read.
func (s *Servers) isSilent(base string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Since(s.silent[base]) < windowAgain
}

func (s *Servers) learnSilent(base string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.silent[base] = time.Now()
}
