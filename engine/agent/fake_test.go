package agent

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// play is the agent program this test binary turns into.
func play(role string) int {
	switch role {
	case "echo":
		_, _ = io.Copy(os.Stdout, os.Stdin)
	case "complains":
		_, _ = io.Copy(os.Stderr, os.Stdin)
	case "complains, exit 1":
		_, _ = io.Copy(os.Stderr, os.Stdin)
		return 1
	case "count":
		n, _ := io.Copy(io.Discard, os.Stdin)
		fmt.Print(n)
	case "deaf":
		fmt.Print("did not listen")
	case "closes stdin":
		_, _ = io.CopyN(io.Discard, os.Stdin, 10)
		_ = os.Stdin.Close()
		fmt.Print("heard enough")
	case "chatters":
		line := []byte(strings.Repeat("log ", 200) + "\n")
		for range 20 << 10 {
			_, _ = os.Stderr.Write(line)
		}
		fmt.Print("answer")
	case "exit 3":
		fmt.Fprint(os.Stderr, "first\n10%\r\x1b[31mthe last line\x1b[0m\n\n \x1b[0m\n")
		return 3
	case "exit 3 on stdout":
		fmt.Print("hello\nplease log in\n")
		return 3
	case "shouts":
		fmt.Fprintln(os.Stderr, strings.Repeat("é", 300))
		return 1
	case "seals":
		prompt, _ := io.ReadAll(os.Stdin)
		_, word, asked := strings.Cut(string(prompt), "only BEGIN")
		word, _, _ = strings.Cut(word, " ")
		fmt.Print(strings.NewReplacer("(", "BEGIN"+word, ")", "END"+word).Replace(strings.Join(os.Args[1:], "\n")))
		if !asked {
			fmt.Print("nothing was asked for")
		}
	case "args":
		fmt.Print(strings.Join(os.Args[1:], "\n"))
	case "cwd":
		dir, _ := os.Getwd()
		fmt.Print(dir)
	case "env":
		fmt.Print(strings.Join(os.Environ(), "\n") + "\n")
	case "50 MB":
		print50(50)
	case "asks at the terminal", "has its child ask":
		return playAsking(role)
	case "leaves a daemon":
		return playDaemon()
	case "endless":
		for {
			print50(50)
		}
	default:
		return playTree(role)
	}
	return 0
}

// playAsking asks whether to trust a folder, as agents do, and says why it cannot.
func playAsking(role string) int {
	if role == "has its child ask" {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), fake+"=asks at the terminal")
		child.Stderr = os.Stderr
		_ = child.Run()
		return child.ProcessState.ExitCode()
	}
	terminal, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 3
	}
	fmt.Fprint(terminal, "Do you trust the files in this folder? (y/n) ")
	_, _ = terminal.Read(make([]byte, 1))
	return 0
}

func print50(megabytes int) {
	block := bytes.Repeat([]byte("x"), 1<<20)
	for range megabytes {
		_, _ = os.Stdout.Write(block)
	}
}

// playTree are the roles about staying alive. With a first argument they leave
// the process id that stays longest in that file.
func playTree(role string) int {
	file := strings.Join(os.Args[1:], "")
	switch role {
	case "hang":
		fmt.Fprintln(os.Stderr, "still thinking")
		leave(file, os.Getpid())
	case "ignores TERM":
		signal.Ignore(syscall.SIGTERM)
		leave(file, os.Getpid())
	case "leaves a child", "leaves a child and hangs":
		child := exec.Command(os.Args[0], file)
		child.Env = append(os.Environ(), fake+"=ignores TERM")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			return 9
		}
		fmt.Print("answer of the parent")
		if role == "leaves a child" {
			for { // the child is up when its file is there
				if data, _ := os.ReadFile(file); len(data) > 0 {
					return 0
				}
				<-time.After(5 * time.Millisecond)
			}
		}
	default:
		return 8
	}
	<-time.After(time.Hour)
	return 0
}

func leave(file string, pid int) {
	if file != "" {
		_ = os.WriteFile(file, fmt.Appendf(nil, "%d\n", pid), 0o600)
	}
}
