package speech

import (
	"bytes"
	"context"
	"os"

	"vaultdispatcher/engine/agent"
)

// forms are small sounds that note apps play, the one that most programs know first.
var forms = []struct {
	ext, begin string
	args       []string
}{
	{".mp3", "", []string{"-c:a", "libmp3lame", "-b:a", "48k", "-f", "mp3"}},
	{".ogg", "OggS", []string{"-c:a", "libopus", "-b:a", "32k", "-f", "ogg"}},
}

// compressSound makes a small file of a WAV file, where ffmpeg is there and can.
func compressSound(ctx context.Context, wav []byte, vault string) (File, bool) {
	if _, err := agent.Find("ffmpeg", nil, vault); err != nil {
		return File{}, false
	}
	for _, f := range forms {
		args := append([]string{"-hide_banner", "-loglevel", "error", "-f", "wav", "-i", "pipe:0", "-vn", "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact"}, f.args...)
		run := agent.Program{Path: "ffmpeg", Args: append(args, "pipe:1"), Dir: os.TempDir(), Vault: vault, Input: string(wav), Timeout: turnTime, Limit: 256 << 20}
		ended, err := run.Run(ctx)
		if err == nil && ended.Status == 0 && len(ended.Output) > 0 && bytes.HasPrefix(ended.Output, []byte(f.begin)) {
			return File{f.ext, ended.Output}, true
		}
	}
	return File{}, false
}
