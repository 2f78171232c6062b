package speech

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"vaultdispatcher/engine/files"
	"vaultdispatcher/engine/modelhttp"
	"vaultdispatcher/engine/secret"
)

// server is a voice behind OpenAI's interface (https://platform.openai.com/docs/api-reference/audio/createSpeech),
// as Kokoro and Speaches serve it, too.
type server struct {
	address, model, key string
	isNear              bool
	client              *modelhttp.Client
}

func openServer(s Settings) (voice, error) {
	u, err := url.Parse(s.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, &Missing{"wiki.broadcast.speech.url is no address of a server"}
	}
	key, err := secret.ReadKey(s.KeyFrom, s.Key)
	if err != nil {
		return nil, &Missing{err.Error()}
	}
	ip := net.ParseIP(u.Hostname())
	isNear := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	return &server{address: strings.TrimSuffix(u.String(), "/") + "/audio/speech", model: s.Model, key: key, isNear: isNear, client: modelhttp.NewClient(1)}, nil
}

func (s *server) voiceName() string { return "the voice at " + s.address }

func (s *server) leavesMachine() bool { return !s.isNear }

func (s *server) knowsLanguage(string) bool { return false } // it is told none: its models find that out

func (s *server) usualName(number int, _ string) string { return []string{"alloy", "nova"}[number%2] }

const mostSound = 256 << 20

func (s *server) speakText(ctx context.Context, text, name, _ string, speed int) ([]byte, error) {
	ctx, stop := context.WithTimeout(ctx, turnTime)
	defer stop()
	resp, err := s.client.Post(ctx, s.address, s.key, struct {
		Model  string  `json:"model"`
		Input  string  `json:"input"`
		Voice  string  `json:"voice"`
		Format string  `json:"response_format"`
		Speed  float64 `json:"speed"`
	}{s.model, text, name, "wav", float64(speed) / WordsPerMinute})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.voiceName(), modelhttp.RootCause(err))
	}
	defer resp.Body.Close()
	sound, isWhole, err := files.ReadLimited(resp.Body, mostSound)
	if err == nil && !isWhole {
		err = errors.New("the sound is too long")
	}
	return sound, err
}
