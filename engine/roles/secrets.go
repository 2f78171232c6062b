package roles

import (
	"context"
	"errors"
	"os"
	"slices"

	"vaultdispatcher/engine/agent"
	"vaultdispatcher/engine/config"
	"vaultdispatcher/engine/modelhttp"
	"vaultdispatcher/engine/secret"
)

// This file keeps the keys of a role out of what its runner says. Programs and servers repeat them: in a refusal, on
// standard error, as the name of a model.

// checkKeys refuses the keys of a role that no server would take.
func checkKeys(a config.Agent) error {
	if a.KeyEnv != "" {
		if _, err := secret.ReadKey(a.KeyEnv, modelhttp.FindKey(a.KeyEnv, a.Env)); err != nil {
			return err
		}
	}
	return secret.CheckEnv(a.Env)
}

// secretsOf returns what takes the keys of a role out of texts: those that it is given, also in its command, the key of its
// server, and the passwords of the proxies that every program is told of.
func secretsOf(a config.Agent) secret.Redactor {
	secrets := slices.Concat(secret.InEnv(a.Env), secret.InAddress(a.URL), secret.InCommand(a.Command))
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		secrets = append(secrets, secret.InAddress(os.Getenv(name))...)
	}
	return secret.NewRedactor(append(secrets, os.Getenv(a.KeyEnv), modelhttp.FindKey(a.KeyEnv, a.Env))...)
}

// hideSecrets returns a function that takes secrets out of what a run has brought back beside its answer.
func hideSecrets(r secret.Redactor) func(agent.Reply, error) (agent.Reply, error) {
	return func(reply agent.Reply, err error) (agent.Reply, error) {
		reply.Usage.Model = r.Redact(reply.Usage.Model)
		failure, ok := errors.AsType[*agent.Failure](err)
		if !ok {
			return reply, err
		}
		f := *failure
		f.Reason, f.Detail, f.Cut, f.Usage.Model = r.Redact(f.Reason), r.Redact(f.Detail), r.Redact(f.Cut), r.Redact(f.Usage.Model)
		return reply, &f
	}
}

// withoutSecrets is a runner in whose failures no secret is.
type withoutSecrets struct {
	agent.Runner
	secrets secret.Redactor
}

// Run implements [agent.Runner].
func (w withoutSecrets) Run(ctx context.Context, task agent.Task) (agent.Reply, error) {
	task.TellCall()
	return hideSecrets(w.secrets)(w.Runner.Run(ctx, task))
}
