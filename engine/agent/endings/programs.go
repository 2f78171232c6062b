package endings

import (
	"regexp"
	"slices"
	"strings"
	"time"
)

// program is what is known of the words of an agent program: a row of [programs].
type program struct {
	words   []said   // its own, before those of all
	periods []period // of its limits, those that have a name first
}

// period is how long a limit lasts at most that names itself in these words.
type period struct {
	words  func() *regexp.Regexp // nil = any
	length time.Duration
}

const day = 24 * time.Hour

// Windows that several programs have.
var (
	session = period{lazily(`(?i)\bsession\b|\b5[- ]?h(?:our)?\b|\bfive[- _]hour|\b5 ?小时`), 5 * time.Hour}
	daily   = period{lazily(`(?i)\bdaily\b|\bper day\b|PerDay`), day}
	monthly = period{lazily(`(?i)\bmonthly\b|\bper month\b`), 31 * day} // https://github.com/anomalyco/opencode/issues/44099
	week    = period{nil, 7 * day}
	month   = period{nil, 31 * day}

	// Tokens and requests are counted by the minute and the day: https://platform.openai.com/docs/guides/rate-limits; subscriptions by
	// sessions of five hours: https://github.com/dirge-code/dirge/issues/818, https://github.com/continuedev/continue/issues/11444
	ofProviders = []period{session, daily, monthly, week}
)

// Rows of [programs] whose name no program has: of all servers, and of an agent that has none of its own.
const Server, AnyAgent = "/", "*"

// programs are the agent programs by their names.
var programs = map[string]program{
	Server: {periods: ofProviders},

	"aider": {periods: ofProviders}, "claude": claude, "codex": codex, "copilot": copilot, "cursor": cursor, "gemini": gemini, "goose": goose, "hermes": hermes,
	"kiro": kiro, "q": kiro, // it is Amazon Q's new name
	"opencode": opencode, "pi": pi, "qwen": qwen,
}

// ProgramOf is the name under which a program is known that is started from path, which may be a bare name or a package's; "" = it is not
// known. Its adapter for the Agent Client Protocol, such as claude-agent-acp, has its words.
func ProgramOf(path string) string {
	name := strings.ToLower(path[strings.LastIndexAny(path, `/\`)+1:])
	name, _, _ = strings.Cut(name, "@")
	for _, ending := range []string{".exe", ".cmd", ".bat", ".ps1", "-acp", "-agent", "-code", "-cli"} {
		name = strings.TrimSuffix(name, ending)
	}
	switch _, known := programs[name]; {
	case known:
		return name
	case slices.Contains(agents, name):
		return AnyAgent
	}
	return ""
}

// ProgramIn is [ProgramOf] of a command, which a launcher may start.
func ProgramIn(command []string) string {
	program := ProgramOf(command[0])
	for _, argument := range command[1:] {
		if program != "" || !slices.Contains(launchers, strings.TrimSuffix(command[0][strings.LastIndexAny(command[0], `/\`)+1:], ".exe")) {
			break
		}
		program = ProgramOf(argument)
	}
	return program
}

// launchers start the program that an argument names.
var launchers = strings.Fields("bun bunx deno docker env gh node npm npx pnpm podman python python3 sudo timeout uv uvx yarn")

// agents are programs that have no row of their own.
var agents = strings.Fields("agy aichat amp auggie cagent cline cn codebuddy codebuff crush devin droid fabric fast forge gptme grok happy iflow junie kilo kimi llm mods oco ollama omp openclaw " +
	"opencommit openhands plandex reasonix rovodev sgpt tgpt vibe")

// periodOf is how long a limit of a program lasts at most of which this is said.
func periodOf(program, text string) time.Duration {
	list := programs[program].periods
	if i := slices.IndexFunc(list, func(p period) bool { return p.words == nil || p.words().MatchString(text) }); i >= 0 {
		return list[i].length
	}
	return month.length // the longest known period
}
