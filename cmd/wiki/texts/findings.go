package texts

import (
	"cmp"
	"slices"
	"strings"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/wording"
	"vaultdispatcher/installer/doctor"
)

// Finding is one of the doctor's in words.
type Finding struct {
	doctor.Finding
	Text string `json:"text"` // one sentence
	Step string `json:"next"` // one step; empty where there is nothing to do
}

// Findings puts what the doctor found into words: what was repaired, then the worst first.
func Findings(found []doctor.Finding) []Finding {
	worded := make([]Finding, len(found))
	for i, f := range found {
		words := findingTexts[f.Code]
		fill := strings.NewReplacer("{about}", f.Subject, "{detail}", f.Detail)
		worded[i] = Finding{f, fill.Replace(words.text), fill.Replace(words.step)}
	}
	slices.SortStableFunc(worded, func(a, b Finding) int {
		return cmp.Or(wording.Choose(b.Fixed, 1, 0)-wording.Choose(a.Fixed, 1, 0), api.CompareLevels(string(a.Level), string(b.Level)))
	})
	return worded
}

// WireFindings are findings in words as clients of the engine get them.
func WireFindings(found []doctor.Finding) []api.Finding {
	all := make([]api.Finding, len(found))
	for i, f := range Findings(found) {
		all[i] = api.Finding{Check: f.Check, Level: string(f.Level), Text: f.Text, Next: f.Step}
	}
	return all
}

