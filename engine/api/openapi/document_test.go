package openapi_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/api/openapi"
)

var update = flag.Bool("update", false, "write the description anew")

// meanings are the codes of refusals.
var meanings = map[string]string{
	"bad_request":        "The body or the parameters cannot be read, or say what cannot be.",
	"unauthorized":       "The token is missing or wrong.",
	"host_not_allowed":   "The request names another host than 127.0.0.1, localhost or [::1] with the port.",
	"origin_not_allowed": "A web page asks.",
	"outside_vaults":     "The path is in no configured vault.",
	"not_found":          "There is nothing by this name.",
	"body_timeout":       "The body did not arrive in time.",
	"conflict":           "It does not fit the state of what it is about; the text says why.",
	"changed":            "What would be written is not what was shown; diff and seen are of what it is now.",
	"ambiguous":          "More than one note fits the path.",
	"body_too_large":     "The body is larger than 64 KiB.",
	"content_encoding":   "The body is encoded.",
	"content_type":       "The body is of a type that the call does not take.",
	"not_a_note":         "The file is no note.",
	"rate_limited":       "Too much at once; Retry-After says when to come again.",
	"internal":           "Something went wrong in the engine; its log says what.",
	"not_here":           "The engine was started without what this needs.",
	"no_pages":           "The engine was built without the pages of the dashboard.",
	"failed":             "The agent has no answer; the text says why.",
	"stopping":           "The engine is stopping.",
	"busy":               "It took too long.",
	"offline":            "The vault's folder cannot be reached now.",
}

// refusalsOf are all ways in which a call is refused.
func refusalsOf(c call) []string {
	all := []string{"403 host_not_allowed", "403 origin_not_allowed"}
	if !c.unread {
		all = append(all, "400 bad_request", "408 body_timeout", "413 body_too_large", "415 content_encoding")
	}
	if !c.open {
		all = append(all, "401 unauthorized")
	}
	all = append(all, c.refusals...)
	slices.Sort(all)
	return slices.Compact(all)
}

