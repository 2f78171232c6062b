package pisession

import (
	_ "embed"
	"encoding/json"
)

//go:embed guard.ts
var guard []byte

//go:embed desk.ts
var desk []byte

// PrintDesk prints an extension of pi that gives it the tools of the engine's desk, under
// names that begin with name.
func PrintDesk(name, address, ticket string) []byte {
	quoted, _ := json.Marshal(map[string]string{"name": name, "address": address, "ticket": ticket}) // strings; cannot fail
	return append([]byte("const desk = "+string(quoted)+";\n"), desk...)
}

// PrintGuard prints an extension of pi that keeps its reading tools to what a vault
// shows: nothing hidden, and nothing outside, by whatever name. pi has no setting
// for that; an extension may refuse a call and change a result:
// https://pi.dev/docs/latest/extensions
func PrintGuard(vault string) []byte {
	quoted, _ := json.Marshal(vault) // a string; cannot fail
	return append([]byte("const vault = "+string(quoted)+";\n"), guard...)
}
