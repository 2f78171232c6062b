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
