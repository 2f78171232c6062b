package server

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"vaultdispatcher/engine/api/testdata/apitest"
)

// Keys that clients are promised. What has no value is null or empty and is not
// left out; only a record's error is, for a success has none.
const (
	statusKeys = "running vaults uptime dispatches version port watcher queue agents index lastRefused endpoints pid dashboard notices budgets schedule notTaken notTakenCount questions"
	vaultKeys  = "name path state watch reason atomic notes lastEvent foundWithin pausedUntil"
	agentKeys  = "role runner reach ready detail absent writes approve"
	recordKeys = "id vault file role taskId key agent markers lines instruction status attempts nextAttemptAt runner trigger createdAt startedAt finishedAt"
)

func TestPromisedKeysAreAlwaysThere(t *testing.T) {
	r := start(t)
	status := r.Raw(t, apitest.Request("GET", "/vault-mind/status", nil, "")).Body
	exactly(t, "status", status, statusKeys)
	exactly(t, "watcher", status["watcher"], "running pausedUntil")
	exactly(t, "queue", status["queue"], "settling queued processing proposed scheduled done failed held parked cancelled")
	exactly(t, "vault", only(t, status["vaults"]), vaultKeys)
	exactly(t, "agent", only(t, status["agents"]), agentKeys)
	exactly(t, "record in the status", only(t, status["dispatches"]), recordKeys+" error")
	for _, value := range []any{status["lastRefused"], only(t, status["vaults"])["lastEvent"], only(t, status["dispatches"])["nextAttemptAt"]} {
		if value != nil {
			t.Errorf("%v stands where nothing is to be told", value)
		}
	}

	auth := map[string]string{"Authorization": "Bearer " + apitest.Token}
	list := r.Raw(t, apitest.Request("GET", "/vault-mind/dispatches", auth, "")).Body
	exactly(t, "record in a list", only(t, list["dispatches"]), recordKeys)
	exactly(t, "record without an error", r.Raw(t, apitest.Request("POST", "/vault-mind/dispatches/d1/cancel", auth, "")).Body, recordKeys)
	exactly(t, "record with an error", r.Raw(t, apitest.Request("POST", "/vault-mind/dispatches/d1/retry", auth, "")).Body, recordKeys+" lastError")
	exactly(t, "parked answer", only(t, r.Raw(t, apitest.Request("GET", "/vault-mind/answers", auth, "")).Body["answers"]), recordKeys+" answers")
	exactly(t, "one record", r.Raw(t, apitest.Request("GET", "/vault-mind/dispatches/d1", auth, "")).Body, recordKeys+" lastError task answers steps diff")
}

// exactly checks the keys of an object.
func exactly(t *testing.T, what string, object any, want string) {
	t.Helper()
	fields, _ := object.(map[string]any)
	keys, promised := slices.Sorted(maps.Keys(fields)), slices.Sorted(strings.FieldsSeq(want))
	if !slices.Equal(keys, promised) {
		body, _ := json.Marshal(object)
		t.Errorf("%s has the keys %q, want %q: %s", what, keys, promised, body)
	}
}

// only is the one object of a list.
func only(t *testing.T, list any) map[string]any {
	t.Helper()
	objects, _ := list.([]any)
	if len(objects) != 1 {
		t.Fatalf("%v is no list of one object", list)
	}
	object, _ := objects[0].(map[string]any)
	return object
}
