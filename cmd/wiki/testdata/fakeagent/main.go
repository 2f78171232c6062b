// fakeagent is the agent of the scripts as a program of its own.
package main

import "vaultdispatcher/cmd/wiki/testdata/fakeagent/agent"

func main() { agent.Run() }
