package githead

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

const (
	clone    = "0 a N <n@x> 1000 +0200\tclone: from /x\n"
	commit   = "a b N Ame > <n@x> 2000 +0200\tcommit: words: checkout: a\n"
	amend    = "b c N <n@x> 2500 +0200\tcommit (amend): words\n"
	checkout = "b a N <n@x> 3000 -0500\tcheckout: moving from main to b\n"
	pull     = "b a N <n@x> 4000 +0000\tpull: Fast-forward\n"
	broken   = "b a N <n@x> x +0000\treset: moving to HEAD\nhalf a li"
)

func TestLastMove(t *testing.T) {
	seconds := func(n int64) time.Time { return time.Unix(n, 0) }
	for name, c := range map[string]struct {
		files map[string]string // content by path, below the top
		times map[string]int64
		want  time.Time
	}{
		"no repository":  {nil, nil, time.Time{}},
		"a clone":        {map[string]string{".git/logs/HEAD": clone}, nil, seconds(1000)},
		"commits":        {map[string]string{".git/logs/HEAD": clone + commit + amend}, nil, seconds(1000)},
		"a checkout":     {map[string]string{".git/logs/HEAD": clone + commit + checkout + commit}, nil, seconds(3000)},
		"a pull":         {map[string]string{".git/logs/HEAD": checkout + pull + broken}, nil, seconds(4000)},
		"at work":        {map[string]string{".git/logs/HEAD": clone, ".git/index.lock": ""}, map[string]int64{".git/index.lock": 9000}, seconds(9000)},
		"no log":         {map[string]string{".git/HEAD": "ref: x"}, map[string]int64{".git/HEAD": 5000}, seconds(5000)},
		"reftables":      {map[string]string{".git/HEAD": "ref: refs/heads/.invalid", ".git/reftable/tables.list": "x"}, map[string]int64{".git/HEAD": 5000, ".git/reftable/tables.list": 6000}, seconds(6000)},
		"a nearer one":   {map[string]string{".git/logs/HEAD": checkout, "vault/sub/.git/logs/HEAD": clone}, nil, seconds(1000)},
		"a linked tree":  {map[string]string{"vault/.git": "gitdir: ../real/worktrees/v\n", "real/worktrees/v/logs/HEAD": pull}, nil, seconds(4000)},
		"a strange file": {map[string]string{"vault/.git": "hello", ".git/logs/HEAD": pull}, nil, seconds(4000)},
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			note := filepath.Join(top, "vault", "sub", "n.md")
			if err := os.MkdirAll(filepath.Dir(note), 0o700); err != nil {
				t.Fatal(err)
			}
			for rel, text := range c.files {
				path := filepath.Join(top, filepath.FromSlash(rel))
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for rel, n := range c.times {
				if err := os.Chtimes(filepath.Join(top, filepath.FromSlash(rel)), seconds(n), seconds(n)); err != nil {
					t.Fatal(err)
				}
			}
			if got := LastMove(note); !got.Equal(c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}
