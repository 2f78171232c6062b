// Package team has the commands for more than one machine: wiki hub, wiki worker and wiki workers.
package team

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vaultdispatcher/cmd/wiki/command"
	"vaultdispatcher/cmd/wiki/printable"
	"vaultdispatcher/engine/config/place"
	"vaultdispatcher/engine/launch"
	"vaultdispatcher/engine/queue"
	"vaultdispatcher/engine/queue/keyring"
	"vaultdispatcher/engine/roles"
	"vaultdispatcher/engine/syserr"
	"vaultdispatcher/service"
)

func logger(a *command.App) *slog.Logger {
	return slog.New(slog.NewTextHandler(a.Stderr, &slog.HandlerOptions{ReplaceAttr: syserr.ForPeople}))
}

// Commands returns all of them.
func Commands(a *command.App) []*cobra.Command {
	return []*cobra.Command{hubCommand(a), workerCommand(a), workersCommand(a)}
}

func hubCommand(a *command.App) *cobra.Command {
	listen := ""
	cmd := &cobra.Command{
		Use:   "hub",
		Short: "Carry questions to other machines",
		Long: "Runs the server that carries questions to workers on other machines, until Ctrl-C. It carries those\n" +
			"of each role with the runner worker. It listens on " + keyring.Usual + ", or where wiki.hub.listen or\n" +
			"--listen says. Every connection is encrypted, and only machines that joined with a token get in. The\n" +
			"program wiki-hub, which is beside wiki, does this.",
		Example: "  wiki hub --listen 0.0.0.0:11437\n  wiki hub token --roles Writer",
		RunE: func(*cobra.Command, []string) error {
			program := service.FindProgram("wiki-hub")
			if program == "" {
				return command.Fail("put it beside wiki: every package has it, and go build ./cmd/wiki-hub makes it of the source",
					"the hub is a program of its own, wiki-hub, which is neither beside this one nor on the PATH")
			}
			var args []string
			for name, value := range map[string]string{"--config": a.ConfigFile, "--listen": listen} {
				if value != "" {
					args = append(args, name, value)
				}
			}
			return launch.Become(program, args...)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "", "listen on this `address`, such as 0.0.0.0:11437")
	cmd.AddCommand(tokenCommand(a))
	return cmd
}

// openRing returns the keys of this user's hub.
func openRing() (*keyring.Ring, error) {
	state, err := place.StateDir()
	if err != nil {
		return nil, err
	}
	return keyring.Open(state)
}

// token is what `wiki hub token` prints.
type token struct {
	Token     string   `json:"token"`
	Addresses []string `json:"addresses"`
}

func tokenCommand(a *command.App) *cobra.Command {
	var named, labels, addresses []string
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Print a token that lets one machine join, once, within 15 minutes",
		Long: "Prints a token for wiki worker join on the other machine. With --roles or --labels that machine is\n" +
			"asked nothing else.",
		RunE: func(*cobra.Command, []string) error {
			cfg, err := a.Config()
			if err != nil {
				return err
			}
			ring, err := openRing()
			if err != nil {
				return err
			}
			listen, err := keyring.ListenAddress(ring.Address(), cfg.Queue.Hub)
			if err != nil {
				return err
			}
			if len(addresses) == 0 {
				addresses = reachable(listen)
			}
			t, err := ring.NewToken(addresses, lanesOf(named, labels))
			if err != nil {
				return err
			}
			return a.Show(token{t.String(), addresses}, func(w io.Writer) {
				printable.Fprintln(w, t.String())
				a.Hint("on the other machine: wiki worker join and this token; it finds the hub at %s", strings.Join(addresses, " or "))
			})
		},
	}
	cmd.Flags().StringSliceVar(&named, "roles", nil, "the `roles` it may answer, instead of all")
	cmd.Flags().StringSliceVar(&labels, "labels", nil, "the `labels` it may have")
	cmd.Flags().StringSliceVar(&addresses, "address", nil, "where that machine finds the hub: an `address` with its port")
	return cmd
}

// lanesOf are the lanes of roles and labels.
func lanesOf(named, labels []string) []string {
	var lanes []string
	for _, r := range named {
		lanes = append(lanes, queue.RoleLane(strings.TrimSpace(r)))
	}
	for _, l := range labels {
		lanes = append(lanes, queue.LabelLane(strings.TrimSpace(l)))
	}
	return lanes
}

