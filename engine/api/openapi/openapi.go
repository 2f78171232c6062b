// Package openapi holds the description of the HTTP interface for programs: a document of OpenAPI
// 3.1, which the server sends at GET /vault-mind/openapi.json.
//
// It is a file, so that a reader finds it without an engine. Its tests make it: the calls are listed
// in calls_test.go, the bodies are read from the types of engine/api with their comments, and
// "go test ./engine/api/openapi -update" writes it anew. They fail where it is not what they would
// write, where a call of the server is not described, and where the server answers a call in another
// way than it says.
package openapi

import _ "embed"

// Description is the whole of it.
//
//go:embed openapi.json
var Description []byte
