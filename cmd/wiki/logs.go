package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"vaultdispatcher/engine/api"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/service/host"
	"vaultdispatcher/service/logfile"
)

// logsCommand shows what the engine has written. It asks no engine: the log says
// most when there is none.
func (a *app) logsCommand() *cobra.Command {
	var follow, supervisor bool
	var lines int
	cmd := &cobra.Command{
		Use:   "logs",
		Short: "What the engine has done; -f goes on as it does more",
		Args:  none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := between("lines", lines, 0, 1_000_000); err != nil {
				return err
			}
			state, err := config.StateDir()
			if err != nil {
				return err
			}
			file := host.EngineLog(state)
			if supervisor {
				file = host.ServiceLog(state)
			}
			reader := logfile.NewReader(file)
			found, err := reader.Last(lines)
			if err != nil {
				return fmt.Errorf("read the log: %w", err)
			}
			if len(found) == 0 && lines > 0 && !follow {
				fmt.Fprintf(a.stderr, "wiki: nothing is written in %s\n", file)
			}
			for _, line := range found {
				if err := a.printLine(line); err != nil {
					return err
				}
			}
			if !follow {
				return nil
			}
			return reader.Follow(cmd.Context(), a.printLine)
		},
	}
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "go on until Ctrl-C")
	cmd.Flags().IntVarP(&lines, "lines", "n", 50, "how `many` of the last lines")
	cmd.Flags().BoolVar(&supervisor, "service", false, "what an engine printed that a login service started without systemd")
	return cmd
}

// printLine prints one line of the log, as it is with --json.
func (a *app) printLine(line []byte) error {
	text := string(line)
	if !a.json {
		text = readable(line)
	}
	_, err := fmt.Fprintln(a.stdout, text)
	return err
}

// readable is a line of the log for a person: the time here, the level, what
// happened and its particulars.
func readable(line []byte) string {
	l := logLine(line)
	if l.Time.IsZero() {
		return l.Text
	}
	return fmt.Sprintf("%s %-5s %s", l.Time.Local().Format(time.DateTime), l.Level, l.Text)
}

// logLine takes a line of the log apart. One that is none of ours is all text.
func logLine(line []byte) api.LogLine {
	var record map[string]json.RawMessage
	var begin struct {
		Time  time.Time
		Level string
		Msg   string
	}
	if json.Unmarshal(line, &record) != nil || json.Unmarshal(line, &begin) != nil {
		return api.LogLine{Text: visible(string(line))}
	}
	var b strings.Builder
	b.WriteString(visible(begin.Msg))
	for _, key := range slices.Sorted(maps.Keys(record)) {
		if key == "time" || key == "level" || key == "msg" {
			continue
		}
		var value string
		if json.Unmarshal(record[key], &value) != nil {
			value = string(record[key])
		} else if value == "" || strings.ContainsFunc(value, func(r rune) bool { return r == ' ' || r == '"' || !unicode.IsPrint(r) }) {
			value = strconv.Quote(value)
		}
		fmt.Fprintf(&b, " %s=%s", visible(key), value)
	}
	return api.LogLine{Time: begin.Time, Level: visible(begin.Level), Text: b.String()}
}

// visible keeps what is in a file from steering the terminal.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || r == '\t' {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}
