# Recipe for Nix, of the archives of a release; installer/dist fills it in. nix-build -E
# '(import <nixpkgs> {}).callPackage ./vault-dispatcher.nix {}' builds it.
{ lib, stdenv, fetchurl, installShellFiles }:
let
  archives = {
{{- range $name, $of := .Nixes}}{{with $.Archive $of.OS $of.Arch}}
    {{$name}} = { url = "{{.URL}}"; sha256 = "{{.Sum}}"; };
{{- end}}{{end}}
  };
in
stdenv.mkDerivation {
  pname = "vault-dispatcher";
  version = "{{.Version}}";
  src = fetchurl (archives.${stdenv.hostPlatform.system} or (throw "no archive for ${stdenv.hostPlatform.system}"));
  nativeBuildInputs = [ installShellFiles ];
  dontStrip = true;
  installPhase = ''
    install -Dm755 -t $out/bin wiki wiki-hub
    [ ! -e wiki-tray ] || install -Dm755 -t $out/bin wiki-tray
    installManPage man/*.gz
    installShellCompletion --cmd wiki --bash completions/wiki.bash --fish completions/wiki.fish --zsh completions/_wiki
    install -Dm644 -t $out/share/doc/vault-dispatcher LICENSE THIRD-PARTY-LICENSES.txt
  '';
  meta = {
    description = "Answers the questions your notes ask";
    homepage = "{{.Homepage}}";
    license = lib.licenses.mit;
    mainProgram = "wiki";
    platforms = builtins.attrNames archives;
    sourceProvenance = [ lib.sourceTypes.binaryNativeCode ];
  };
}
