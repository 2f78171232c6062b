package pi

import (
	"encoding/json"
	"fmt"
	"strings"

	"vaultdispatcher/engine/agent"
)

// child is one task as the tool is given it.
type child struct {
	Key        string `json:"key,omitempty"`
	Agent      string `json:"agent"`
	Task       string `json:"task"`
	Acceptance bool   `json:"acceptance"` // always false: the reply is judged by us

	sequel string // in a chain, the text behind the answer of the task before; that answer follows Task
}

// buildPayload is the payload in the form the installed version takes. What is the same
// in both: agents of ours alone, forked from the session, nothing kept.
func buildPayload(list []child, b agent.Batch, scripted bool, scratch string) map[string]any {
	p := map[string]any{
		"context":    "fork",
		"agentScope": "user",
		"async":      false,
		"artifacts":  false,
	}
	switch {
	case scripted:
		p["workflowScript"] = buildScript(list, b.Chain)
		p["globalConcurrencyLimit"] = b.Concurrency
		p["mission"] = false
	case b.Chain:
		p["chain"] = chainSteps(list)
		p["chainDir"] = scratch
		p["clarify"] = false
	default:
		p["tasks"] = list
		p["concurrency"] = b.Concurrency
	}
	return p
}

// apart takes the fields of the tool's templates apart: the tool fills them in wherever they occur, also in a note.
var apart = strings.NewReplacer("{task}", "{ task}", "{previous}", "{ previous}", "{chain_dir}", "{ chain_dir}", "{outputs.", "{ outputs.")

// chainSteps are the tasks of a chain for versions up to 0.40, which fill in the answer
// before a step by a template.
func chainSteps(list []child) []child {
	chain := make([]child, len(list))
	for i, c := range list {
		if c.sequel != "" {
			c.Task += "{previous}" + c.sequel
		}
		chain[i] = c
	}
	return chain
}

// buildScript says the same for versions from 0.41. JSON is a literal of the language.
func buildScript(list []child, chain bool) string {
	type step struct {
		child
		Sequel string `json:"after"`
	}
	var all []step
	for i, c := range list {
		c.Key = fmt.Sprintf("t%d", i+1)
		all = append(all, step{c, c.sequel})
	}
	text, _ := json.Marshal(all) // strings; cannot fail
	head := "const steps = " + string(text) + ";\n"
	if !chain {
		return head + "return await runs.all(steps.map(({ after, ...step }) => step));"
	}
	return head + `const results = [];
for (const { after, ...step } of steps) {
  const before = results[results.length - 1];
  if (before && !before.ok) break;
  if (before) step.task += String(before.output).replace(/\{(?=task}|previous}|chain_dir}|outputs\.)/g, "{ ") + after;
  try {
    results.push(await runs.run(step.key, step));
  } catch (error) {
    results.push({ key: step.key, ok: false, error: String(error?.message ?? error) });
  }
}
return results;`
}

// buildChildren are the tasks of a batch. The text of each is without the history where
// the session holds it; in a chain it is cut where the answer before it belongs.
func buildChildren(b agent.Batch, names []string, seeded bool) []child {
	list := make([]child, len(b.Tasks))
	for i, task := range b.Tasks {
		c := child{Agent: names[i]}
		if b.Chain && i > 0 {
			task = task.WithPrevious(place)
		}
		if c.Agent != task.Agent {
			task.System = "" // the written definition has it
		}
		c.Task = task.Prompt()
		if seeded {
			c.Task = task.PromptWithoutHistory()
		}
		if at := strings.LastIndex(c.Task, place); b.Chain && i > 0 && at >= 0 {
			c.Task, c.sequel = c.Task[:at], c.Task[at+len(place):]
		}
		c.Task, c.sequel = apart.Replace(c.Task), apart.Replace(c.sequel)
		list[i] = c
	}
	return list
}

// place marks where the answer before a task belongs, until it is cut out. The text behind it is ours, so the last
// one counts.
const place = "[the answer before this]"