// reachable are the addresses at which other machines find what listens here.
func reachable(listen string) []string {
	host, port, _ := net.SplitHostPort(listen) // the keyring has looked at it
	if ip := net.ParseIP(host); host != "" && (ip == nil || !ip.IsUnspecified()) {
		return []string{listen}
	}
	var found []string
	if name, err := os.Hostname(); err == nil {
		found = append(found, net.JoinHostPort(name, port))
	}
	own, _ := net.InterfaceAddrs() // its name may do
	for _, addr := range own {
		if ip, ok := addr.(*net.IPNet); ok && !ip.IP.IsLoopback() && !ip.IP.IsLinkLocalUnicast() {
			found = append(found, net.JoinHostPort(ip.IP.String(), port))
		}
	}
	return found
}

func workersCommand(a *command.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "workers",
		Short: "List the machines that answer for this one",
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := listWorkers(cmd.Context(), a)
			if err != nil {
				return err
			}
			return a.Show(append([]queue.Info{}, list...), func(w io.Writer) { printWorkers(w, list) }) // none is [], not null
		},
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "revoke NAME",
		Short: "Take away a machine's key, so that it is asked no more",
		Args:  command.TakesExactly(1, "wiki workers lists them"),
		RunE: func(_ *cobra.Command, args []string) error {
			ring, err := openRing()
			if err == nil {
				err = ring.Revoke(args[0])
			}
			if err == nil {
				a.Say("%s is not let in any more", args[0])
			}
			return err
		},
	})
	return cmd
}

// listWorkers are those that are there, and those that have joined and are away.
func listWorkers(ctx context.Context, a *command.App) ([]queue.Info, error) {
	cfg, err := a.Config()
	if err != nil {
		return nil, err
	}
	state, err := place.StateDir()
	if err != nil {
		return nil, err
	}
	c, err := roles.Credentials(cfg, state)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	list, err := queue.Workers(ctx, c)
	if err != nil {
		next := "is it switched on, and wiki hub running there?"
		if cfg.Queue.URL == "" && cfg.Queue.Credentials == "" {
			next = "wiki hub starts it"
		}
		return nil, fmt.Errorf("the hub at %s does not answer (%w); %s", c.Address(), err, next)
	}
	return append(list, joinedElsewhere(state, list)...), nil
}

// joinedElsewhere are the workers of the hub on this machine that are not there now.
func joinedElsewhere(state string, there []queue.Info) []queue.Info {
	if _, err := os.Stat(queue.HubFolder(state)); err != nil {
		return nil
	}
	ring, err := keyring.Open(state)
	if err != nil {
		return nil
	}
	known := make(map[string]bool)
	for _, i := range there {
		known[i.Name] = true
	}
	joined, _ := ring.Workers() // an unreadable ring has no workers
	var away []queue.Info
	for _, k := range joined {
		if !known[k.Name] {
			away = append(away, queue.Info{Name: k.Name, Lanes: k.Lanes})
		}
	}
	return away
}

func printWorkers(w io.Writer, list []queue.Info) {
	if len(list) == 0 {
		printable.Fprintln(w, "no machine has joined; wiki hub token prints what one joins with")
	}
	for _, i := range list {
		switch {
		case i.LastContact.IsZero():
			printable.Fprintf(w, "%s is away\n", i.Name)
			continue
		case i.Leaving:
			printable.Fprintf(w, "%s is leaving, ", i.Name)
		default:
			printable.Fprintf(w, "%s is there, ", i.Name)
		}
		printable.Fprintf(w, "%d of %d at work, takes %s, version %s, seen %s\n", i.Running, i.Slots, strings.Join(i.Lanes, " "), i.Version, i.LastContact.Local().Format("15:04:05"))
	}
}

// workerFile is what the joined machine has of its hub.
func workerFile() (string, error) {
	state, err := place.StateDir()
	return filepath.Join(state, "worker.json"), err
}

// readWorker returns the credentials of this machine as a worker.
func readWorker() (queue.Credentials, error) {
	file, err := workerFile()
	if err != nil {
		return queue.Credentials{}, err
	}
	c, err := queue.Read(file, "", "")
	if errors.Is(err, fs.ErrNotExist) {
		return c, errors.New("this machine has joined no hub; wiki hub token on the other machine prints a token, and wiki worker join takes it")
	}
	return c, err
}
