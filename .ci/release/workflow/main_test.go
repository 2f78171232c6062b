package main

import (
	"strings"
	"testing"
)

const made = `
name: A
on: {push: {tags: ["v*"]}}
env:
  ADDRESS: ${{ github.server_url }}/${{github.repository}}
jobs:
  first:
    strategy:
      matrix:
        include:
          - {system: linux, runner: u}
          - {system: windows, runner: u}
    runs-on: ${{ matrix.runner }}
    steps:
      - uses: actions/checkout@abc # v1
        with: {depth: 0}
      - if: matrix.system == 'windows'
        run: install it
      - name: Make it
        env: {S: "${{ matrix.system }}"}
        run: |
          make 'it'
  second:
    needs: first
    if: vars.OTHER != ''
    steps: [{run: x}]
`

// TestScript: a workflow is a script, job by job, with the values that were given and no others.
func TestScript(t *testing.T) {
	const first = `begin 'first linux u'
uses 'actions/checkout' 'depth=0'
step 'Make it' 'ADDRESS=https://a.example/b' 'S=linux' -- 'make '\''it'\''
'
begin 'first u windows'
uses 'actions/checkout' 'depth=0'
step '' 'ADDRESS=https://a.example/b' -- 'install it'
step 'Make it' 'ADDRESS=https://a.example/b' 'S=windows' -- 'make '\''it'\''
'
`
	for _, test := range []struct{ yaml, other, want, problem string }{
		{made, "", first, ""},
		{made, "x", first + "begin 'second'\nstep '' 'ADDRESS=https://a.example/b' -- 'x'\n", ""},
		{strings.Replace(made, "make 'it'", "make ${{ secrets.KEY }}", 1), "", "", "secrets.KEY"},
		{strings.Replace(made, "!= ''", "&& true", 1), "", "", "compares no value"},
		{strings.Replace(made, "needs: first", "needs: third", 1), "", "", "second needs others"},
	} {
		var got strings.Builder
		err := printScript(strings.NewReader(test.yaml), &got, map[string]string{"github.server_url": "https://a.example", "github.repository": "b", "vars.OTHER": test.other})
		if test.problem == "" && (err != nil || got.String() != test.want) {
			t.Errorf("%v:\n%s", err, got.String())
		}
		if test.problem != "" && (err == nil || !strings.Contains(err.Error(), test.problem)) {
			t.Errorf("not about %s: %v", test.problem, err)
		}
	}
}
