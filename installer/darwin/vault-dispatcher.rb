# Formula for Homebrew, on macOS and on Linux; installer/dist fills it in.
class VaultDispatcher < Formula
  desc "Answers the questions your notes ask"
  homepage "{{.Homepage}}"
  version "{{.Version}}"
  license "MIT"
{{range $os, $name := .Systems}}
  on_{{$name}} do
{{- range $arch, $cpu := $.Processors}}{{with $.Archive $os $arch}}
    on_{{$cpu}} do
      url "{{.URL}}"
      sha256 "{{.Sum}}"
    end
{{- end}}{{end}}
  end
{{end}}
  def install
    bin.install Dir["wiki", "wiki-hub", "wiki-tray"]
    man1.install Dir["man/*.1.gz"]
    man5.install Dir["man/*.5.gz"]
    bash_completion.install "completions/wiki.bash" => "wiki"
    zsh_completion.install "completions/_wiki"
    fish_completion.install "completions/wiki.fish"
    doc.install "README.md", "CHANGELOG.md", "LICENSE", "THIRD-PARTY-LICENSES.txt"
  end

  def caveats
    "Nothing starts by itself: run wiki setup. Run wiki service uninstall before you uninstall."
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/wiki version")
  end
end
