package config

import (
	"strings"
	"testing"
)

func TestSchedule(t *testing.T) {
	for text, want := range map[string]string{
		"[{every: Monday 8:00, role: Miner, instruction: \"what is open?\"}]":                              "",
		"[{every: 0 8 * * 1, role: Miner, note: a.md, vault: Notes, instruction: x}]":                      "",
		"[{every: day 8:00, role: Miner, vault: Work, instruction: x}]":                                    "no vault is called \"Work\"",
		"[{every: now, role: Miner, instruction: x}]":                                                      "wiki.schedule[0].every: \"now\" is no time that comes again; write such as",
		"[{every: 1 minute, role: Miner, instruction: x}]":                                                 "comes more often than every 5 minutes",
		"[{every: day 8:00, role: '*', instruction: x}]":                                                   "\"*\" is no role",
		"[{every: day 8:00, role: Miner, instruction: x, keep: -1}]":                                       "wiki.schedule[0].keep: must be 0, which keeps all answers, or more",
		"[{every: day 8:00, role: Miner, instruction: x, newest: first}]":                                  "",
		"[{every: day 8:00, role: Miner, instruction: x, newest: on top}]":                                 "wiki.schedule[0].newest: \"on top\" is neither first nor last",
		"[{every: day 8:00, role: Miner}]":                                                                 "wiki.schedule[0].instruction: missing",
		"{every: day 8:00}":                                                                                "expected a list such as",
		"[Monday]":                                                                                         "expected a block such as",
		"[{every: day 8:00, role: Miner, instruction: x}, {every: day 8:00, role: Miner, instruction: x}]": "is there twice",
	} {
		c, err := parseConfig("c.yaml", []byte("wiki: {vaults: [~/Notes], schedule: "+text+"}\n"))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
		if err == nil && (len(c.Schedule) != 1 || len(c.Schedule[0].ID()) != 8) {
			t.Errorf("%+v", c.Schedule)
		}
	}
}
