package acp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	sdk "github.com/coder/acp-go-sdk"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/files"
)

const (
	maxAnswer = 8 << 20
	maxFile   = 8 << 20
)

// client is what the agent sees of us: it gathers the answer, and refuses.
type client struct {
	read bool   // files below root may be read
	root string // of the vault

	limit int           // bytes of the answer
	full  chan struct{} // closed when there are more

	mu      sync.Mutex // guards the fields below
	id      sdk.SessionId
	text    strings.Builder
	earlier string // said before a tool was used
	updates int    // updates
	refused bool   // a tool, and nothing was said since
	desk    string // how the agent knows the engine's desk; "" = it was not told of it
	mode    string // the mode that a session must keep; "" = any
	leftFor string // the mode that a session changed to

	listener func(text string) // receives the answer so far; nil = no listener

	departure chan struct{} // closed when a session left its mode
}

func newClient(a Agent, root string) *client {
	c := &client{read: a.Tools == agent.ToolsRead, root: root, limit: a.limit, full: make(chan struct{}), departure: make(chan struct{})}
	if c.limit == 0 {
		c.limit = maxAnswer
	}
	return c
}

// listenTo says which session the answer comes in.
func (c *client) listenTo(id sdk.SessionId) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.id = id
}

// hush ends the listening to the answer.
func (c *client) hush() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.listener = nil
}

// countUpdates counts the updates that came.
func (c *client) countUpdates() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.updates
}

// lastMessage is what the agent said last.
func (c *client) lastMessage() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if text := c.text.String(); strings.TrimSpace(text) != "" {
		return text
	}
	return c.earlier
}

// SessionUpdate gathers the answer.
func (c *client) SessionUpdate(_ context.Context, n sdk.SessionNotification) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.updates++
	u := n.Update
	c.noticeMode(u)
	switch {
	case n.SessionId != c.id:
	case u.ToolCall != nil && strings.TrimSpace(c.text.String()) != "":
		c.earlier = c.text.String()
		c.text.Reset()
	case u.AgentMessageChunk != nil && u.AgentMessageChunk.Content.Text != nil && c.text.Len() <= c.limit:
		c.text.WriteString(u.AgentMessageChunk.Content.Text.Text)
		if c.text.Len() > c.limit {
			close(c.full)
		} else if c.listener != nil {
			c.listener(c.text.String())
		}
	}
	return nil
}

// RequestPermission gives leave, once, to read files below the vault when the
// role may read, and to ask the desk that it was told of, and to nothing else.
func (c *client) RequestPermission(_ context.Context, r sdk.RequestPermissionRequest) (sdk.RequestPermissionResponse, error) {
	wanted := []sdk.PermissionOptionKind{sdk.PermissionOptionKindRejectOnce, sdk.PermissionOptionKindRejectAlways}
	if c.mayRead(r.ToolCall) || c.asksDesk(r.ToolCall) {
		wanted = []sdk.PermissionOptionKind{sdk.PermissionOptionKindAllowOnce}
	}
	if wanted[0] != sdk.PermissionOptionKindAllowOnce {
		c.noteRefusal()
	}
	for _, kind := range wanted {
		for _, o := range r.Options {
			if o.Kind == kind {
				return sdk.RequestPermissionResponse{Outcome: sdk.NewRequestPermissionOutcomeSelected(o.OptionId)}, nil
			}
		}
	}
	return sdk.RequestPermissionResponse{Outcome: sdk.NewRequestPermissionOutcomeCancelled()}, nil
}

// noteRefusal remembers that a tool was refused. What was said so far was said before it.
func (c *client) noteRefusal() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refused = true
	if text := c.text.String(); strings.TrimSpace(text) != "" {
		c.earlier = text
		c.text.Reset()
	}
}

// fellSilent reports whether the agent has said nothing since a tool was refused to it,
// once: the next answer is taken as it comes.
func (c *client) fellSilent() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	silent := c.refused && strings.TrimSpace(c.text.String()) == ""
	c.refused = false
	return silent
}

// mayRead reports whether a tool only reads, and only what it may.
func (c *client) mayRead(call sdk.ToolCallUpdate) bool {
	if !c.read || call.Kind == nil || *call.Kind != sdk.ToolKindRead || len(call.Locations) == 0 {
		return false
	}
	for _, l := range call.Locations {
		f, err := c.openInVault(l.Path)
		if err != nil {
			return false
		}
		f.Close()
	}
	return true
}

