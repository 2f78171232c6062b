package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/modelhttp"
)

// ollamaContext is how much Ollama has a model read at once where neither the model nor the
// user says more; with much graphics memory it is more, which it tells once the model is
// loaded (https://docs.ollama.com/context-length).
const ollamaContext = 4096

const (
	windowTime  = 5 * time.Second  // for the answers about a model
	windowAgain = 10 * time.Minute // a server that does not know of windows is asked again then
	aboutAgain  = time.Minute      // and one that does is asked about a model
	maxAbout    = 8 << 20          // of what a server tells about a model
)

// Window returns how many tokens the model reads at once, its answer among them; 0 is not
// known. What it has refused counts, else what the role says. Only servers of this machine are asked, by the calls of
// Ollama, llama.cpp and vLLM: what Ollama leaves out of a longer conversation it does not say
// (https://github.com/ollama/ollama/blob/main/docs/api.md#show-model-information).
func (m Model) Window(ctx context.Context) int {
	s, err := m.readAddress()
	if learned := m.Servers.learnedWindow(s.base, m.Model); learned > 0 {
		return learned
	}
	if m.ContextTokens > 0 || err != nil || !s.local || m.Servers.isSilent(s.base) {
		return m.ContextTokens
	}
	ctx, stop := context.WithTimeout(ctx, windowTime)
	defer stop()
	window, err := m.askOllama(ctx, strings.TrimSuffix(s.base, "v1/")+"api/")
	if err == nil || !isNoOllama(err) {
		return window
	}
	if window = cmp.Or(m.askProps(ctx, strings.TrimSuffix(s.base, "v1/")+"props"), m.askModels(ctx, s.base+"models")); window == 0 && ctx.Err() == nil {
		m.Servers.learnSilent(s.base)
	}
	return window
}

// isNoOllama reports whether a server that answers has not those calls.
func isNoOllama(err error) bool {
	_, isRefused := errors.AsType[*modelhttp.Refusal](err)
	_, isSyntax := errors.AsType[*json.SyntaxError](err)
	_, isCut := errors.AsType[*modelhttp.BrokenOff](err)
	return isRefused || isSyntax || isCut
}

// learnWindow takes note of how much the model reads where it has refused more, so that the next task is cut to that. The same
// task is not asked again, unless it is a longer one than could be known.
func (m Model) learnWindow(s server, err error) error {
	long, ok := errors.AsType[*agent.TooLong](err)
	if !ok || long.Tokens <= 0 || !m.Servers.learnRead(s.base, m.Model, long.Tokens, m.ContextTokens) {
		return err
	}
	failure, _ := errors.AsType[*agent.Failure](err)
	again := *failure
	again.Kind, again.Tries = agent.Transient, 2
	again.Reason = fmt.Sprintf("%s reads %d tokens at once, and the task has more", s.name, long.Tokens)
	return &again
}

// learnRead keeps how much a model reads, and reports whether that is less than was known.
func (s *Servers) learnRead(base, model string, tokens, said int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := cmp.Or(s.reads[base+" "+model], said)
	if before > 0 && before <= tokens {
		return false
	}
	s.reads[base+" "+model] = tokens
	return true
}

func (s *Servers) learnedWindow(base, model string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reads[base+" "+model]
}

// askProps returns how much a server of llama.cpp reads at once, or 0
// (https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md#get-props-get-server-global-properties).
func (m Model) askProps(ctx context.Context, at string) int {
	var about struct {
		Settings struct {
			Context int `json:"n_ctx"`
		} `json:"default_generation_settings"`
	}
	resp, err := m.Servers.client.Get(ctx, at, "")
	if err != nil || modelhttp.ReadJSON(resp, maxAbout, &about) != nil {
		return 0
	}
	return about.Settings.Context
}

// askModels returns how much the model reads at once by the list of models, as vLLM
// (https://docs.vllm.ai/en/latest/api/vllm/entrypoints/openai/protocol.html) and routers tell it, or 0.
func (m Model) askModels(ctx context.Context, at string) int {
	var list struct {
		Data []struct {
			ID      string
			Max     int `json:"max_model_len"`
			Context int `json:"context_length"`
			Window  int `json:"context_window"`
		}
	}
	resp, err := m.Servers.client.Get(ctx, at, "")
	if err != nil || modelhttp.ReadJSON(resp, maxAbout, &list) != nil {
		return 0
	}
	for _, one := range list.Data {
		if one.ID == m.Model {
			return cmp.Or(one.Max, one.Context, one.Window)
		}
	}
	return 0
}

// about is how much a model can read at once, and how much it is set to, as its server has said; 0 is not said.
type about struct {
	most, set int
	time      time.Time
}

// askOllama returns how much the model reads at once by the calls of Ollama. What it says of the model itself counts for a
// minute; how the model is loaded may be another way at each task.
func (m Model) askOllama(ctx context.Context, at string) (int, error) {
	m.Servers.mu.Lock()
	known := m.Servers.about[at+" "+m.Model]
	m.Servers.mu.Unlock()
	if time.Since(known.time) >= aboutAgain {
		var err error
		if known, err = m.askShow(ctx, at); err != nil {
			return 0, err
		}
		m.Servers.mu.Lock()
		m.Servers.about[at+" "+m.Model] = known
		m.Servers.mu.Unlock()
	}
	loaded, err := m.askLoaded(ctx, at)
	if err != nil && !isNoOllama(err) {
		return 0, err // it is gone
	}
	window := cmp.Or(loaded, known.set, ollamaContext)
	if known.most > 0 {
		window = min(window, known.most)
	}
	return window, nil
}

// askShow asks about a model.
func (m Model) askShow(ctx context.Context, at string) (known about, err error) {
	resp, err := m.Servers.client.Post(ctx, at+"show", "", map[string]string{"model": m.Model})
	if err != nil {
		return known, err
	}
	var shown struct {
		Parameters string
		Info       map[string]json.RawMessage `json:"model_info"`
	}
	if err := modelhttp.ReadJSON(resp, maxAbout, &shown); err != nil {
		return known, err
	}
	known.time = time.Now()
	for key, value := range shown.Info {
		if strings.HasSuffix(key, ".context_length") {
			known.most, _ = strconv.Atoi(string(value)) // no number: not said
		}
	}
	for line := range strings.Lines(shown.Parameters) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "num_ctx" {
			known.set, _ = strconv.Atoi(f[1])
		}
	}
	return known, nil
}

// askLoaded returns how much the model reads at once as it is loaded now, or 0
// (https://github.com/ollama/ollama/blob/main/docs/api.md#list-running-models).
func (m Model) askLoaded(ctx context.Context, at string) (int, error) {
	resp, err := m.Servers.client.Get(ctx, at+"ps", "")
	if err != nil {
		return 0, err
	}
	var loaded struct {
		Models []struct {
			Name    string
			Context int `json:"context_length"`
		}
	}
	if modelhttp.ReadJSON(resp, maxAbout, &loaded) != nil {
		return 0, nil
	}
	for _, l := range loaded.Models {
		if strings.TrimSuffix(l.Name, ":latest") == strings.TrimSuffix(m.Model, ":latest") {
			return l.Context, nil
		}
	}
	return 0, nil
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
