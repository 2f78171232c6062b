package server

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/testdata/testseed"
)

// Who has heard the differences knows the state: of each dispatch that is listed,
// in its order, and all the rest.
func TestDifferencesLeadToTheState(t *testing.T) {
	t.Parallel()
	seed := testseed.Take(t)
	r := rand.New(rand.NewPCG(seed, 0))
	states := []string{"queued", "processing", "done", "done", "done"}
	var server, client api.Status
	if err := client.Apply("snapshot", packMessage("snapshot", server).data); err != nil {
		t.Fatal(err)
	}
	for i := range 600 {
		last := server
		server.Dispatches = slices.Clone(server.Dispatches)
		for range r.IntN(2) {
			d := api.Dispatch{ID: fmt.Sprint(i, r.Int()), Status: "queued", Lines: []int{}, CreatedAt: time.Unix(int64(i), 0).UTC()}
			server.Dispatches = slices.Insert(server.Dispatches, 0, d)
		}
		for range min(r.IntN(3), len(server.Dispatches)) {
			server.Dispatches[r.IntN(len(server.Dispatches))].Status = states[r.IntN(len(states))]
		}
		before := slices.Concat(last.Dispatches)
		for i := len(server.Dispatches) - 1; i >= 50; i-- { // what ends is listed once more
			if d := server.Dispatches[i]; d.Status == "done" && slices.ContainsFunc(before, func(o api.Dispatch) bool { return o.ID == d.ID && o.Status == "done" }) {
				server.Dispatches = slices.Delete(server.Dispatches, i, i+1)
			}
		}
		server.Queue.Done, server.Watcher.Running, server.Dashboard = r.IntN(3), r.IntN(2) > 0, r.IntN(2) > 0
		server.Vaults, server.Agents, server.Notices = []api.Vault{{Name: "v", Notes: r.IntN(3)}}, []api.Agent{}, []api.Notice{}
		for _, m := range diffStates(last, server) {
			if err := client.Apply(m.name, m.data); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(changeOf(client), changeOf(server)) {
			t.Fatalf("turn %d: %+v, want %+v", i, changeOf(client), changeOf(server))
		}
		var shown []api.Dispatch
		for i, d := range server.Dispatches {
			if i < 50 || d.Status != "done" {
				shown = append(shown, d)
			}
		}
		known := slices.DeleteFunc(slices.Concat(client.Dispatches), func(d api.Dispatch) bool {
			return !slices.ContainsFunc(shown, func(o api.Dispatch) bool { return o.ID == d.ID })
		})
		if !slices.EqualFunc(known, shown, func(a, b api.Dispatch) bool { return reflect.DeepEqual(a, b) }) {
			t.Fatalf("turn %d: of %d dispatches %d are known, or they are known otherwise", i, len(shown), len(known))
		}
	}
	ended := 0
	for _, d := range client.Dispatches {
		if d.Status == "done" {
			ended++
		}
	}
	if ended > api.MostFollowed {
		t.Errorf("%d dispatches that have ended are kept", ended)
	}
}
