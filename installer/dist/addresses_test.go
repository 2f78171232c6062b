package main

import (
	"flag"
	"io"
	"strings"
	"testing"
)

// TestRepositoryGivesAddresses: the repository's address gives all others, but for those that are given; without any
// nothing is made up.
func TestRepositoryGivesAddresses(t *testing.T) {
	const repository = "https://github.com/someone/notes"
	for _, test := range []struct {
		args string
		want addresses
	}{
		{"", addresses{}},
		{"-base-url https://packages.example/v1/", addresses{base: "https://packages.example/v1"}},
		{"-repository " + repository + "/", addresses{repository, repository + "/releases/download/v1.2.3-rc.1", repository, repository + "/releases/latest/download"}},
		{
			"-repository " + repository + " -homepage https://notes.example -latest-url https://a.example/new -base-url https://a.example/v1",
			addresses{repository, "https://a.example/v1", "https://notes.example", "https://a.example/new"},
		},
	} {
		var got addresses
		flags := flag.NewFlagSet("dist", flag.ContinueOnError)
		flags.SetOutput(io.Discard)
		got.addFlags(flags)
		if err := flags.Parse(strings.Fields(test.args)); err != nil {
			t.Fatal(err)
		}
		if err := got.complete("1.2.3-rc.1"); err != nil || got != test.want {
			t.Errorf("%q gives %+v, %v", test.args, got, err)
		}
	}
	for _, wrong := range []addresses{{repository: "github.com/someone/notes"}, {latest: "http://a.example"}, {homepage: "a b"}, {base: "x"}} {
		if err := wrong.complete("1.2.3"); err == nil {
			t.Errorf("%+v was taken", wrong)
		}
	}
}

// TestLeadToReleases: a page that comes with the programs leads to the releases of its repository, or nowhere else.
func TestLeadToReleases(t *testing.T) {
	const page = "From the [releases](../../releases/latest), [here](../../../../releases/latest) or [there](releases.md).\n"
	if got := string((&addresses{}).leadToReleases([]byte(page))); got != page {
		t.Errorf("without an address it says %s", got)
	}
	const want = "From the [releases](https://a.example/b/releases/latest), [here](https://a.example/b/releases/latest) or [there](releases.md).\n"
	if got := string((&addresses{repository: "https://a.example/b"}).leadToReleases([]byte(page))); got != want {
		t.Errorf("it says %s", got)
	}
}
