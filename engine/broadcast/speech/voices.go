package speech

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/secret"
)

// Settings say what speaks.
type Settings struct {
	Engine  string   // auto (what this machine has), espeak-ng, say, sapi, command, server or none
	Command []string // for "command": text on its standard input, a WAV file on its standard output; {voice}, {lang} and {speed} are put in
	URL     string   // for "server": up to and without /audio/speech
	Model   string   // of the server
	Key     string   // of the server; "" = none
	KeyFrom string   // the variable that Key came from, for messages
	Voices  []string // the voices for an order that names none
}

// Missing says that nothing speaks, and what would.
type Missing struct{ Remedy string }

func (e *Missing) Error() string { return "there is no voice on this machine: " + e.Remedy }

// Open finds what speaks. No program is looked for inside of a vault.
func Open(s Settings, cache, vault string) (*Speaker, error) {
	v, err := findVoice(s, vault)
	if err != nil {
		return nil, err
	}
	return &Speaker{voice: v, voices: s.Voices, cache: cache}, nil
}

func findVoice(s Settings, vault string) (voice, error) {
	p := program{vault: vault}
	switch s.Engine {
	case "none":
		return nil, &Missing{"wiki.broadcast.speech.engine is none"}
	case "command":
		if len(s.Command) == 0 {
			return nil, &Missing{"wiki.broadcast.speech.command names none"}
		}
		p.label, p.argv, p.names = filepath.Base(s.Command[0]), s.Command, []string{"", ""}
		return p, nil
	case "server":
		return openServer(s)
	case "say":
		return p.asSay(), nil
	case "sapi":
		return p.asSAPI(), nil
	case "espeak-ng":
		return p.asEspeak(), nil
	}
	for _, known := range []program{p.asSay(), p.asSAPI(), p.asEspeak()} {
		if known.system != "" && known.system != runtime.GOOS {
			continue
		}
		if _, err := agent.Find(known.argv[0], nil, vault); err == nil {
			return known, nil
		}
	}
	return nil, &Missing{howToInstall(runtime.GOOS)}
}

// howToInstall says how a machine gets a voice.
func howToInstall(system string) string {
	switch system {
	case "darwin":
		return "/usr/bin/say is missing; brew install espeak-ng"
	case "windows":
		return "PowerShell is missing; winget install eSpeak-NG.eSpeak-NG"
	}
	return "install espeak-ng (apt install espeak-ng, dnf install espeak-ng, pacman -S espeak-ng), or name a server in wiki.broadcast.speech"
}

// program is a voice that is a program of this machine.
type program struct {
	label  string
	argv   []string // {voice}, {lang}, {speed} and {file} are put in
	names  []string // of its usual voices
	langs  bool     // it takes a language for a voice
	system string   // the only one that has it
	toFile bool     // it writes {file} instead of its standard output
	env    map[string]string
	vault  string
}

func (p program) asEspeak() program {
	p.label, p.names, p.langs = "espeak-ng", []string{"en-gb", "en-us+f3"}, true
	p.argv = []string{"espeak-ng", "--stdin", "--stdout", "-b", "1", "-v", "{voice}", "-s", "{speed}"}
	return p
}

func (p program) asSay() program {
	p.label, p.names, p.system, p.toFile = "say", []string{"Daniel", "Samantha"}, "darwin", true
	p.argv = []string{"/usr/bin/say", "-f", "-", "-v", "{voice}", "-r", "{speed}", "--file-format=WAVE", "--data-format=LEI16@22050", "-o", "{file}"}
	return p
}

// sapiScript is given everything in the environment: no text is ever part of it.
const sapiScript = `$ErrorActionPreference = 'Stop'
Add-Type -AssemblyName System.Speech
$s = New-Object System.Speech.Synthesis.SpeechSynthesizer
if ($env:WIKI_VOICE) { $s.SelectVoice($env:WIKI_VOICE) }
$s.Rate = [Math]::Max(-10, [Math]::Min(10, [Math]::Round(([int]$env:WIKI_SPEED - 170) / 12)))
$f = New-Object System.Speech.AudioFormat.SpeechAudioFormatInfo(22050, 'Sixteen', 'Mono')
$s.SetOutputToWaveFile($env:WIKI_FILE, $f)
$r = New-Object System.IO.StreamReader([Console]::OpenStandardInput(), [Text.Encoding]::UTF8)
$s.Speak($r.ReadToEnd())
$s.Dispose()`

func (p program) asSAPI() program {
	p.label, p.names, p.system, p.toFile = "the voice of Windows", []string{"Microsoft David Desktop", "Microsoft Zira Desktop"}, "windows", true
	p.argv = []string{"powershell.exe", "-NoProfile", "-NonInteractive", "-Command", sapiScript}
	p.env = map[string]string{"WIKI_VOICE": "{voice}", "WIKI_SPEED": "{speed}", "WIKI_FILE": "{file}"}
	return p
}

func (p program) voiceName() string { return p.label }

func (p program) leavesMachine() bool { return false }

// knowsLanguage reports whether a voice has a language: espeak-ng has those that are guessed
// (https://github.com/espeak-ng/espeak-ng/blob/master/docs/languages.md).
func (p program) knowsLanguage(lang string) bool { return p.langs && lang != "" }

// usualName is one of the usual voices; where it takes languages, the second of one is its female variant.
func (p program) usualName(number int, lang string) string {
	if lang == "" || !p.langs {
		return p.names[number%len(p.names)]
	}
	return lang + []string{"", "+f3"}[number%2]
}

// turnTime bounds one turn.
const turnTime = 2 * time.Minute

func (p program) speakText(ctx context.Context, text, name, lang string, speed int) ([]byte, error) {
	file := ""
	if p.toFile {
		dir, err := os.MkdirTemp("", "wiki-speech")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		file = filepath.Join(dir, "turn.wav")
	}
	fill := strings.NewReplacer("{voice}", name, "{lang}", lang, "{speed}", strconv.Itoa(speed), "{file}", file)
	run := agent.Program{Path: p.argv[0], Dir: os.TempDir(), Vault: p.vault, Input: text, Timeout: turnTime, Limit: 256 << 20, Env: make(map[string]string)}
	for _, a := range p.argv[1:] {
		run.Args = append(run.Args, fill.Replace(a))
	}
	for k, v := range p.env {
		run.Env[k] = fill.Replace(v)
	}
	ended, err := run.Run(ctx)
	switch {
	case err != nil:
		return nil, err
	case ended.Status != 0:
		return nil, fmt.Errorf("%s ended with %d: %s", p.label, ended.Status, secret.NewRedactor(secret.InCommand(p.argv)...).Redact(ended.Detail()))
	case p.toFile:
		return os.ReadFile(file)
	}
	return ended.Output, nil
}
