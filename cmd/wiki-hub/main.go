// Command wiki-hub carries questions between machines. `wiki hub` starts it.
package main

import "vaultdispatcher/cmd/wiki-hub/serve"

func main() { serve.Main() }
