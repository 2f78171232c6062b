package metrics

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/VictoriaMetrics/metrics"
)

// seconds are the bounds of the histograms: the Miner is done at once, an agent may take half an hour.
var seconds = []float64{0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800}

// family is numbers of one name, which differ in their labels.
type family struct {
	kind, name, help string
	labels           []string
	set              *metrics.Set
}

func newFamily(kind, name, help string, labels ...string) *family {
	return &family{kind, name, help, labels, metrics.NewSet()}
}

var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// nameOf names the number with some values of the labels.
func (f *family) nameOf(values []string) string {
	var b strings.Builder
	for i, label := range f.labels {
		value := strings.ToValidUTF8(values[i], "\uFFFD") // a folder's name is bytes
		fmt.Fprintf(&b, `,%s="%s"`, label, escapes.Replace(value))
	}
	return f.name + "{" + b.String()[1:] + "}"
}

func (f *family) count(values ...string) *metrics.Counter {
	return f.set.GetOrCreateCounter(f.nameOf(values))
}

func (f *family) addAmount(amount float64, values ...string) {
	f.set.GetOrCreateFloatCounter(f.nameOf(values)).Add(amount)
}

func (f *family) observe(took time.Duration, values ...string) {
	f.set.GetOrCreatePrometheusHistogramExt(f.nameOf(values), seconds).Update(took.Seconds())
}

// write writes the numbers in Prometheus' text format. The library knows no words of help, which belong to it.
func (f *family) write(to io.Writer) {
	fmt.Fprintf(to, "# HELP %s %s\n# TYPE %s %s\n", f.name, f.help, f.name, f.kind)
	f.set.WritePrometheus(to)
}
