// Command workflow prints what a workflow of GitHub does, as a script of bash: for each job, once for each row of its
// matrix, `begin JOB`, then for each step `uses ACTION NAME=VALUE...` or `step NAME NAME=VALUE... -- COMMANDS`. Whoever
// runs the script says what these three do. Expressions get the values of the flags -set NAME=VALUE; one that names
// something else, or a job that needs one that has not been, is an error.
package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

func main() {
	values := map[string]string{}
	flag.Func("set", "`NAME=VALUE` of an expression", func(given string) error {
		name, value, found := strings.Cut(given, "=")
		values[name] = value
		if !found {
			return fmt.Errorf("%q has no =", given)
		}
		return nil
	})
	flag.Parse()
	if err := printScript(os.Stdin, os.Stdout, values); err != nil {
		fmt.Fprintln(os.Stderr, "workflow:", err)
		os.Exit(1)
	}
}

// workflow has those keys that say what is done; who may do what, and on which machines, are others.
type workflow struct {
	Env  map[string]string
	Jobs yaml.Node // in their order
}

type job struct {
	Needs    yaml.Node
	If       string
	Strategy struct {
		Matrix struct {
			Include []map[string]string
		}
	}
	Env   map[string]string
	Steps []step
}

type step struct {
	Name, Uses, Run, If string
	With, Env           map[string]string
}

func printScript(from io.Reader, to io.Writer, values map[string]string) error {
	var w workflow
	if err := yaml.NewDecoder(from).Decode(&w); err != nil {
		return err
	}
	done := map[string]bool{}
	for i := 0; i+1 < len(w.Jobs.Content); i += 2 {
		name := w.Jobs.Content[i].Value
		var j job
		if err := w.Jobs.Content[i+1].Decode(&j); err != nil {
			return fmt.Errorf("the job %s: %w", name, err)
		}
		if needs := j.Needs.Value; needs != "" && !done[needs] || len(j.Needs.Content) > 0 {
			return fmt.Errorf("the job %s needs others than one that stands before it", name)
		}
		if err := printJob(to, name, j, w.Env, values); err != nil {
			return fmt.Errorf("the job %s: %w", name, err)
		}
		done[name] = true
	}
	return nil
}

// printJob prints a job once for each row of its matrix.
func printJob(to io.Writer, name string, j job, env, values map[string]string) error {
	rows := j.Strategy.Matrix.Include
	if len(rows) == 0 {
		rows = []map[string]string{nil}
	}
	for _, row := range rows {
		of := maps.Clone(values)
		for key, value := range row {
			of["matrix."+key] = value
		}
		wanted, err := isMet(j.If, of)
		if err != nil {
			return err
		}
		if !wanted {
			continue
		}
		fmt.Fprintf(to, "begin %s\n", quoteWord(strings.Join(append([]string{name}, slices.Sorted(maps.Values(row))...), " ")))
		for _, s := range j.Steps {
			if err := printStep(to, s, []map[string]string{env, j.Env, s.Env}, of); err != nil {
				return err
			}
		}
	}
	return nil
}

func printStep(to io.Writer, s step, envs []map[string]string, values map[string]string) error {
	wanted, err := isMet(s.If, values)
	if err != nil || !wanted {
		return err
	}
	if s.Uses != "" {
		action, _, _ := strings.Cut(s.Uses, "@")
		with, err := listPairs(s.With, values)
		fmt.Fprintf(to, "uses %s%s\n", quoteWord(action), with)
		return err
	}
	all := map[string]string{}
	for _, env := range envs {
		maps.Copy(all, env)
	}
	pairs, err := listPairs(all, values)
	if err != nil {
		return err
	}
	commands, err := fillText(s.Run, values)
	fmt.Fprintf(to, "step %s%s -- %s\n", quoteWord(s.Name), pairs, quoteWord(commands))
	return err
}

// listPairs returns names with their values, as words of a command.
func listPairs(pairs, values map[string]string) (string, error) {
	var list strings.Builder
	for _, name := range slices.Sorted(maps.Keys(pairs)) {
		value, err := fillText(pairs[name], values)
		if err != nil {
			return "", err
		}
		list.WriteString(" " + quoteWord(name+"="+value))
	}
	return list.String(), nil
}

var expression = regexp.MustCompile(`\$\{\{ *(.*?) *\}\}`)

// fillText returns a text with the value of each expression in it.
func fillText(text string, values map[string]string) (string, error) {
	var err error
	filled := expression.ReplaceAllStringFunc(text, func(found string) string {
		name := expression.FindStringSubmatch(found)[1]
		value, ok := values[name]
		if !ok {
			err = fmt.Errorf("no value for %s was given", name)
		}
		return value
	})
	return filled, err
}

var comparison = regexp.MustCompile(`^([\w.]+) (==|!=) '([^']*)'$`)

// isMet reports whether a condition holds; an empty one does.
func isMet(condition string, values map[string]string) (bool, error) {
	if condition == "" {
		return true, nil
	}
	parts := comparison.FindStringSubmatch(condition)
	if parts == nil {
		return false, fmt.Errorf("the condition %q compares no value with a text", condition)
	}
	value, err := fillText("${{ "+parts[1]+" }}", values)
	return (value == parts[3]) == (parts[2] == "=="), err
}

// quoteWord returns a text as one word of bash.
func quoteWord(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
