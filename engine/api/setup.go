package api

import "time"

// Setup is the answer of GET /vault-mind/setup.
type Setup struct {
	File      string        `json:"file"` // the configuration
	Chosen    SetupChoice   `json:"chosen"`
	Folders   []SetupFolder `json:"folders"` // those that are configured, and those the note app knows
	Agents    []SetupOption `json:"agents"`
	Providers []SetupOption `json:"providers"`
	Models    []string      `json:"models"` // of the Ollama on this machine
	SentTo    string        `json:"sentTo"` // another machine that gets the text of notes for embeddings; empty = none
	Lines     []SetupLine   `json:"lines"`  // commands that the note app may run after it has saved a note
	Notes     []string      `json:"notes"`  // facts to know before choosing, a sentence each
	Login     SetupSwitch   `json:"login"`  // the engine starts at login
	Tray      SetupSwitch   `json:"tray"`   // the icon in the panel does
}

// SetupSwitch is something that is so or not.
type SetupSwitch struct {
	Offered bool   `json:"offered"` // it can be chosen here
	Enabled bool   `json:"on"`
	Detail  string `json:"detail,omitempty"` // one sentence
}

// SetupChoice is a person's choice, and the body of POST /vault-mind/setup. An empty field changes nothing.
type SetupChoice struct {
	Vaults     []string    `json:"vaults"` // all folders that shall be watched
	Agent      string      `json:"agent"`
	AgentModel string      `json:"agentModel"`
	Roles      []SetupRole `json:"roles"`    // agents of single roles; they win over Agent
	Provider   string      `json:"provider"` // of embeddings
	Model      string      `json:"model"`    // of embeddings
	URL        *string     `json:"url"`      // where the provider is asked; "" = the usual place on this machine
	Port       int         `json:"port"`
	Login      *bool       `json:"login"` // start the engine at login
	Tray       *bool       `json:"tray"`  // show the icon at login
	Sure       bool        `json:"sure"`  // confirms a whole home folder or drive
}

// SetupRole is the agent of one role.
type SetupRole struct {
	Role  string `json:"role"`  // "*" = every role without an entry of its own
	Agent string `json:"agent"` // "none" = no entry of its own; empty = as it is, and configured by hand
	Model string `json:"model"` // empty = the agent's own

	// These say what is set today; a choice leaves them empty.
	Runner string `json:"runner,omitempty"` // of its agent; empty = it has none
	Kept   bool   `json:"kept,omitempty"`   // its entry says more than setup can: "none" is refused
}

// SetupFolder is a folder that is a vault, or could be one.
type SetupFolder struct {
	Path    string    `json:"path"`
	Watched bool      `json:"watched"`
	Checks  []Finding `json:"checks"` // of one that is watched
}

// SetupOption is one of several things to choose.
type SetupOption struct {
	Name   string `json:"name"`
	Detail string `json:"detail"` // where it is, or what it lacks
}

// SetupLine is one command line for a shell.
type SetupLine struct {
	Shell string `json:"shell"`
	Text  string `json:"text"`
}

// ConfigWritten is what became of the configuration.
type ConfigWritten struct {
	File    string `json:"file"`
	Changed bool   `json:"changed"`
	Backup  string `json:"backup,omitempty"` // the copy of the file before the change
}

// SetupWritten is the answer of POST /vault-mind/setup.
type SetupWritten struct {
	ConfigWritten
	Port  int      `json:"port"`  // where the engine answers from now on
	Notes []string `json:"notes"` // failures and losses, a sentence each
}

// SetupProof is a first answer.
type SetupProof struct {
	Vault     string        `json:"vault"`             // the folder of the person's that it is about
	Note      string        `json:"note,omitempty"`    // the note of theirs that was asked about; "" = one of setup's own
	Question  string        `json:"question"`          // as it was asked
	Temporary bool          `json:"temporary"`         // it was made in a folder and by an engine of its own, and both are gone
	Running   bool          `json:"running"`           // an engine of the person's is
	Outside   string        `json:"outside,omitempty"` // an agent away from this machine that answered it: none of the person's notes was sent there
	Missing   string        `json:"missing,omitempty"` // why none of their notes was asked about: one of the constants below
	Answer    string        `json:"answer"`
	Took      time.Duration `json:"-"`
	Second    float64       `json:"seconds"`
	Text      string        `json:"-"` // the question and its place: one sentence that a colon ends
}

// Why a first answer is about none of the person's notes.
const (
	NoNotes    = "notes"    // the person has no notes
	NoPublic   = "public"   // none may be asked about
	NoSubject  = "subject"  // none says enough
	NoResponse = "response" // their disk does not respond
)

// SetupTried is what a role has answered.
type SetupTried struct {
	Role   string
	Runner string
	Answer string
	Took   time.Duration
}
