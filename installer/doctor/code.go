package doctor

// Level says how much a finding matters.
type Level string

// From good to bad.
const (
	OK      Level = "ok"
	Note    Level = "note"    // worth knowing
	Warning Level = "warning" // works, but not as well as it could
	Problem Level = "problem" // something does not work
)

// Code names a kind of finding.
type Code string

// Of the configuration.
const (
	ConfigGood    Code = "config-good"    // About: the file
	ConfigMissing Code = "config-missing" // About: where it would be
	ConfigBad     Code = "config-bad"     // Detail: the problem with its place
	ConfigOld     Code = "config-old"     // About: the file
	ConfigForeign Code = "config-foreign" // Detail: who else may change it, and what to type
	ConfigUnknown Code = "config-unknown" // Detail: a key that means nothing
)

// Of the vaults; About is the folder.
const (
	VaultNone      Code = "vault-none"
	VaultGood      Code = "vault-good" // Detail: how it is watched
	VaultMissing   Code = "vault-missing"
	VaultSilent    Code = "vault-silent" // its disk does not respond
	VaultNoFolder  Code = "vault-no-folder"
	VaultReadOnly  Code = "vault-read-only"
	VaultPolled    Code = "vault-polled"   // Detail: why
	VaultInPlace   Code = "vault-in-place" // Detail: why notes are not exchanged in one step
	PluginPanel    Code = "plugin-panel"   // Detail: the folder without which the plugin Vault Mind shows no panel
	WatchesFew     Code = "watches-few"    // About: the limit, Detail: the numbers
	InstancesFew   Code = "instances-few"  // the same
	ServerFileOld  Code = "server-file-old"
	ServerFileGone Code = "server-file-gone"
	SpaceLow       Code = "space-low" // About: a folder, Detail: what is free
	SpaceNone      Code = "space-none"
)

// Of the engine and its service.
const (
	StateOpen        Code = "state-open"      // others can look into the state folder
	StateReadOnly    Code = "state-readonly"  // Detail: the error
	StateFull        Code = "state-full"      // its disk is
	JournalDamaged   Code = "journal-damaged" // About: the file, Detail: what is wrong with it
	JournalInUse     Code = "journal-in-use"  // the same, and an engine has it open
	JournalBehind    Code = "journal-behind"  // About: the file, Detail: which vault knows of a later day
	JournalUnread    Code = "journal-unread"  // About: the file, Detail: why it cannot be looked at
	TokenBad         Code = "token-bad"
	TokenMissing     Code = "token-missing"
	ServiceGood      Code = "service-good" // About: its kind
	ServiceNone      Code = "service-none"
	ServiceUnknown   Code = "service-unknown" // Detail: the error
	ServiceDown      Code = "service-down"    // Detail: the manager's words
	ServiceOld       Code = "service-old"     // it starts another program
	ServiceOff       Code = "service-off"     // not at login
	ServiceByHand    Code = "service-by-hand" // the engine runs, but not by it
	EngineGood       Code = "engine-good"     // Detail: version
	EngineDown       Code = "engine-down"
	EngineRefuses    Code = "engine-refuses" // Detail: the error
	EngineSilent     Code = "engine-silent"  // it is there, and gives no answer in time
	EngineForeign    Code = "engine-foreign" // About: its port, Detail: our state folder
	EngineOther      Code = "engine-other"   // About: its version, Detail: ours
	EngineNotice     Code = "engine-notice"  // Detail: a sentence of its own
	EngineHeld       Code = "engine-held"    // Detail: how many questions wait for a person, and why
	EngineUntaken    Code = "engine-untaken" // About: the note, Detail: which of its lines is not asked, and why
	PortTaken        Code = "port-taken"     // About: the port, Detail: a sentence with who has it
	PortKept         Code = "port-kept"      // About: the port, Detail: a sentence
	EmbeddingFailing Code = "embedding-failing"
)

// Of the tray; About is its program.
const (
	TrayGood      Code = "tray-good"
	TrayNoIcons   Code = "tray-no-icons"   // the desktop shows none
	TrayNoSession Code = "tray-no-session" // there is no desktop
	TrayAbsent    Code = "tray-absent"     // no program, and no place for its icon
)

// Of the agents; About is the role.
const (
	AgentGood    Code = "agent-good"    // Detail: the program
	AgentMissing Code = "agent-missing" // Detail: the program
	AgentNode    Code = "agent-node"    // Detail: the program and what it needs
	AgentOld     Code = "agent-old"     // Detail: the program, and the next step
	AgentLogin   Code = "agent-login"   // Detail: the program, and the next step
	AgentForeign Code = "agent-foreign" // Detail: who else may change its program, and what to type
	AgentPlain   Code = "agent-plain"   // Detail: the runner that knows its program
	AgentBroken  Code = "agent-broken"  // Detail: in the engine's words
)

var levels = map[Code]Level{
	ConfigGood: OK, ConfigMissing: Note, ConfigBad: Problem, ConfigOld: Problem, ConfigForeign: Problem, ConfigUnknown: Warning,
	VaultNone: Problem, VaultGood: OK, VaultMissing: Problem, VaultSilent: Problem, VaultNoFolder: Problem, VaultReadOnly: Problem,
	VaultPolled: Note, VaultInPlace: Warning, PluginPanel: Note, WatchesFew: Warning, InstancesFew: Warning,
	ServerFileOld: Warning, ServerFileGone: Warning, SpaceLow: Warning, SpaceNone: Problem,
	StateOpen: Warning, StateReadOnly: Problem, StateFull: Problem, JournalDamaged: Problem, JournalInUse: Problem, JournalUnread: Problem, JournalBehind: Problem,
	TokenBad: Problem, TokenMissing: Note,
	ServiceGood: OK, ServiceNone: Note, ServiceUnknown: Warning, ServiceDown: Problem, ServiceOld: Warning,
	ServiceOff: Note, ServiceByHand: Note,
	EngineGood: OK, EngineDown: Note, EngineRefuses: Problem, EngineSilent: Problem, EngineForeign: Problem, EngineOther: Warning, EngineNotice: Warning, EngineHeld: Warning, EngineUntaken: Warning,
	PortTaken: Problem, PortKept: Problem, EmbeddingFailing: Warning,
	TrayGood: OK, TrayNoIcons: Warning, TrayNoSession: Warning, TrayAbsent: Note,
	AgentGood: OK, AgentMissing: Problem, AgentNode: Problem, AgentOld: Problem, AgentLogin: Warning, AgentForeign: Warning, AgentPlain: Warning, AgentBroken: Problem,
}

// Level is how much findings of this kind matter.
func (c Code) Level() Level { return levels[c] }
