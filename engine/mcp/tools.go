package mcp

import (
	"bytes"
	"encoding/json"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// tool is a row of the table of tools.
type tool struct {
	name, title, description string
	arguments                []argument
	writes                   bool // it asks an agent, which is more than reading
}

// argument is one of a tool; kind is a type of JSON.
type argument struct {
	name, kind, description string
	needed                  bool
	min, max                int // of a number, or of the letters of a text; 0 = unbounded
}

var (
	ofVault  = argument{name: "vault", kind: "string", description: "only in the vault of this name", max: 500}
	ofCursor = argument{name: "cursor", kind: "string", description: "goes on where the answer before ended; its \"next\"", max: 200}
	ofLimit  = argument{name: "limit", kind: "integer", description: "results at most; 8 by itself", min: 1, max: 50}
	ofNote   = argument{name: "note", kind: "string", description: "the note: its path in the vault, its name, or a link such as [[Note#Heading]]", needed: true, max: 1000}
)

// tools are those that only read. engine/library answers each.
var tools = []tool{
	{name: "search", title: "Search the notes", description: "Finds the passages of the notes that answer a query best, by words and links and, where it is set up, by meaning. Each has the text, the heading it stands under and a citation.",
		arguments: []argument{{name: "query", kind: "string", description: "words or a question", needed: true, max: 1000}, ofLimit, ofVault, ofCursor}},
	{name: "read_note", title: "Read a note", description: "Reads a note whole, or what stands below one heading, or some of its lines. The answer lists the headings of a note that is longer than one answer.",
		arguments: []argument{ofNote, {name: "heading", kind: "string", description: "only what stands below this heading", max: 500},
			{name: "from", kind: "integer", description: "first line, from 1", min: 1}, {name: "to", kind: "integer", description: "last line", min: 1}, ofVault, ofCursor}},
	{name: "related", title: "What belongs to a note", description: "Finds passages of other notes that belong to a note: by its words, and by links from it and to it.",
		arguments: []argument{ofNote, ofLimit, ofVault, ofCursor}},
	{name: "list_notes", title: "List notes", description: "Lists notes by their paths.",
		arguments: []argument{{name: "folder", kind: "string", description: "only in this folder of the vault, such as Projects/2026", max: 1000}, ofLimit, ofVault, ofCursor}},
	{name: "backlinks", title: "What links to a note", description: "Finds the notes that link to a note, each with the line of the link.",
		arguments: []argument{ofNote, ofLimit, ofVault, ofCursor}},
	{name: "recent", title: "Notes saved last", description: "Lists the notes that were saved last, the newest first.",
		arguments: []argument{ofLimit, ofVault, ofCursor}},
	{name: "questions", title: "Questions asked in the notes", description: "Lists what was asked in the notes by @agent lines, the newest first, with the answers that there are.",
		arguments: []argument{{name: "query", kind: "string", description: "only where the question, the note or the role has this text", max: 500},
			{name: "note", kind: "string", description: "only those of this note", max: 1000}, ofLimit, ofVault, ofCursor}},
}

var askTool = tool{name: "ask", title: "Ask an agent of the notes", writes: true,
	description: "Has the agent of a role answer a question about the notes; it may take minutes and cost what that agent costs.",
	arguments:   []argument{{name: "question", kind: "string", needed: true, max: 4000}, {name: "role", kind: "string", description: "Miner by itself", max: 100}}}

// describeTool is a tool as clients are told of it.
func (t tool) describeTool() *sdk.Tool {
	properties, needed := make(map[string]any), []string{}
	for _, a := range t.arguments {
		p := map[string]any{"type": a.kind}
		if a.description != "" {
			p["description"] = a.description
		}
		lower, upper := "minimum", "maximum"
		if a.kind == "string" {
			lower, upper = "minLength", "maxLength"
		}
		if a.min > 0 {
			p[lower] = a.min
		}
		if a.max > 0 {
			p[upper] = a.max
		}
		properties[a.name] = p
		if a.needed {
			needed = append(needed, a.name)
		}
	}
	no := false
	return &sdk.Tool{Name: t.name, Title: t.title, Description: t.description,
		Annotations: &sdk.ToolAnnotations{Title: t.title, ReadOnlyHint: !t.writes, IdempotentHint: !t.writes, DestructiveHint: &no, OpenWorldHint: &t.writes},
		InputSchema: map[string]any{"type": "object", "properties": properties, "required": needed, "additionalProperties": false}}
}

func marshalLine(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}
