package cmd_test

import (
	"cmp"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "vaultdispatcher"

// room is one line of the table of rooms: what a package may import besides the
// standard library. Tests may import more.
type room struct {
	ours    []string // our packages
	outside []string // modules, or packages of one
}

// rooms is the structure of the product. A package that is not here does not
// belong to it.
var rooms = map[string]room{
	"engine/proposal": {[]string{"engine/note/merge"}, []string{"github.com/rogpeppe/go-internal"}}, // what a person sees of a change before it is made; go-internal: diffs of lines, merge: of words
	"engine/notices":  {[]string{"engine/api", "engine/syserr"}, nil},
	"engine/mcp":      {nil, []string{"github.com/modelcontextprotocol/go-sdk"}},                                                       // the protocol by which other agents ask
	"engine/metrics":  {[]string{"engine/due", "engine/api/server", "engine/journal"}, []string{"github.com/VictoriaMetrics/metrics"}}, // numbers for Prometheus
	"engine/library": {[]string{"engine/agent/replies", "engine/config", "engine/config/glob", "engine/files", "engine/journal", "engine/mcp", "engine/note/filename", "engine/note/wikilink", "engine/notes", "engine/patience", "engine/recall", "engine/recall/cachefile", "engine/recall/page",
		"engine/sharing", "engine/vault/copies"}, []string{"golang.org/x/text"}}, // what they may read; text: a name has two forms; cachefile: the journal, beside no engine
	"engine/untaken":       {[]string{"engine/lazyregexp", "engine/note", "engine/note/unseen", "engine/wording"}, nil}, // what was asked and is not taken up
	"engine/untaken/board": {[]string{"engine/untaken"}, nil},                                                           // what looks have found of it
	"engine/news":          {[]string{"engine/journal", "engine/untaken"}, nil},                                         // what became of questions
	"engine/due":           {nil, nil},                                                                                  // one timer queue for all
	"engine/tally":         {[]string{"engine/api", "engine/budget", "engine/journal"}, nil},
	"engine/budget":        {[]string{"engine/api", "engine/config", "engine/wording"}, nil},                                                                                                                                                                   // what agents use in a day
	"engine/schedule":      {nil, []string{"github.com/robfig/cron/v3"}},                                                                                                                                                                                       // when a question comes again
	"engine/webhook":       {[]string{"engine/api", "engine/config", "engine/due", "engine/journal", "engine/lazyregexp", "engine/modelhttp", "engine/news", "engine/note/unseen", "engine/secret", "engine/sharing", "engine/syserr", "engine/wording"}, nil}, // tells a server what became of questions
	"engine/schedule/runs": {[]string{"engine/api", "engine/config", "engine/due", "engine/journal", "engine/note", "engine/schedule"}, nil},                                                                                                                   // asks the questions that come again
	"engine/daily":         {[]string{"engine/lazyregexp", "engine/note/apps"}, nil},                                                                                                                                                                           // which note is that of a day
	"engine/syserr":        {nil, nil},                                                                                                                                                                                                                         // what the system and SQLite say, in words for a person
	"engine/patience":      {nil, nil},                                                                                                                                                                                                                         // how long a person is kept waiting
	"engine/wording/times": {nil, nil},                                                                                                                                                                                                                         // and times in words
	"engine/wording":       {nil, nil},                                                                                                                                                                                                                         // what sentences are made of
	"engine/launch":        {nil, []string{"golang.org/x/sys/windows"}},                                                                                                                                                                                        // programs without a terminal
	"engine/lazyregexp":    {nil, nil},                                                                                                                                                                                                                         // regular expressions, compiled at their first use
	"engine/note":          {nil, []string{"github.com/yuin/goldmark", "go.yaml.in/yaml/v3", "golang.org/x/text"}},                                                                                                                                             // text: forms of letters; yaml: properties
	"engine/config/place":  {nil, nil},                                                                                                                                                                                                                         // where a person's configuration, state and cache are
	"engine/secret":        {[]string{"engine/lazyregexp"}, nil},                                                                                                                                                                                               // what must not be shown
	"engine/modelhttp":     {[]string{"engine/secret", "engine/files"}, nil},                                                                                                                                                                                   // one POST to a model behind a server
	"engine/watch/disk":    {nil, []string{"golang.org/x/sys", "golang.org/x/text"}},                                                                                                                                                                           // what a file system is and a folder holds
	"engine/watch/source":  {[]string{"engine/watch/disk"}, []string{"github.com/fsnotify/fsnotify", "golang.org/x/sys"}},                                                                                                                                      // where something may have happened
	"engine/watch":         {[]string{"engine/syserr", "engine/due", "engine/watch/disk", "engine/watch/source"}, []string{"golang.org/x/sys"}},
	"engine/asking": {[]string{"engine/syserr", "engine/lazyregexp", "engine/agent/replies", "engine/api", "engine/daily", "engine/journal", "engine/note", "engine/note/filename", "engine/note/wikilink", "engine/note/find", "engine/rewrite",
		"engine/wording"}, nil}, // questions that stand in no note
	"engine/rewrite/swap":    {nil, []string{"golang.org/x/sys"}},
	"engine/api":             {nil, nil},
	"engine/dashboard/plot":  {nil, nil},                    // pictures of numbers
	"engine/dashboard/setup": {[]string{"engine/api"}, nil}, // the data of the setup page, and its forms
	"engine/api/rows":        {[]string{"engine/api", "engine/wording"}, nil},
	"engine/api/peer":        {nil, []string{"golang.org/x/sys"}}, // the user at the other end of a connection
	"assets":                 {nil, nil},
	"engine/files":           {nil, []string{"golang.org/x/sys"}}, // small files that several programs read
	"service":                {[]string{"engine/due", "engine/launch", "engine/syserr", "engine/files"}, []string{"github.com/kardianos/service", "golang.org/x/sys"}},
	"service/logfile":        {[]string{"engine/due", "engine/wording"}, []string{"golang.org/x/sys/windows"}},                                                                                                                                                                                                                                       // where the logs lie, and their lines
	"service/host":           {[]string{"engine/syserr", "engine", "engine/api", "engine/api/client", "engine/api/listen", "engine/config", "engine/config/place", "engine/dashboard", "engine/due", "engine/files", "engine/news", "engine/roles", "assets", "service/logfile", "engine/watch/disk", "engine/watch/source", "engine/wording"}, nil}, // the engine in this process

	"engine/config":            {[]string{"engine/schedule", "engine/wording", "engine/wording/times", "engine/config/runners", "engine/lazyregexp", "engine/config/glob", "engine/config/place", "engine/config/site", "engine/config/yamltext", "engine/files", "engine/note", "engine/patience", "engine/watch/disk"}, []string{"go.yaml.in/yaml/v3"}},
	"engine/config/definition": {[]string{"engine/config", "engine/config/site", "engine/config/yamltext", "engine/lazyregexp", "engine/note"}, []string{"go.yaml.in/yaml/v3"}},                           // how agents play roles, by files
	"engine/config/runners":    {nil, nil},                                                                                                                                                                // one row a runner
	"engine/config/reference":  {[]string{"engine/secret", "engine/config", "engine/config/runners", "engine/config/yamltext"}, nil},                                                                      // every key described for people
	"engine/config/glob":       {nil, nil},                                                                                                                                                                // which paths a pattern matches
	"engine/config/site":       {nil, nil},                                                                                                                                                                // which folders are the same one
	"engine/config/yamltext":   {nil, []string{"go.yaml.in/yaml/v3"}},                                                                                                                                     // nodes with their lines, no meaning
	"engine/journal":           {[]string{"engine/journal/columns", "engine/journal/days", "engine/journal/dbfile", "engine/journal/ids", "engine/journal/schema", "engine/note", "engine/wording"}, nil}, // schema: the causes that callers act on
	"engine/journal/database":  {[]string{"engine/due", "engine/journal/columns", "engine/journal/dbfile", "engine/journal/salvage", "engine/journal/schema", "engine/recall/cachefile"}, nil},            // opens the file; cachefile keeps statements prepared
	"engine/journal/columns":   {nil, nil},                                                                                                                                                                // what SQLite has no type for
	"engine/journal/days":      {nil, nil},                                                                                                                                                                // that were said in vaults
	"engine/journal/dbfile":    {nil, []string{"modernc.org/sqlite"}},                                                                                                                                     // the file of a precious database
	"engine/journal/ids":       {nil, nil},                                                                                                                                                                // of dispatches
	"engine/journal/salvage":   {nil, nil},                                                                                                                                                                // the rows of a damaged one
	"engine/journal/recorder":  {[]string{"engine/due", "engine/syserr"}, nil},                                                                                                                            // steps that must not get lost
	"engine/journal/schema":    {nil, nil},                                                                                                                                                                // the tables of this version
	"engine/agent/replies":     {[]string{"engine/lazyregexp"}, nil},                                                                                                                                      // one answer for each request
	"engine/agent/endings":     {[]string{"engine/lazyregexp"}, nil},                                                                                                                                      // how agents end and refuse
	"engine/agent/printed":     {nil, nil},                                                                                                                                                                // what a program has printed, as text and as JSON
	"engine/agent":             {[]string{"engine/files", "engine/patience", "engine/launch", "engine/wording/times", "engine/lazyregexp", "engine/agent/endings", "engine/agent/printed", "engine/agent/replies", "engine/agent/sandbox", "engine/note", "engine/wording"}, []string{"golang.org/x/sys"}},
	"engine/agent/sandbox":     {nil, []string{"golang.org/x/sys"}}, // what the kernel holds a program to
	"engine/rewrite":           {[]string{"engine/due", "engine/note", "engine/note/progress", "engine/note/find", "engine/note/headings", "engine/note/merge", "engine/note/part", "engine/note/sanitize", "engine/rewrite/swap"}, nil},

	"engine/note/cleaned":       {[]string{"engine/lazyregexp", "engine/note", "engine/note/sanitize", "engine/note/unseen"}, nil},            // what cleaning changes, in words
	"engine/note/codeblock":     {[]string{"engine/lazyregexp"}, nil},                                                                         // which blocks of code an answer may hold
	"engine/note/fields":        {nil, nil},                                                                                                   // the fields of Dataview that bring something to life
	"engine/note/headings":      {[]string{"engine/lazyregexp", "engine/note", "engine/note/wikilink"}, []string{"github.com/yuin/goldmark"}}, // headings of an answer that its note has too
	"engine/note/tex":           {[]string{"engine/lazyregexp"}, nil},                                                                         // which orders of TeX act
	"engine/note/fenced":        {[]string{"engine/lazyregexp"}, []string{"github.com/yuin/goldmark"}},                                        // blocks of code as all readers see them, and ticks that they pair in other ways
	"engine/note/sanitize":      {[]string{"engine/lazyregexp", "engine/note", "engine/note/apps", "engine/note/codeblock", "engine/note/fenced", "engine/note/fields", "engine/note/sanitize/acts", "engine/note/target", "engine/note/tex", "engine/note/unseen"}, []string{"github.com/yuin/goldmark"}},
	"engine/note/sanitize/acts": {[]string{"engine/lazyregexp"}, nil},                                                                      // the forms that programs act on
	"engine/note/target":        {[]string{"engine/lazyregexp"}, nil},                                                                      // where a link of an answer may lead
	"engine/note/part":          {[]string{"engine/lazyregexp", "engine/note", "engine/note/merge"}, []string{"github.com/yuin/goldmark"}}, // the part of a note that an agent may replace
	"engine/note/unseen":        {nil, []string{"golang.org/x/text"}},                                                                      // what no eye sees in a text
	"engine/note/find":          {[]string{"engine/note"}, nil},                                                                            // what stood in a note before it changed
	"engine/note/progress":      {[]string{"engine/note"}, nil},                                                                            // the state of a dispatch, below its marker
	"engine/note/window":        {[]string{"engine/lazyregexp", "engine/note"}, nil},                                                       // the context of a question
	"engine/note/merge":         {nil, nil},                                                                                                // two versions of a text, by lines
	"engine/note/apps":          {nil, nil},                                                                                                // what note apps mean by files and marks
	"engine/note/filename":      {nil, nil},                                                                                                // which names are those of notes

	"engine/note/propertytext": {[]string{"engine/lazyregexp"}, nil}, // what a property says, as its lines are written
	"engine/note/wikilink":     {nil, nil},                           // the links in double brackets, for all who ask about one

	"engine/recall/terms":     {[]string{"engine/lazyregexp"}, nil},                                                                                                                                                 // the words of texts and of queries
	"engine/recall/evidence":  {nil, nil},                                                                                                                                                                           // which lines are a person's own words: engine/recall/page was full
	"engine/recall/page":      {[]string{"engine/lazyregexp", "engine/note", "engine/note/filename", "engine/note/propertytext", "engine/note/wikilink", "engine/recall/evidence", "engine/recall/terms"}, nil},     // a note taken apart and quoted
	"engine/recall/notedisk":  {[]string{"engine/watch/disk"}, nil},                                                                                                                                                 // a disk that may hang
	"engine/recall/cachefile": {nil, []string{"modernc.org/libc", "modernc.org/sqlite"}},                                                                                                                            // files that can be made again
	"engine/recall/indexed":   {[]string{"engine/recall/cachefile"}, nil},                                                                                                                                           // what an index knows of its notes
	"engine/recall/postings":  {[]string{"engine/recall/cachefile"}, nil},                                                                                                                                           // how often each chunk has each word
	"engine/recall/linkgraph": {nil, nil},                                                                                                                                                                           // which note links to which
	"engine/recall/embed":     {nil, nil},                                                                                                                                                                           // what a model for vectors has to do
	"engine/recall/models":    {[]string{"engine/secret", "engine/wording/times", "engine/files", "engine/lazyregexp", "engine/modelhttp", "engine/recall/embed", "engine/wording"}, []string{"golang.org/x/text"}}, // Unicode forms, as tokenizers ask for
	"engine/recall/vectors":   {[]string{"engine/syserr", "engine/recall/cachefile", "engine/recall/embed", "engine/recall/terms"}, nil},
	"engine/recall": {[]string{"engine/syserr", "engine/note", "engine/note/apps", "engine/note/progress", "engine/note/filename", "engine/recall/cachefile", "engine/recall/embed", "engine/recall/indexed", "engine/recall/linkgraph", "engine/recall/notedisk", "engine/recall/page", "engine/recall/postings",
		"engine/recall/terms", "engine/recall/vectors"}, nil},
	"engine/meaning": {[]string{"engine/config", "engine/recall", "engine/recall/models", "engine/modelhttp"}, nil}, // the embedder that a configuration names

	"engine/tame":               {[]string{"engine/lazyregexp", "engine/note/wikilink"}, []string{"github.com/yuin/goldmark"}}, // markdown of others on a page
	"engine/broadcast/order":    {[]string{"engine/lazyregexp", "engine/note/wikilink"}, nil},                                  // what a person wants made
	"engine/broadcast/material": {[]string{"engine/lazyregexp", "engine/note/wikilink"}, nil},                                  // sentences that know where they stand
	"engine/broadcast/summary":  {[]string{"engine/recall/terms", "engine/wording"}, nil},
	"engine/broadcast/outside":  {[]string{"engine/wording/times", "engine/due", "engine/agent"}, nil},                                                                     // waits for programs of others
	"engine/broadcast/draft":    {[]string{"engine/lazyregexp", "engine/wording"}, nil},                                                                                    // what an agent writes, held to its sources
	"engine/broadcast/kinds":    {[]string{"engine/wording", "engine/lazyregexp", "engine/broadcast/draft", "engine/broadcast/material", "engine/broadcast/summary"}, nil}, // what can be made, one file each
	"engine/broadcast/gather":   {[]string{"engine/lazyregexp", "engine/broadcast/material", "engine/broadcast/order", "engine/note", "engine/note/filename", "engine/recall/page", "engine/recall/terms"}, nil},
	"engine/broadcast/apkg":     {nil, []string{"modernc.org/sqlite"}},                                                                                                                      // the file of a deck, which is a database
	"engine/broadcast/speech":   {[]string{"engine/secret", "engine/due", "engine/lazyregexp", "engine/agent", "engine/files", "engine/modelhttp", "engine/wording", "engine/syserr"}, nil}, // reads texts aloud
	"engine/broadcast/shelf":    {[]string{"engine/files", "engine/note", "engine/note/sanitize", "engine/rewrite/swap"}, nil},                                                              // one folder of a vault
	"engine/broadcast/shown":    {[]string{"engine/note", "engine/tame"}, []string{"go.yaml.in/yaml/v3"}},                                                                                   // what is on it, for a page
	"engine/broadcast": {[]string{"engine/syserr", "engine/agent", "engine/agent/replies", "engine/broadcast/apkg", "engine/broadcast/draft", "engine/broadcast/gather", "engine/broadcast/kinds", "engine/broadcast/material",
		"engine/broadcast/order", "engine/broadcast/shelf", "engine/broadcast/shown", "engine/broadcast/speech", "engine/config", "engine/config/glob", "engine/journal", "engine/recall", "engine/recall/terms", "engine/wording"}, nil},

	"engine/agent/builtin": {[]string{"engine/lazyregexp", "engine/syserr", "engine/agent", "engine/agent/replies", "engine/recall", "engine/recall/page", "engine/recall/terms", "engine/note", "engine/note/window", "engine/wording"}, nil}, // page: what a quote is a part of
	"engine/dispatch":      {[]string{"engine/syserr", "engine/agent", "engine/due", "engine/journal", "engine/journal/recorder"}, nil},
	"engine/writer":        {[]string{"engine/note/find", "engine/syserr", "engine/due", "engine/journal", "engine/journal/recorder", "engine/note", "engine/note/progress", "engine/proposal", "engine/rewrite", "engine/rewrite/swap", "engine/schedule", "engine/vault/noteindex", "engine/wording"}, nil},
	"engine/githead":       {nil, nil},                                                                                          // when git has changed files; reads a repository
	"engine/notes":         {[]string{"engine/config/glob", "engine/note/apps", "engine/note/filename", "engine/wording"}, nil}, // which files of a vault are notes

	"engine/past":            {[]string{"engine/note/find", "engine/config/glob", "engine/journal", "engine/note", "engine/note/origin", "engine/vault/noteindex"}, nil},                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            // what was in notes
	"engine/note/origin":     {[]string{"engine/lazyregexp", "engine/note"}, nil},                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                   // which notes say that they come from elsewhere
	"engine/vault/burst":     {nil, nil},                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            // which markers came, and which notes went back, many at once
	"engine/vault/noteindex": {nil, nil},                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            // notes by what stands in them and by their paths
	"engine/vault/settle":    {[]string{"engine/vault/burst", "engine/vault/noteindex", "engine/note"}, nil},                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                        // when a question has stood long enough
	"engine/vault/behind":    {[]string{"engine/vault/facts"}, nil},                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 // calls that are left behind
	"engine/vault/bulk":      {[]string{"engine/githead", "engine/journal", "engine/note", "engine/vault/burst", "engine/vault/settle"}, nil},                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                       // what came many at once
	"engine/vault/follow":    {[]string{"engine/note/find", "engine/journal", "engine/note", "engine/vault/burst", "engine/vault/noteindex", "engine/vault/settle"}, nil},                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                           // which marker is which dispatch's, and questions that go along
	"engine/vault/indexing":  {[]string{"engine/api", "engine/due", "engine/patience"}, nil},                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                        // the index, kept up; api: its notices have names
	"engine/vault/facts":     {nil, nil},                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            // what was last found out about a folder
	"engine/vault/toggle":    {nil, nil},                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            // the switch of the watching
	"engine/vault/presence":  {[]string{"engine/lazyregexp", "engine/files"}, nil},                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                  // the files of engines in a vault
	"engine/vault/rested":    {[]string{"engine/files", "engine/watch/disk"}, nil},                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                  // which notes need not be opened
	"engine/vault/templates": {[]string{"engine/lazyregexp", "engine/note", "engine/note/apps", "engine/note/filename", "engine/patience"}, []string{"golang.org/x/text"}},                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          // which folders hold templates
	"engine/vault/rules":     {[]string{"engine/journal", "engine/note", "engine/schedule", "engine/untaken", "engine/wording"}, nil},                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                               // which questions start; journal: the kinds of holds
	"engine/vault/register":  {[]string{"engine/vault/facts", "engine/config", "engine/config/site"}, nil},                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                          // which folders the vaults are
	"engine/vault/copies":    {[]string{"engine/journal", "engine/note", "engine/note/find", "engine/note/filename", "engine/lazyregexp", "engine/vault/burst", "engine/vault/noteindex"}, nil},                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                     // which note another is a copy of
	"engine/vault":           {[]string{"engine/past", "engine/patience", "engine/vault/copies", "engine/vault/facts", "engine/vault/presence", "engine/api", "engine/api/listen", "engine/vault/burst", "engine/config", "engine/config/glob", "engine/config/site", "engine/due", "engine/journal", "engine/note", "engine/note/progress", "engine/note/unseen", "engine/notes", "engine/recall", "engine/recall/indexed", "engine/recall/vectors", "engine/untaken", "engine/rewrite/swap", "engine/vault/register", "engine/vault/rested", "engine/vault/settle", "engine/vault/templates", "engine/vault/toggle", "engine/watch", "engine/watch/disk", "engine/syserr", "engine/vault/behind", "engine/vault/folder", "engine/vault/follow", "engine/vault/indexing", "engine/vault/bulk", "engine/vault/noteindex", "engine/vault/rules", "engine/note/find"}, []string{"golang.org/x/sync"}}, // listen: the file in a vault that says the port; api: its states and notices have names
	"engine/vault/folder":    {[]string{"engine/files", "engine/note/progress", "engine/notes", "engine/rewrite/swap", "engine/wording"}, nil},                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                      // the files of a vault on its disk

	"engine/api/client":    {[]string{"engine/api", "engine/api/peer", "engine/files", "engine/patience"}, nil},
	"engine/api/listen":    {[]string{"engine/api", "engine/api/peer", "engine/api/client", "engine/files"}, []string{"golang.org/x/sys"}},                     // asks who has a port
	"engine/api/openapi":   {nil, nil},                                                                                                                         // the interface described for programs
	"engine/api/backlog":   {[]string{"engine/due"}, nil},                                                                                                      // what comes faster than it may be done
	"engine/api/teaser":    {[]string{"engine/broadcast/material", "engine/lazyregexp", "engine/note/wikilink", "engine/recall/terms", "engine/wording"}, nil}, // one line of an answer or a work; terms: which line has the question's words
	"engine/api/winpath":   {nil, nil},                                                                                                                         // what paths of Windows mean inside WSL
	"engine/api/notepath":  {[]string{"engine/api", "engine/api/winpath", "engine/patience"}, []string{"golang.org/x/text"}},                                   // which note a path from outside names
	"engine/api/server":    {[]string{"engine/lazyregexp", "engine/api", "engine/api/backlog", "engine/api/notepath", "engine/api/openapi", "engine/api/peer"}, []string{"golang.org/x/text"}},
	"engine/api/vaultmind": {[]string{"engine/api", "engine/api/server"}, nil},                                                                                                                                                                                                                                                                                                                                                                                                                 // the calls of a plugin, as it makes them
	"engine/documents":     {[]string{"engine/lazyregexp", "engine/recall/terms", "engine/tame", "engine/wording"}, nil},                                                                                                                                                                                                                                                                                                                                                                       // the documents: which there are, as pages, and which have words; terms: words in other forms
	"engine/dashboard":     {[]string{"engine/dashboard/phrase", "engine/documents", "engine/api/rows", "engine/proposal", "engine/wording/times", "engine/api", "engine/api/server", "engine/api/client", "engine/broadcast/kinds", "engine/broadcast/material", "engine/broadcast/shown", "engine/note/wikilink", "engine/recall/terms", "engine/tame", "engine/patience", "engine/wording", "engine/syserr", "engine/dashboard/setup", "engine/api/teaser", "engine/dashboard/usage"}, nil}, // client: the link that opens a note; kinds: what can be made; material: text without its signs; terms: which words were looked for

	"engine/dashboard/phrase": {[]string{"engine/api", "engine/lazyregexp"}, nil},                       // sentences of the engine as parts of a page
	"engine/dashboard/usage":  {[]string{"engine/api", "engine/dashboard/plot", "engine/wording"}, nil}, // what was answered, drawn

	"engine/queue":           {[]string{"engine/secret", "engine/due", "engine/agent", "engine/files", "engine/syserr"}, []string{"github.com/nats-io/nats.go", "github.com/nats-io/nkeys", "github.com/nats-io/nuid"}},    // tasks for other machines
	"engine/queue/keyring":   {[]string{"engine/files", "engine/queue"}, []string{"github.com/nats-io/nkeys"}},                                                                                                             // who may use the queue
	"engine/queue/hub":       {[]string{"engine/syserr", "engine/files", "engine/queue", "engine/queue/keyring"}, []string{"github.com/nats-io/nats-server/v2", "github.com/nats-io/nats.go", "github.com/nats-io/nkeys"}}, // the server that carries them
	"engine/fit":             {[]string{"engine/agent", "engine/journal", "engine/note", "engine/wording"}, nil},                                                                                                           // what of a task a model can read at once
	"engine/sharing":         {[]string{"engine/config", "engine/config/glob", "engine/journal", "engine/note/window", "engine/recall/terms", "engine/wording"}, []string{"golang.org/x/text"}},                            // who is told what of a vault
	"engine/roles":           {[]string{"engine/wording", "engine/modelhttp", "engine/config/definition", "engine/budget", "engine/secret", "engine/config/runners", "engine/syserr", "engine/agent", "engine/agent/acp", "engine/agent/cli", "engine/agent/openai", "engine/agent/pi", "engine/agent/sandbox", "engine/broadcast/outside", "engine/config", "engine/due", "engine/fit", "engine/journal", "engine/queue", "engine/sharing"}, []string{"golang.org/x/sync"}},
	"engine/roles/trial":     {[]string{"engine/agent", "engine/agent/builtin", "engine/api", "engine/broadcast", "engine/config", "engine/journal/ids", "engine/note", "engine/notes", "engine/patience", "engine/recall", "engine/roles"}, nil}, // one question to a role, beside the engine
	"engine/agent/pisession": {nil, nil},                                                                                                                                                                                                          // a file format that two runners write
	"engine/agent/cli":       {[]string{"engine/lazyregexp", "engine/agent", "engine/agent/endings", "engine/agent/pisession", "engine/agent/printed", "engine/agent/replies", "engine/config/runners"}, []string{"github.com/pelletier/go-toml/v2"}},
	"engine/agent/pi":        {[]string{"engine/agent", "engine/agent/endings", "engine/agent/pisession", "engine/agent/printed", "engine/config/runners", "engine/wording"}, nil},

	"engine/agent/openai": {[]string{"engine/secret", "engine/lazyregexp", "engine/wording/times", "engine/agent", "engine/agent/endings", "engine/agent/replies", "engine/modelhttp", "engine/wording"}, nil},
	"engine/agent/acp":    {[]string{"engine/wording/times", "engine/agent", "engine/agent/endings", "engine/agent/replies", "engine/agent/sandbox", "engine/files", "engine/patience", "engine/wording"}, []string{"github.com/coder/acp-go-sdk"}},

	"engine/group": {[]string{"engine/agent", "engine/config", "engine/journal", "engine/journal/ids", "engine/note", "engine/note/window", "engine/recall/page", "engine/wording"}, nil},                                                                                                                                                                                                                                                                                                                                                                                                                                                                                     // a group as a record of the journal
	"engine/front": {[]string{"engine/api", "engine/asking", "engine/broadcast/speech", "engine/config", "engine/config/glob", "engine/dispatch", "engine/fit", "engine/group", "engine/journal", "engine/journal/recorder", "engine/library", "engine/note", "engine/note/cleaned", "engine/notes", "engine/notices", "engine/proposal", "engine/recall", "engine/recall/terms", "engine/roles", "engine/schedule", "engine/schedule/runs", "engine/syserr", "engine/tally", "engine/untaken", "engine/untaken/board", "engine/vault", "engine/vault/behind", "engine/vault/follow", "engine/vault/presence", "engine/vault/rules", "engine/wording", "engine/writer"}, nil}, // what the server asks of an engine: vaults, queues and records together
	"engine":       {[]string{"engine/..."}, []string{"golang.org/x/sync"}},

	"tray/opener":          {[]string{"engine/launch"}, []string{"golang.org/x/sys/windows"}}, // the desktop opens a link
	"tray":                 {[]string{"engine/api/rows", "engine/api/teaser", "tray/opener", "engine/launch", "engine/wording/times", "engine/due", "engine/syserr", "engine/api", "engine/api/client", "engine/files", "service", "assets", "engine/wording"}, []string{"fyne.io/systray", "github.com/godbus/dbus", "git.sr.ht/~jackmordaunt/go-toast"}},
	"installer":            {[]string{"engine/config/definition", "engine/secret", "engine/config/runners", "engine/due", "engine/config", "engine/config/place", "engine/agent", "engine/api", "engine/api/client", "engine/api/listen", "engine/files", "engine/patience", "engine/vault/presence", "installer/clients", "installer/doctor", "installer/noteplugin", "installer/places", "service", "service/logfile"}, []string{"github.com/atotto/clipboard"}}, // secret: an address is shown in one way
	"installer/proof":      {[]string{"engine/api", "engine/api/client", "engine/config", "engine/config/glob", "engine/config/runners", "engine/due", "engine/files", "engine/note", "engine/note/filename", "engine/note/origin", "engine/notes", "engine/patience", "engine/recall/terms", "engine/sharing", "engine/syserr"}, nil},                                                                                                                             // notes, sharing, origin: which note a proof may be about
	"installer/doctor":     {[]string{"engine/config/runners", "engine/syserr", "engine/config", "engine/agent", "engine/watch", "engine/rewrite/swap", "engine/api", "engine/api/client", "engine/api/listen", "engine/journal", "engine/journal/database", "engine/files", "engine/patience", "engine/vault/presence", "engine/watch/disk", "service"}, []string{"golang.org/x/sys"}},
	"installer/clients":    {[]string{"engine/files"}, []string{"github.com/pelletier/go-toml/v2"}},                                                       // the configuration of other agents
	"installer/noteplugin": {[]string{"engine/patience", "engine/syserr", "assets", "engine/config", "engine/config/place", "engine/files"}, nil},         // our plugin in the vaults of Obsidian
	"installer/places":     {[]string{"engine/api", "engine/api/winpath", "engine/config", "engine/config/site", "engine/files", "engine/patience"}, nil}, // which folders are vaults, or can be none
	"installer/dist":       {[]string{"assets", "engine/config/reference"}, nil},                                                                          // a program for releases; what packs is a module of its own

	"cmd/wiki/printable":  {nil, nil},                                                                                                                                                                                                                                                                                                                              // what a terminal does not obey
	"cmd/wiki/relay":      {[]string{"engine/syserr", "engine/api", "engine/api/client", "engine/config", "engine/config/place", "engine/library", "engine/mcp"}, nil},                                                                                                                                                                                             // the running engine, or its indexes
	"cmd/wiki/command":    {[]string{"cmd/wiki/printable", "engine/api/client", "engine/config", "engine/config/place", "engine/lazyregexp", "engine/patience", "engine/syserr", "engine/watch/disk", "engine/wording"}, []string{"charm.land", "github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/term"}},                                          // what all commands share
	"cmd/wiki/dispatches": {[]string{"cmd/wiki/command", "cmd/wiki/printable", "cmd/wiki/report", "engine/api", "engine/api/client", "engine/api/rows", "engine/wording"}, []string{"github.com/spf13/cobra"}},                                                                                                                                                     // commands about questions and answers
	"cmd/wiki/machine":    {[]string{"assets", "cmd/wiki/command", "cmd/wiki/desktop", "cmd/wiki/printable", "cmd/wiki/texts", "engine/api/client", "engine/config/place", "engine/wording", "installer", "installer/clients", "installer/doctor", "installer/noteplugin", "service", "service/logfile"}, []string{"github.com/spf13/cobra", "golang.org/x/term"}}, // commands about this machine: service, log, doctor
	"cmd/wiki/complete":   {[]string{"cmd/wiki/printable", "engine/api", "engine/config", "engine/config/reference", "engine/wording", "installer", "installer/clients"}, []string{"github.com/spf13/cobra"}},                                                                                                                                                      // what a shell offers
	"cmd/wiki/demo":       {[]string{"engine/syserr", "engine/wording", "cmd/wiki/command", "cmd/wiki/printable", "assets", "engine/api", "engine/api/client", "engine/config", "engine/files"}, []string{"github.com/rogpeppe/go-internal/diff", "github.com/spf13/cobra"}},
	"cmd/wiki/manual":     {nil, []string{"github.com/spf13/cobra", "github.com/spf13/pflag"}},                                                                                                                                                                                                           // the commands, told to programs
	"cmd/wiki/desktop":    {[]string{"tray/opener", "engine/patience", "installer/doctor"}, []string{"github.com/godbus/dbus"}},                                                                                                                                                                          // browser and panel
	"cmd/wiki/report":     {[]string{"engine/documents", "engine/lazyregexp", "engine/api/rows", "engine/wording/times", "cmd/wiki/printable", "engine/api", "engine/journal", "engine/news", "engine/note/wikilink", "engine/roles", "engine/wording", "installer/noteplugin"}, []string{"charm.land"}}, // what commands have found, as lines
	"cmd/wiki/texts":      {[]string{"engine/secret", "engine/syserr", "engine/api", "engine/config", "installer/doctor", "installer/places", "engine/wording"}, nil},                                                                                                                                    // secret: an address is shown in one way
	"cmd/wiki/notefile":   {[]string{"engine/api/client", "engine/config", "engine/patience"}, nil},                                                                                                                                                                                                      // the note that a person names, on a disk that may hang
	"cmd/wiki/rolefile":   {nil, nil},                                                                                                                                                                                                                                                                    // copies a built-in role to where a person may change it
	"cmd/wiki/settings":   {[]string{"cmd/wiki/printable", "engine/config", "engine/config/reference", "installer"}, nil},                                                                                                                                                                                // the keys of the configuration, shown and edited
	"cmd/wiki/update":     {[]string{"cmd/wiki/printable", "engine/files"}, nil},                                                                                                                                                                                                                         // whether there is a newer release
	"cmd/wiki/team":       {[]string{"assets", "cmd/wiki/command", "cmd/wiki/printable", "engine/config", "engine/config/place", "engine/launch", "engine/queue", "engine/queue/keyring", "engine/roles", "engine/syserr", "service"}, []string{"github.com/spf13/cobra"}},                               // commands for more than one machine
	"cmd/wiki/wizard":     {[]string{"cmd/wiki/printable", "cmd/wiki/texts", "engine/config", "engine/wording", "installer", "installer/doctor", "installer/noteplugin", "installer/places", "service"}, []string{"charm.land", "golang.org/x/term"}},
	"cmd/wiki/page":       {[]string{"engine/wording", "engine/wording/times", "cmd/wiki/texts", "assets", "engine/api", "engine/config", "engine/roles/trial", "installer", "installer/doctor", "installer/places", "installer/proof", "service"}, nil}, // setup on the dashboard
	"cmd/wiki": {[]string{"cmd/wiki/...", "engine", "engine/...", "assets", "service", "service/host", "service/logfile", "installer", "installer/...", "engine/config/place"},
		[]string{"github.com/spf13/cobra", "golang.org/x/term"}},
	"cmd/wiki-hub":       {[]string{"cmd/wiki-hub/serve"}, nil},
	"cmd/wiki-hub/serve": {[]string{"cmd/wiki/command", "engine/config/place", "engine/queue/hub", "engine/queue/keyring", "engine/syserr"}, []string{"github.com/spf13/cobra"}}, // the hub in the foreground; a room, so that tests can be this program
	// The engine's port and folders are found as cmd/wiki finds them.
	"cmd/wiki-tray": {[]string{"tray", "engine/api", "engine/api/client", "engine/api/listen", "engine/config", "engine/config/place", "service"}, nil},
}

// why gives the reason behind the arrows that must never be drawn, by importing
// and imported package. The first match is reported.
var why = []struct{ from, to, reason string }{
	{"tray", "engine", "the tray is a client of the HTTP server and must work beside an engine of another version"},
	{"engine", "tray", "the engine runs without a desktop"},
	{"engine", "service", "the engine does not know who started it"},
	{"engine", "installer", "the engine is handed what setup and doctor do"},
	{"engine", "assets", "the engine is handed its assets as a file system"},
	{"engine", "cmd", "commands are built on the engine, not the other way round"},
	{"", "github.com/fsnotify/fsnotify", "fsnotify is seen only in engine/watch/source: other rooms get events"},
	{"", "modernc.org/sqlite", "only the journal and recall keep a database, and only a deck of cards is one"},
	{"", "github.com/VictoriaMetrics/metrics", "only engine/metrics counts for Prometheus"},
	{"", "github.com/nats-io", "only engine/queue speaks to the queue, and only its hub is one"},
	{"", "github.com/kardianos/service", "only service speaks to service managers"},
}

// pure lists the packages of the standard library that do no I/O, by the room, or the file of one,
// that may import no others. Those that are not here may import all of it.
var pure = map[string][]string{
	"engine/note": {
		"bytes", "cmp", "crypto/sha256", "errors", "fmt", "html", "iter", "maps", "math", "math/bits", "path", "regexp", "slices", "sort",
		"strconv", "strings", "unicode", "unicode/utf8",
	},
	"engine/wording":       {"fmt", "strings", "unicode", "unicode/utf8"},
	"engine/wording/times": {"fmt", "strings", "time"},
	"engine/secret":        {"fmt", "html", "maps", "net/url", "regexp", "slices", "strconv", "strings", "sync", "unicode", "unicode/utf8"},
	"engine/recall/terms":  {"bytes", "maps", "math/bits", "regexp", "slices", "strings", "sync", "unicode", "unicode/utf8"},
	"engine/recall/page": {
		"bytes", "cmp", "crypto/sha256", "math/bits", "net/url", "path", "regexp", "slices", "strings", "unicode/utf8",
	},
	"engine/broadcast/order":         {"regexp", "slices", "strconv", "strings", "unicode", "unicode/utf8"},
	"engine/broadcast/material":      {"cmp", "regexp", "slices", "strings", "unicode", "unicode/utf8"},
	"engine/broadcast/summary":       {"bytes", "math", "slices", "strings"},
	"engine/broadcast/kinds":         {"bytes", "cmp", "encoding/csv", "encoding/json", "fmt", "html", "regexp", "slices", "strconv", "strings", "unicode", "unicode/utf8"},
	"engine/vault/burst":             {"maps", "slices", "time"},
	"engine/past/lines.go":           {"bytes", "crypto/sha256", "encoding/binary", "hash/fnv", "strings"},
	"engine/past/own.go":             {"bytes", "slices"},
	"engine/past/origin.go":          {"crypto/sha256", "encoding/binary", "maps", "slices", "strings"},
	"engine/note/origin/clipped.go":  {"bytes", "slices", "strings"},
	"engine/vault/follow/pairing.go": {"slices", "strings"},
	"engine/vault/rules":             {"strconv", "strings", "time"},
	"engine/agent/printed":           {"bytes", "encoding/json", "errors", "fmt", "io", "strconv", "strings"},
	"engine/agent/replies":           {"bytes", "encoding/json", "errors", "fmt", "regexp", "slices", "sort", "strconv", "strings", "sync", "unicode", "unicode/utf8"},
	"engine/note/cleaned":            {"regexp", "strings"},
	"engine/note/codeblock":          {"regexp", "strings", "sync"},
	"engine/note/headings":           {"bytes", "html", "slices", "strconv", "strings", "unicode"},
	"engine/note/sanitize/acts":      {"iter", "slices"},
	"engine/note/sanitize":           {"bytes", "cmp", "html", "fmt", "regexp", "slices", "strings", "unicode", "unicode/utf8"},
	"engine/note/propertytext":       {"regexp", "strings", "sync"},
	"engine/note/wikilink":           {"strings"},
	"engine/note/fields":             {"regexp", "slices", "strings", "sync"},
	"engine/note/fenced":             {"bytes", "regexp", "slices", "strings", "sync"},
	"engine/note/tex":                {"regexp", "strings", "sync"},
	"engine/note/target":             {"html", "path", "regexp", "strconv", "strings", "sync"},
	"engine/note/unseen":             {"bytes", "html", "slices", "strings", "unicode", "unicode/utf8"},
	"engine/note/find":               {"cmp", "container/heap", "slices", "sort", "strings"},
	"engine/note/progress":           {"bytes", "fmt", "regexp", "strings", "unicode"},
	"engine/note/window":             {"fmt", "strings", "unicode/utf8"},
	"engine/note/merge":              {"bytes", "slices"},
	"engine/note/part":               {"bytes", "errors", "regexp", "slices", "sort", "strconv", "strings", "unicode", "unicode/utf8"},
	"engine/note/apps":               {"iter", "bytes", "encoding/json", "path", "regexp", "slices", "strings", "sync"},
	"engine/note/filename":           {"net/url", "path", "regexp", "slices", "strings", "sync"},
	"engine/config/glob":             {"errors", "fmt", "strings", "unicode", "unicode/utf8"},
	"engine/api/winpath":             {"path", "slices", "strings"},
}

// unlinked are the packages that must not end up in a room or a program, not
// even by way of another package of ours.
var unlinked = []struct{ from, to, reason string }{
	{"cmd/wiki-tray", "engine", "the tray is a client: it runs no engine"},
	{"cmd/wiki-tray", "engine/api/server", "the tray is a client: it serves nothing"},
	{"cmd/wiki-tray", "engine/dashboard", "the tray is a client: the engine shows the pages"},
	{"cmd/wiki-tray", "html/template", "the tray is a client: the engine shows the pages"},
	{"engine/api/server", "html/template", "the server knows its pages as Pages; only the dashboard has templates"},
	{"cmd/wiki-tray", "modernc.org/sqlite", "the tray is a client: it opens no database"},
	{"cmd/wiki-tray", "github.com/VictoriaMetrics/metrics", "the tray is a client: it counts nothing"},
	{"cmd/wiki-tray", "github.com/nats-io/nats.go", "the tray is a client: it asks no workers"},
	{"engine", "engine/queue/hub", "the hub is a process of its own: the engine carries no server of the queue"},
	{"cmd/wiki", "github.com/nats-io/nats-server/v2", "the hub is a program of its own: its server wakes each process that holds it every second"},
	{"cmd/wiki-tray", "github.com/fsnotify/fsnotify", "the tray is a client: it watches no files"},
}

// topLevel lists everything that the top of the repository may hold.
var topLevel = []string{
	"cmd", "tray", "service", "engine", "installer", "assets", "go.mod", "go.sum", "CHANGELOG.md",
	"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE", ".ci", ".github",
	".golangci.yml", ".editorconfig", ".gitignore", ".gitattributes", ".git",
}

// How many packages of ours may import one another in a row: eight from a command down, six from
// engine down, one of them the front, which stands between the engine and its rooms. "go test ./cmd -run LongestChain -v" prints one of each.
const (
	longestChain       = 8
	longestEngineChain = 6
)

// TestRooms parses every file of every platform and holds its imports against
// the table.
func TestRooms(t *testing.T) {
	for file, imports := range productFiles(t) {
		from := path.Dir(file)
		allowed, ok := rooms[from]
		if !ok {
			t.Errorf("%s: the package %s has no place in the table of rooms", file, from)
			continue
		}
		for _, to := range imports {
			if reason := cmp.Or(forbidden(from, to, allowed), impure(file, to)); reason != "" {
				t.Errorf("%s: %s must not import %s: %s", file, from, to, reason)
			}
		}
	}
}

// TestRoomsUseTheirPermissions fails on lines and entries of the table that no
// file needs, so that the table says what is, not what once was.
func TestRoomsUseTheirPermissions(t *testing.T) {
	arrows := packageImports(t)
	files := productFiles(t)
	for name := range pure {
		if _, isFile := files[name]; !isFile && arrows[name] == nil {
			t.Errorf("%s is said to be pure, but the tree has no such room and no such file", name)
		}
	}
	for from, allowed := range rooms {
		imports, ok := arrows[from]
		if !ok {
			t.Errorf("%s is in the table of rooms, but the tree has no such package", from)
		}
		for _, entry := range slices.Concat(allowed.ours, allowed.outside) {
			isUsed := slices.ContainsFunc(imports, func(to string) bool { return listed(to, []string{entry}) })
			if !isUsed {
				t.Errorf("%s may import %s, but no file of it does: take the permission out of the table", from, entry)
			}
		}
	}
}

// TestUnlinked follows the imports down and fails where a program reaches a
// package that it must not hold.
func TestUnlinked(t *testing.T) {
	arrows := packageImports(t)
	for _, rule := range unlinked {
		if chain := findChain(arrows, rule.from, rule.to); chain != nil {
			t.Errorf("%s: %s", strings.Join(chain, " > "), rule.reason)
		}
	}
	if findChain(arrows, "cmd/wiki", "modernc.org/sqlite") == nil {
		t.Error("cmd/wiki does not reach its database: the imports are not followed")
	}
}

// findChain returns the packages by which from comes to import the package or
// module to, or nil.
func findChain(arrows map[string][]string, from, to string) []string {
	for _, next := range arrows[from] {
		if listed(next, []string{to}) {
			return []string{from, next}
		}
		if chain := findChain(arrows, next, to); chain != nil {
			return append([]string{from}, chain...)
		}
	}
	return nil
}

// TestLongestChain counts the packages of the longest way down the imports.
func TestLongestChain(t *testing.T) {
	arrows := packageImports(t)
	for part, most := range map[string]int{"": longestChain, "engine": longestEngineChain} {
		var longest []string
		for from := range arrows {
			if way := wayDown(arrows, from); under(from, part) && len(way) > len(longest) {
				longest = way
			}
		}
		t.Logf("the longest chain has %d packages: %s", len(longest), strings.Join(longest, " > "))
		if len(longest) > most {
			t.Errorf("that is %d more than the %d that are allowed", len(longest)-most, most)
		}
		if len(longest) < 3 {
			t.Error("no chain of three was found; is the test still at its place in the tree?")
		}
	}
}

// wayDown is the longest chain of imports that begins at from. The compiler
// refuses circles.
func wayDown(arrows map[string][]string, from string) []string {
	var longest []string
	for _, to := range arrows[from] {
		if arrows[to] == nil || to == "engine/lazyregexp" {
			continue // not a package of ours, or one in the place of regexp
		}
		if way := wayDown(arrows, to); len(way) > len(longest) {
			longest = way
		}
	}
	return append([]string{from}, longest...)
}

// TestTopLevel keeps the first thing a reader sees small: the folders are fixed.
func TestTopLevel(t *testing.T) {
	ignored, err := os.ReadFile("../.gitignore")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	built := func(name string) bool {
		return slices.ContainsFunc(strings.Fields(string(ignored)), func(pattern string) bool {
			ok, _ := path.Match(strings.Trim(pattern, "/"), name)
			return ok
		})
	}
	for _, e := range entries {
		if !slices.Contains(topLevel, e.Name()) && !built(e.Name()) {
			t.Errorf("%s is not allowed at the top of the tree: what belongs there is fixed", e.Name())
		}
	}
}

func isStandard(to string) bool {
	first, _, _ := strings.Cut(to, "/")
	return !strings.Contains(first, ".") && first != module
}

// impure says why a room or a file that is pure must not import to, or nothing.
func impure(from, to string) string {
	if list, isPure := pure[from]; isPure && isStandard(to) && !slices.Contains(list, to) {
		return from + " is pure: it does no I/O and knows no time"
	}
	return ""
}

// forbidden says why from must not import to, or nothing.
func forbidden(from, to string, allowed room) string {
	if to == "C" {
		return "the product is pure Go and builds with CGO_ENABLED=0"
	}
	if isStandard(to) {
		return impure(from, to)
	}
	if own, ok := strings.CutPrefix(to, module+"/"); ok {
		if listed(own, allowed.ours) {
			return ""
		}
		return reasonFor(from, own)
	}
	if listed(to, allowed.outside) {
		return ""
	}
	return reasonFor(from, to)
}

// listed reports whether pkg is in a list of packages, of modules with their
// packages, or of patterns that end in "/...".
func listed(pkg string, list []string) bool {
	return slices.ContainsFunc(list, func(entry string) bool {
		if below, ok := strings.CutSuffix(entry, "/..."); ok {
			return strings.HasPrefix(pkg, below+"/")
		}
		return pkg == entry || strings.Contains(entry, ".") && strings.HasPrefix(pkg, entry+"/")
	})
}

func reasonFor(from, to string) string {
	for _, w := range why {
		if under(from, w.from) && under(to, w.to) {
			return w.reason
		}
	}
	return "the table of rooms has no such arrow; ask which room the code belongs to"
}

func under(pkg, dir string) bool {
	return dir == "" || pkg == dir || strings.HasPrefix(pkg, dir+"/")
}

// packageImports returns what each package of the product imports on any
// platform, our own packages by their path from the top of the tree.
func packageImports(t *testing.T) map[string][]string {
	t.Helper()
	arrows := make(map[string][]string)
	for file, imports := range productFiles(t) {
		from := path.Dir(file)
		if arrows[from] == nil {
			arrows[from] = []string{}
		}
		for _, to := range imports {
			to = strings.TrimPrefix(to, module+"/")
			if !slices.Contains(arrows[from], to) {
				arrows[from] = append(arrows[from], to)
			}
		}
	}
	return arrows
}

// productFiles returns the imports of every Go file of the product, by its path
// with slashes from the top of the tree.
func productFiles(t *testing.T) map[string][]string {
	t.Helper()
	top, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string][]string)
	err = filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(top, name)
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			return skip(rel, name)
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") {
			return nil
		}
		imports, err := importsOf(name)
		files[rel] = imports
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// skip leaves out hidden folders, test data and nested modules.
func skip(rel, name string) error {
	base := path.Base(rel)
	if rel == "." {
		return nil
	}
	_, err := os.Stat(filepath.Join(name, "go.mod"))
	if strings.HasPrefix(base, ".") || base == "testdata" || err == nil {
		return fs.SkipDir
	}
	return nil
}

