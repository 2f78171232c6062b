package acp

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/agent/replies"
	"vaultdispatcher/engine/patience"
	"vaultdispatcher/engine/wording"
)

// session is one conversation.
type session struct {
	agent    Agent
	task     agent.Task
	seal     replies.Seal
	dir      string
	client   *client
	lines    *lines
	mouth    *mouth
	conn     *sdk.ClientSideConnection
	response sdk.PromptResponse
	spent    agent.Usage

	waits atomic.Bool // for the answer to a prompt

	asking sync.WaitGroup // calls that still run after talk returned early
}

// talk is the conversation from the first message to the answer. It returns when
// stop has ended, whether or not the agent listens; run is the program's.
func (s *session) talk(run, stop context.Context, in io.Writer, out io.Reader) error {
	s.lines = newLines(out, s.client.countUpdates, func() bool { return !s.waits.Load() })
	s.mouth = &mouth{output: in}
	s.conn = sdk.NewClientSideConnection(s.client, s.mouth, s.lines)
	s.conn.SetLogger(slog.New(slog.DiscardHandler)) // it would log what notes say
	s.lines.begin()
	id, err := s.openSession(stop)
	if err != nil {
		return err
	}
	if err := s.sendPrompt(run, stop, id, s.seal.Ask(s.task.Prompt())); err != nil || !s.client.fellSilent() {
		return err
	}
	return s.sendPrompt(run, stop, id, toolsOff)
}

// toolsOff is said to an agent that ended its turn when it was refused a tool.
const toolsOff = "The tools are off here. Answer from the text above alone, without any tool, in the form that the task asks for."

// openSession greets the agent and begins a session.
func (s *session) openSession(stop context.Context) (sdk.SessionId, error) {
	hello := s.agent.hello
	if hello == 0 {
		hello = defaultHello
	}
	ctx, release := context.WithTimeoutCause(stop, hello, errSilent)
	defer release()
	greeting, err := s.conn.Initialize(ctx, sdk.InitializeRequest{
		ProtocolVersion: sdk.ProtocolVersionNumber,
		ClientInfo:      &sdk.Implementation{Name: "vault-dispatcher", Version: "1"},
		ClientCapabilities: sdk.ClientCapabilities{
			Fs: sdk.FileSystemCapabilities{ReadTextFile: s.agent.Tools == agent.ToolsRead},
		},
	})
	if err != nil {
		return "", s.findCause(ctx, err)
	}
	if v := greeting.ProtocolVersion; v != sdk.ProtocolVersionNumber {
		return "", permanentFailure(fmt.Sprintf("%s speaks version %d of the Agent Client Protocol, and version %d is needed",
			s.agent.programName(), v, sdk.ProtocolVersionNumber))
	}
	if err := s.agent.refuseReader(greeting.AgentInfo); err != nil {
		return "", err
	}
	begun, err := s.conn.NewSession(stop, sdk.NewSessionRequest{Cwd: s.dir, McpServers: s.offerDesk(greeting)})
	if err != nil {
		return "", s.findCause(stop, err)
	}
	if err := s.chooseModel(stop, &begun); err != nil { // first: a model may not have every mode
		return "", err
	}
	return begun.SessionId, s.chooseMode(stop, begun)
}

// findModels returns where the model of a session is chosen: claude-agent-acp 0.101 and codex-acp 2.6 have an option
// for it, older agents a list (https://agentclientprotocol.com/protocol/session-config-options).
func findModels(begun sdk.NewSessionResponse) (choice, bool) {
	if c, ok := findOption(sdk.SessionConfigOptionCategoryModel, begun.ConfigOptions); ok || begun.Models == nil {
		return c, ok
	}
	var c choice
	for _, m := range begun.Models.AvailableModels {
		c.values = append(c.values, string(m.ModelId))
	}
	return c, true
}

// chooseModel sets the model of the role, if it has one, and notes in begun what that changes.
func (s *session) chooseModel(ctx context.Context, begun *sdk.NewSessionResponse) error {
	model := s.agent.Model
	if model == "" {
		return nil
	}
	c, ok := findModels(*begun)
	if !ok {
		return permanentFailure(s.agent.programName() + " cannot be told which model to use; remove model from the role")
	}
	if !slices.Contains(c.values, model) {
		return permanentFailure(wording.Clip(fmt.Sprintf("%s does not have the model %q; it has %s", s.agent.programName(), model, strings.Join(c.values, ", "))))
	}
	if c.option == "" {
		_, err := s.conn.UnstableSetSessionModel(ctx, sdk.UnstableSetSessionModelRequest{SessionId: begun.SessionId, ModelId: sdk.UnstableModelId(model)})
		return s.findCause(ctx, err)
	}
	changed, err := s.setOption(ctx, begun.SessionId, c.option, model)
	if err == nil {
		begun.ConfigOptions = changed
	}
	return s.findCause(ctx, err)
}

// sendPrompt says text, and cancels the session when stop ends before there is an answer.
func (s *session) sendPrompt(run, stop context.Context, id sdk.SessionId, text string) error {
	s.client.listenTo(id)
	answered := make(chan error, 1)
	s.waits.Store(true)
	s.asking.Go(func() {
		defer s.waits.Store(false)
		var err error
		s.response, err = s.conn.Prompt(run, sdk.PromptRequest{SessionId: id, Prompt: []sdk.ContentBlock{sdk.TextBlock(text)}})
		answered <- err
	})
	select {
	case err := <-answered:
		if err == nil && s.client.hasLeft() {
			return s.explainLeaving()
		}
		if u := s.response.Usage; u != nil && err == nil {
			s.spent = s.spent.Plus(agent.Usage{Model: s.agent.Model, Input: int64(u.InputTokens), Output: int64(u.OutputTokens)})
		}
		return s.findCause(stop, err)
	case <-s.client.full:
	case <-s.client.departure:
	case <-stop.Done():
	}
	// An agent that does not read its input must not hold the cancelling up.
	s.asking.Go(func() { _ = s.conn.Cancel(run, sdk.CancelNotification{SessionId: id}) })
	select {
	case <-answered:
	case <-time.After(cmp.Or(s.agent.words, patience.Of(defaultWords))):
	}
	select {
	case <-stop.Done():
		return context.Cause(stop)
	case <-s.client.departure:
		return s.explainLeaving()
	default:
		return errTooMuch
	}
}

// findCause tells an agent's refusal from the end of the run and of the agent.
func (s *session) findCause(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	select {
	case <-s.conn.Done():
		return errGone
	default:
	}
	if s.mouth.shut.Load() {
		return errGone
	}
	return err
}

// wait returns when all that the conversation started has ended. The program has
// ended by then, and with it what was read from it.
func (s *session) wait() {
	if s.conn != nil {
		<-s.conn.Done()
	}
	s.asking.Wait()
}
