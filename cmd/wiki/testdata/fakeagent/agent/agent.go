// Package agent is the agent of the scripts, which does as its arguments say. It imports little, for it is started
// for each question: a program that holds the product takes ten times as long to start.
package agent

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// Run is the agent: it logs each run to $LOG and then does
// what its first argument says.
func Run() {
	prompt := make([]byte, 0, 1<<16)
	for buf := make([]byte, 1<<16); ; {
		n, err := os.Stdin.Read(buf)
		if prompt = append(prompt, buf[:n]...); err != nil {
			break
		}
	}
	Logged(fmt.Sprintf("run %s\n", strings.Join(os.Args[1:], " ")))
	if err := os.WriteFile(os.Getenv("LOG")+".prompt", prompt, 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	switch mode := os.Args[1]; mode {
	case "say":
		fmt.Print(os.Args[2])
	case "later":
		fmt.Print("yes")
	case "echo":
		echo(string(prompt))
	case "each": // one answer per request, as JSON
		fmt.Print(Responses(strings.Count(string(prompt), "\nRequest "), 0))
	case "short": // one answer too few, and again after the repair
		fmt.Print(Responses(strings.Count(string(prompt), "\nRequest "), -1))
	case "long":
		fmt.Print(Responses(strings.Count(string(prompt), "\nRequest "), 1))
	case "broken":
		fmt.Print(`Certainly! {"responses":[{"request":1,"answer":"cut o`)
	case "repaired": // broken at first, right when asked again
		repaired(string(prompt))
	case "fail":
		fmt.Fprintln(os.Stderr, "first line")
		fmt.Fprintln(os.Stderr, "the model is on holiday")
		os.Exit(3)
	case "reveal": // what a variable holds, as programs and their servers do
		key := os.Getenv(os.Args[2])
		fmt.Printf("{\"error\":\"bad key %s\"}\n", strings.ReplaceAll(key, "/", `\/`))
		fmt.Fprintf(os.Stderr, "401: Incorrect API key provided: %q, beginning with %s\n", key, key[:24])
		os.Exit(3)
	case "hang":
		hang()
	case "stay":
		stay()
	case "ansi":
		fmt.Print("\x1b[1;32mgreen\x1b[0m \x1b]8;;https://example.com\x07link\x1b]8;;\x07\x1b[K done\n")
	case "flood":
		for line := strings.Repeat("x", 1<<20) + "\n"; ; {
			if _, err := os.Stdout.WriteString(line); err != nil {
				return
			}
			if Logged("flood\n") >= 50 {
				return
			}
		}
	case "paragraph": // repeats what it was shown when the file appears
		Await(os.Args[2])
		for _, word := range []string{"alpha", "beta"} {
			if strings.Contains(string(prompt), "\n"+word+"\n") {
				fmt.Print(word)
			}
		}
	case "file": // says what the file holds
		said, _ := os.ReadFile(os.Args[2])
		os.Stdout.Write(said)
	case "wait": // answers when the file appears
		Await(os.Args[2])
		fmt.Print(os.Args[3])
	}
}

// Await returns when the file exists, and ends the agent when its folder is gone:
// the script is over.
func Await(file string) {
	for ; ; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(file); err == nil {
			return
		}
		if _, err := os.Stat(filepath.Dir(file)); err != nil {
			os.Exit(1)
		}
	}
}

// Logged appends to $LOG and returns how many lines of that text it holds.
func Logged(line string) int {
	f, err := os.OpenFile(os.Getenv("LOG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer f.Close()
	fmt.Fprint(f, line)
	data, _ := os.ReadFile(os.Getenv("LOG"))
	return strings.Count(string(data), line)
}

// Responses is the reply to n requests, with more or fewer answers than asked.
func Responses(n, more int) string {
	if n < 1 {
		n = 1
	}
	var list []string
	for i := range n + more {
		list = append(list, fmt.Sprintf(`{"request":%d,"answer":"answer %d"}`, i+1, i+1))
	}
	return `{"responses":[` + strings.Join(list, ",") + `]}`
}

func repaired(prompt string) {
	if Logged("mended\n") == 1 {
		fmt.Print("no JSON today")
		return
	}
	fmt.Print(Responses(3, 0))
}

// hang ignores a polite end, as some agents do, and has a child that does the
// same and would outlive it.
func hang() {
	child := exec.Command("fake-agent", "stay")
	if err := child.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	stay()
}

// stay logs the process and keeps it there, until the script is over.
func stay() {
	signal.Ignore(syscall.SIGTERM)
	Logged(fmt.Sprintf("pid %s %d\n", os.Args[1], os.Getpid()))
	Await(os.Getenv("LOG") + ".never")
}

var request = regexp.MustCompile(`(?ms)^Request (\d+) \(Line \d+\): (.*?)\nContext: `)

// echo answers every request with its own question, and logs the beginning and
// the end of the run.
func echo(prompt string) {
	var list, asked []string
	for _, m := range request.FindAllStringSubmatch(prompt, -1) {
		question := strings.Replace(strings.Join(strings.Fields(m[2]), " "), "question of three", "question", 1) // of one to three lines
		list = append(list, fmt.Sprintf(`{"request":%s,"answer":"answer to %s"}`, m[1], question))
		asked = append(asked, question)
	}
	Logged("begin " + strings.Join(asked, " ") + "\n")
	<-time.After(time.Duration(rand.IntN(80)) * time.Millisecond)
	Logged("end " + strings.Join(asked, " ") + "\n")
	fmt.Print(`{"responses":[` + strings.Join(list, ",") + `]}`)
}