// describe makes the whole description.
func describe(t *testing.T) []byte {
	t.Helper()
	s, paths, answers := newSchemas(t), object{}, object{}
	for _, c := range calls {
		if paths[c.path] == nil {
			paths[c.path] = object{}
		}
		paths[c.path].(object)[strings.ToLower(c.method)] = describeCall(t, s, answers, c)
	}
	for _, more := range []any{api.Problem{}, api.Status{}, api.StateEvent{}, api.Accepted{}, api.Said{}} { // of streams
		s.of(reflect.TypeOf(more))
	}
	document := object{
		"openapi": "3.1.0",
		"info": object{
			"title": "Vault Dispatcher", "version": "1",
			"license": object{"name": "MIT", "identifier": "MIT"},
			"description": "The HTTP interface of the engine, on 127.0.0.1 alone. Every refusal is JSON with one sentence in error and its code; " +
				"no success has a key error at its top. A path that is not listed here is 404 not_found, another method 405 method_not_allowed with Allow. " +
				"While the engine stops, any call may be answered 503 stopping. Readers pass over keys they do not know.",
		},
		"servers":    []any{object{"url": "http://127.0.0.1:{port}", "variables": object{"port": object{"default": "11435", "description": "wiki.httpPort"}}}},
		"security":   []any{object{"token": []any{}}},
		"paths":      paths,
		"components": object{"schemas": s.made, "responses": answers, "securitySchemes": object{"token": object{"type": "http", "scheme": "bearer", "description": "What wiki token prints."}}},
	}
	text, err := json.MarshalIndent(document, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

func describeCall(t *testing.T, s *schemas, answers object, c call) object {
	t.Helper()
	made := object{"operationId": c.name, "summary": c.text, "responses": describeAnswers(t, s, answers, c)}
	if c.more != "" {
		made["description"] = c.more
	}
	if c.open {
		made["security"] = []any{}
	}
	params := []any{}
	if strings.Contains(c.path, "{id}") {
		params = append(params, object{"name": "id", "in": "path", "required": true, "schema": object{"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$"}})
	}
	for _, p := range c.query {
		of := object{"type": p.kind}
		if p.words != nil {
			of["enum"] = p.words
		}
		if p.most > 0 {
			of["minimum"], of["maximum"] = 1, p.most
		}
		params = append(params, object{"name": p.name, "in": "query", "description": p.text, "schema": of})
	}
	if len(params) > 0 {
		made["parameters"] = params
	}
	if c.request != nil {
		of := s.request(reflect.TypeOf(c.request), c.required)
		content := object{"application/json": object{"schema": of}}
		if c.forms {
			content["application/x-www-form-urlencoded"] = object{"schema": of}
			content["text/plain"] = object{"schema": object{"type": "string"}}
		}
		made["requestBody"] = object{"required": !c.optional, "content": content}
	}
	return made
}

// describeAnswers describes what a call can be answered; refusals with the same codes are described once.
func describeAnswers(t *testing.T, s *schemas, answers object, c call) object {
	t.Helper()
	content := object{}
	if c.answer != nil {
		content["application/json"] = object{"schema": s.of(reflect.TypeOf(c.answer))}
	}
	if c.plain {
		content["text/plain"] = object{"schema": object{"type": "string"}}
	}
	text := "Done."
	if c.stream != nil {
		text = c.stream.(string)
		content["text/event-stream"] = object{"schema": object{"type": "string"}}
	}
	made := object{statusOf(c): object{"description": text, "content": content}}
	codes := make(map[string][]string)
	for _, r := range refusalsOf(c) {
		status, code, _ := strings.Cut(r, " ")
		codes[status] = append(codes[status], code)
	}
	for _, status := range slices.Sorted(maps.Keys(codes)) {
		var why []string
		for _, code := range codes[status] {
			if meanings[code] == "" {
				t.Errorf("%s %s: the code %s has no meaning", c.method, c.path, code)
			}
			why = append(why, code+": "+meanings[code])
		}
		name := strings.Join(codes[status], "-or-")
		says := object{"error": object{"type": "string", "minLength": 1, "description": "what to do, one sentence"}, "code": object{"type": "string", "enum": codes[status]}}
		if slices.Contains(codes[status], "changed") {
			says["diff"], says["seen"] = object{"type": "string"}, object{"type": "string"}
		}
		answers[name] = object{"description": strings.Join(why, " "), "content": object{"application/json": object{"schema": object{
			"type": "object", "required": []string{"error", "code"}, "properties": says}}}}
		made[status] = object{"$ref": "#/components/responses/" + name}
	}
	return made
}

// TestDescription holds the file against the calls and the types, and against OpenAPI itself.
func TestDescription(t *testing.T) {
	t.Parallel()
	want := describe(t)
	if *update {
		if err := os.WriteFile("openapi.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(want, openapi.Description) {
		t.Error("openapi.json is not what the calls and types say: go test ./engine/api/openapi -update writes it anew")
	}
	if ok, problems := validatorOf(t, want).ValidateDocument(); !ok {
		t.Errorf("it is no OpenAPI: %v", problems)
	}
}

func validatorOf(t *testing.T, text []byte) validator.Validator {
	t.Helper()
	document, err := libopenapi.NewDocument(text)
	if err != nil {
		t.Fatal(err)
	}
	v, problems := validator.NewValidator(document)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return v
}

// strict is the description with no key allowed that it does not name.
func strict(t *testing.T) []byte {
	t.Helper()
	var document object
	if err := json.Unmarshal(openapi.Description, &document); err != nil {
		t.Fatal(err)
	}
	closeAll(document["components"])
	closeAll(document["paths"])
	text, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func closeAll(in any) {
	switch v := in.(type) {
	case object:
		if _, ok := v["properties"].(object); ok && v["type"] == "object" {
			v["additionalProperties"] = false
		}
		for _, value := range v {
			closeAll(value)
		}
	case []any:
		for _, value := range v {
			closeAll(value)
		}
	}
}