// ReadTextFile reads a file below the vault.
func (c *client) ReadTextFile(_ context.Context, r sdk.ReadTextFileRequest) (sdk.ReadTextFileResponse, error) {
	if !c.read {
		return sdk.ReadTextFileResponse{}, refuseCall("reading files is not allowed here")
	}
	f, err := c.openInVault(r.Path)
	if err != nil {
		return sdk.ReadTextFileResponse{}, err
	}
	defer f.Close()
	data, isWhole, err := files.ReadLimited(f, maxFile)
	switch {
	case err != nil:
		return sdk.ReadTextFileResponse{}, refuseCall("the file cannot be read")
	case !isWhole:
		return sdk.ReadTextFileResponse{}, refuseCall(fmt.Sprintf("the file is larger than %d MiB", maxFile>>20))
	}
	return sdk.ReadTextFileResponse{Content: cutLines(strings.ToValidUTF8(string(data), "\uFFFD"), r.Line, r.Limit)}, nil
}

// openInVault opens a regular file below the vault. It refuses hidden files, files in hidden folders, and links to
// them or out of the vault. The error tells nothing about files outside of the vault.
func (c *client) openInVault(path string) (*os.File, error) {
	outside := refuseCall("only files of the vault can be read")
	rel, ok := c.pathInVault(path)
	if !ok {
		return nil, outside
	}
	if real, err := filepath.EvalSymlinks(filepath.Join(c.root, rel)); err == nil {
		if _, ok := c.pathInVault(real); !ok {
			return nil, outside
		}
	}
	root, err := os.OpenRoot(c.root)
	if err != nil {
		return nil, refuseCall("the vault cannot be read")
	}
	defer root.Close()
	info, err := root.Stat(rel)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoFile
	}
	if err != nil || !info.Mode().IsRegular() { // a pipe would be waited for
		return nil, outside
	}
	f, err := root.Open(rel)
	if err != nil {
		return nil, outside
	}
	return f, nil
}

// pathInVault returns the path in the vault of an absolute one. The agent may know the
// vault by the name that links lead to.
func (c *client) pathInVault(path string) (string, bool) {
	roots := []string{c.root}
	if real, err := filepath.EvalSymlinks(c.root); err == nil {
		roots = append(roots, real)
	}
	for _, root := range roots {
		rel, err := filepath.Rel(root, path)
		if err != nil || !filepath.IsAbs(path) || !filepath.IsLocal(rel) || rel == "." {
			continue
		}
		for _, name := range strings.Split(filepath.ToSlash(rel), "/") {
			if strings.HasPrefix(name, ".") {
				return "", false
			}
		}
		return rel, true
	}
	return "", false
}

// cutLines returns the lines from one on, counted from 1, and at most limit of them.
func cutLines(text string, line, limit *int) string {
	if line == nil && limit == nil {
		return text
	}
	all := strings.SplitAfter(text, "\n")
	from, most := 0, len(all)
	if line != nil {
		from = min(max(*line-1, 0), len(all))
	}
	if limit != nil {
		most = max(*limit, 0)
	}
	return strings.Join(all[from:min(len(all), from+min(most, len(all)))], "")
}

func refuseCall(reason string) error { return &sdk.RequestError{Code: -32003, Message: reason} }

// errNoFile has the protocol's code for a missing file: an agent that looks before it writes then asks for leave.
var errNoFile = &sdk.RequestError{Code: -32002, Message: "there is no such file"}

var errNotOffered = refuseCall("writing and terminals are not allowed here")

// WriteTextFile refuses.
func (c *client) WriteTextFile(context.Context, sdk.WriteTextFileRequest) (sdk.WriteTextFileResponse, error) {
	return sdk.WriteTextFileResponse{}, errNotOffered
}

// CreateTerminal refuses.
func (c *client) CreateTerminal(context.Context, sdk.CreateTerminalRequest) (sdk.CreateTerminalResponse, error) {
	return sdk.CreateTerminalResponse{}, errNotOffered
}

// KillTerminal refuses: the client offers no terminal.
func (c *client) KillTerminal(context.Context, sdk.KillTerminalRequest) (sdk.KillTerminalResponse, error) {
	return sdk.KillTerminalResponse{}, errNotOffered
}

// TerminalOutput refuses: the client offers no terminal.
func (c *client) TerminalOutput(context.Context, sdk.TerminalOutputRequest) (sdk.TerminalOutputResponse, error) {
	return sdk.TerminalOutputResponse{}, errNotOffered
}

// ReleaseTerminal refuses: the client offers no terminal.
func (c *client) ReleaseTerminal(context.Context, sdk.ReleaseTerminalRequest) (sdk.ReleaseTerminalResponse, error) {
	return sdk.ReleaseTerminalResponse{}, errNotOffered
}

// WaitForTerminalExit refuses: the client offers no terminal.
func (c *client) WaitForTerminalExit(context.Context, sdk.WaitForTerminalExitRequest) (sdk.WaitForTerminalExitResponse, error) {
	return sdk.WaitForTerminalExitResponse{}, errNotOffered
}
