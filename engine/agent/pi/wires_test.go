package pi

import (
	"strings"
	"testing"

	"vaultdispatcher/engine/agent/testdata/wires"
)

// What the bridge has written in part is no answer of any task, and what it has written whole is the answer of each, to the byte.
func TestWires(t *testing.T) {
	t.Parallel()
	var list []wires.Wire
	for _, w := range wires.Read(t, "testdata/wires.txtar") {
		list = append(list, w, w.With("pretty", func(s string) string { return strings.ReplaceAll(s, `,"`, ",\r\n  \"") }))
	}
	wires.Bend(t, list, wires.Options{Rounds: 1, Ends: 200}, func(b wires.Bent) (string, error) {
		outcomes, err := readAnswer([]byte(b.Text), 2, tool{version: b.Name[:len("0.34")]})
		var answers []string
		for _, o := range outcomes {
			if o.Err != nil {
				return "", o.Err
			}
			answers = append(answers, o.Reply.Text)
		}
		return strings.Join(answers, "\n---\n"), err
	})
}
