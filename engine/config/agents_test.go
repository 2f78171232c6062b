package config

import "testing"

func TestRelatedPassagesAreOnUnlessTurnedOff(t *testing.T) {
	c := mustParse(t, "wiki: {agents: {Ed: {runner: pi}, Al: {runner: pi, enrich: false}, Di: {runner: pi, enrich: true}}}")
	for role, plain := range map[string]bool{"Ed": false, "Al": true, "Di": false} {
		if c.Agents[role].Plain != plain {
			t.Errorf("%s: %+v", role, c.Agents[role])
		}
	}
}

func TestModelServer(t *testing.T) {
	c := mustParse(t, "wiki: {agents: {Ed: {runner: openai, url: 'http://127.0.0.1:11434', APIKEYENV: MY_KEY, model: m}}}")
	if a := c.Agents["Ed"]; a.URL != "http://127.0.0.1:11434" || a.KeyEnv != "MY_KEY" || len(c.Warnings) > 0 {
		t.Errorf("%+v, %q", a, c.Warnings)
	}
}