func importsOf(name string) ([]string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
	if err != nil {
		return nil, fmt.Errorf("parse: %w", err)
	}
	imports := make([]string, len(f.Imports))
	for i, spec := range f.Imports {
		if imports[i], err = strconv.Unquote(spec.Path.Value); err != nil {
			return nil, err
		}
	}
	return imports, nil
}

// TestForbidden checks the table itself: these arrows must never pass.
func TestForbidden(t *testing.T) {
	for _, arrow := range [][2]string{
		{"tray", module + "/engine"},
		{"tray", module + "/engine/config"},
		{"engine", module + "/tray"},
		{"engine/dispatch", module + "/engine"},
		{"engine/dispatch", "github.com/VictoriaMetrics/metrics"},
		{"engine/note", "os"},
		{"engine/note", "io"},
		{"engine/note", "time"},
		{"engine/note", "math/rand/v2"},
		{"engine/rewrite/swap", "C"},
		{"cmd/wiki", "C"},
		{"engine/note", "golang.org/x/sys/unix"},
		{"engine/api", module + "/engine/note"},
		{"engine/watch", module + "/engine/note"},
		{"cmd/wiki", "github.com/fsnotify/fsnotify"},
		{"engine/journal", module + "/engine/agent"},
	} {
		if forbidden(arrow[0], arrow[1], rooms[arrow[0]]) == "" {
			t.Errorf("%s may import %s", arrow[0], arrow[1])
		}
	}
	for _, arrow := range [][2]string{
		{"engine", module + "/engine/note"},
		{"cmd/wiki", module + "/engine"},
		{"engine/journal/dbfile", "modernc.org/sqlite"},
		{"engine/api/peer", "golang.org/x/sys/unix"},
		{"engine/note", "bytes"},
	} {
		if reason := forbidden(arrow[0], arrow[1], rooms[arrow[0]]); reason != "" {
			t.Errorf("%s may not import %s: %s", arrow[0], arrow[1], reason)
		}
	}
}
