package agent

import "syscall"

func endWithStarter(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