// findingTexts are the doctor's findings as sentences, each with its next step.
var findingTexts = map[doctor.Code]struct{ text, step string }{
	doctor.ConfigGood:    {"{about} can be used", ""},
	doctor.ConfigMissing: {"there is no configuration yet at {about}", "wiki setup makes one"},
	doctor.ConfigBad:     {"{detail}", "correct that line; the running engine keeps its settings"},
	doctor.ConfigOld:     {"{detail}", "wiki setup imports its values and keeps a copy of the file"},
	doctor.ConfigForeign: {"{detail}", "then look whether it still says what you want"},
	doctor.ConfigUnknown: {"{detail}", "correct the key in {about}, or remove it"},

	doctor.VaultNone:      {"no folder of notes is configured", "wiki setup, or wiki setup --vault ~/Notes --yes"},
	doctor.VaultGood:      {"{about} is watched: the system tells of each change", ""},
	doctor.VaultMissing:   {"there is no folder {about}", "connect its disk, or remove it from wiki.vaults"},
	doctor.VaultSilent:    {"the disk of {about} does not respond", "check its connection; the engine watches it again when it responds"},
	doctor.VaultNoFolder:  {"{about} is a file, not a folder", "name the folder that holds the notes in wiki.vaults"},
	doctor.VaultReadOnly:  {"{about} cannot be written: {detail}", "let your user write there, or remove it from wiki.vaults"},
	doctor.VaultPolled:    {"{about} is polled ({detail})", "changes are detected within seconds; add the command from wiki setup to your note app for instant detection"},
	doctor.VaultInPlace:   {"notes of {about} are written in place ({detail})", "nothing is lost, but a program that reads at that moment may see half a note; use a local disk"},
	doctor.PluginPanel:    {"in {about} the Obsidian plugin Vault Mind works by its commands alone: its panel opens where there is a folder {detail}", "nothing, for scans and questions; the folder comes with the program that the plugin was made for"},
	doctor.WatchesFew:     {"{about} is too low: {detail}", "sudo sysctl -w {about}=524288, and the same line in /etc/sysctl.d/ to keep it"},
	doctor.InstancesFew:   {"{about} is low: {detail}", "sudo sysctl -w {about}=512, and the same line in /etc/sysctl.d/ to keep it"},
	doctor.ServerFileOld:  {"{about}/.vault-mind/server.json names port {detail}, where no engine of this vault listens", "wiki doctor --fix corrects it"},
	doctor.ServerFileGone: {"{about} has no .vault-mind/server.json, which note apps need to find the engine", "wiki doctor --fix writes it"},
	doctor.SpaceLow:       {"only {detail} are free where {about} is", "make room there"},
	doctor.SpaceNone:      {"only {detail} are free where {about} is, too little to write answers", "make room there"},

	doctor.StateOpen:      {"other users can read {about}", "wiki doctor --fix closes it, or chmod 700 {about}"},
	doctor.StateReadOnly:  {"the state folder {about} cannot be written: {detail}", "let your user write there"},
	doctor.StateFull:      {"the disk that holds the state folder {about} is full, so nothing can be recorded", "make room there; the engine goes on by itself"},
	doctor.JournalDamaged: {"the journal {about} is damaged: {detail}", "wiki doctor --fix, or the next start of the engine, keeps its bytes aside and saves what can be read"},
	doctor.JournalInUse:   {"the journal {about} is damaged: {detail}", "wiki service restart, or ending the engine and wiki doctor --fix, saves what can be read"},
	doctor.JournalBehind:  {"the journal {about} was emptied or damaged, or is of an earlier day: {detail}", "put the newest one back before an engine starts; otherwise what is open waits for you, and wiki held lists it"},
	doctor.JournalUnread:  {"the journal {about} cannot be looked at: {detail}", "check who may read and write there; wiki logs shows more"},
	doctor.TokenBad:       {"{detail}", "wiki service restart, or ending the engine and wiki doctor --fix, makes a new one"},
	doctor.TokenMissing:   {"there is no token yet", "the engine makes it when it starts for the first time"},

	doctor.ServiceGood:    {"the login service is installed and its engine runs ({detail})", ""},
	doctor.ServiceNone:    {"no login service is installed, so you must start the engine yourself", "wiki service install"},
	doctor.ServiceUnknown: {"the state of the login service is unknown: {detail}", "wiki service status shows more"},
	doctor.ServiceDown:    {"the login service is installed and no engine answers; it is {detail}", "wiki service start; wiki logs shows how it ended"},
	doctor.ServiceOld:     {"{about} starts another program than this one, or with other arguments", "wiki service install updates it"},
	doctor.ServiceOff:     {"the login service is switched off and does not start when you log in", "switch it on in the settings of your system, or wiki service install"},
	doctor.ServiceByHand:  {"an engine runs that the login service did not start; {detail}", "stop it, then wiki service start, to have it supervised"},

	doctor.EngineGood:       {"the engine {detail} answers on port {about}", ""},
	doctor.EngineDown:       {"no engine runs", "wiki run in a terminal runs one, as long as you leave that open"},
	doctor.EngineRefuses:    {"the engine does not answer as it should: {detail}", "wiki logs shows what it does; wiki service restart restarts it"},
	doctor.EngineSilent:     {"the engine does not answer in time", "wiki logs shows what it does; it may only be busy"},
	doctor.EngineForeign:    {"port {about} belongs to a different engine (its token does not match {detail})", "end that engine, or choose another port with wiki setup --port"},
	doctor.EngineOther:      {"the engine that runs is version {about}, this program {detail}", "wiki service install updates it, or end it and start it again"},
	doctor.EngineNotice:     {"{detail}", "wiki status shows what the engine knows"},
	doctor.EngineHeld:       {"{detail}", "wiki held lists what waits and how to start it"},
	doctor.EngineUntaken:    {"{detail}", "wiki why NOTE says of each line why it is not asked, and how to write it"},
	doctor.PortKept:         {"{detail}", "choose another port with wiki setup --port"},
	doctor.PortTaken:        {"{detail}", "end what is there, or choose another port with wiki setup --port"},
	doctor.EmbeddingFailing: {"the embedding model {about} fails: {detail}", "start its server, or set wiki.embedding.provider: none; words are searched meanwhile"},

	doctor.TrayGood:      {"the desktop shows the icon of {about}", ""},
	doctor.TrayNoIcons:   {"this desktop shows no tray icons, so the icon of {about} stays invisible", "GNOME needs the extension AppIndicator; a bare window manager needs a panel with a tray, or snixembed"},
	doctor.TrayNoSession: {"no desktop session is visible from here, so {about} cannot show its icon", "run wiki doctor in a terminal of the desktop; without a desktop use wiki status"},
	doctor.TrayAbsent:    {"wiki-tray is not installed, and this desktop would not show its icon", "use wiki status and wiki open; in GNOME the extension AppIndicator shows such icons"},

	doctor.AgentGood:    {"{about} is answered by {detail}", ""},
	doctor.AgentMissing: {"the program {detail} for the role {about} was not found by the engine", "install it and run wiki service install, which saves your PATH; or name its path: command: [PATH] in wiki.agents.{about}; or choose another runner"},
	doctor.AgentNode:    {"the program for the role {about} cannot start: {detail}", "install that and run wiki service install, which saves your PATH"},
	doctor.AgentOld:     {"the role {about}: {detail}", "then wiki agents test {about}"},
	doctor.AgentLogin:   {"the role {about}: {detail}", "then wiki agents test {about}"},
	doctor.AgentForeign: {"others may change the program that answers {about}: {detail}", "or, if you trust them, leave it"},
	doctor.AgentPlain:   {"{about} takes the plain output of {detail} for its answer, and that does not say whether it is whole", "write runner: {detail} in wiki.agents.{about}, which knows how its answers end"},
	doctor.AgentBroken:  {"the role {about} is not ready: {detail}", "wiki agents shows what it needs"},
}
