#!/usr/bin/env python3
"""Tries to make warplint run a program that a hostile repository names.

    security_test.py WARPLINT

Each way leaves a marker if the program ran. The ways that go through nvcc's
shell need a real nvcc: without one they are skipped, loudly.
"""

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

WARPLINT = Path(sys.argv[1]).resolve()
KERNEL = """\
__global__ void gather(float *out, const float *in, int n) {
  float t[64];
  for (int k = 0; k < n; ++k) t[k & 63] = in[threadIdx.x * 32 + k];
  out[threadIdx.x * 32] = t[n & 63];
}
"""
failures = []


def nvcc():
    for variable in ("CUDA_PATH", "CUDA_HOME"):
        if os.environ.get(variable) and os.access(f"{os.environ[variable]}/bin/nvcc", os.X_OK):
            return f"{os.environ[variable]}/bin/nvcc"
    return shutil.which("nvcc") or ("/usr/local/cuda/bin/nvcc" if os.access("/usr/local/cuda/bin/nvcc", os.X_OK) else "")


class Tree:
    """A repository whose compile database has one command a way."""

    def __init__(self, root):
        self.root = root
        self.markers = root / "markers"
        self.markers.mkdir(parents=True)
        (root / ".git").mkdir()
        self.commands = []
        self.ways = []

    def program(self, name, marker):
        """A program that leaves a marker and then does nothing."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\ntouch '{self.markers}/{marker}'\nexit 0\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def way(self, name, *words, source=None, directory=None):
        """`words`: the command, in which SOURCE is the source's name."""
        path = self.root / (source or f"{name}.cu")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(KERNEL)
        self.ways.append(name)
        if words:
            self.commands.append({
                "directory": str(directory or self.root), "file": str(path),
                "arguments": [str(path) if word == "SOURCE" else str(word) for word in words]})

    def write(self):
        (self.root / "compile_commands.json").write_text(json.dumps(self.commands))

    def came(self):
        """The markers, which are gone afterwards."""
        found = sorted(marker.name for marker in self.markers.iterdir())
        for marker in self.markers.iterdir():
            marker.unlink()
        return found


def hostile(root):
    tree = Tree(root)
    touch = lambda marker: f"touch {tree.markers}/{marker}"
    # The compiler itself.
    tree.program("tools/bin/nvcc", "nvcc-relative")
    tree.way("nvcc-relative", "./tools/bin/nvcc", "-c", "SOURCE")
    tree.way("nvcc-absolute", tree.program("absolute/bin/nvcc", "nvcc-absolute"), "-c", "SOURCE")
    tree.way("nvcc-with-headers", tree.program("kit/bin/nvcc", "nvcc-with-headers"), "-c", "SOURCE")
    (root / "kit/include").mkdir()
    for header in ("cuda.h", "cuda_runtime.h"):
        (root / "kit/include" / header).write_text("#define CUDA_VERSION 13000\n")
    tree.way("nvcc-behind-launcher", "ccache", tree.program("late/nvcc-13", "nvcc-behind-launcher"), "-c", "SOURCE")
    tree.way("launcher", tree.program("tools/ccache", "launcher"), "nvcc", "-c", "SOURCE")
    tree.way("nvcc-wrapper", tree.program("tools/nvcc_wrapper", "nvcc-wrapper"), "-c", "SOURCE")
    tree.way("clang", tree.program("tools/clang++", "clang"), "-x", "cuda", "-c", "SOURCE")
    tree.way("clang-cuda-path", "clang++", "-x", "cuda", f"--cuda-path={root}/kit", "-c", "SOURCE")
    tree.program("tools/link", "nvcc-by-link").unlink()
    (root / "tools/link").mkdir()
    (root / "tools/link/nvcc").symlink_to(tree.program("tools/linked", "nvcc-by-link"))
    tree.way("nvcc-by-link", root / "tools/link/nvcc", "-c", "SOURCE")
    # A bare name beside the sources, where the command runs.
    tree.program("here/gcc", "name-beside")
    tree.program("here/g++", "name-beside")
    tree.program("here/nvcc", "name-beside")
    tree.way("name-beside", "nvcc", "-c", "SOURCE", directory=root / "here")
    # The host compiler.
    evil = tree.program("evil", "host-compiler")
    for number, words in enumerate((["-ccbin", "./evil"], [f"-ccbin={evil}"], ["--compiler-bindir", evil], ["-ccbin", root / "here"])):
        tree.way(f"ccbin-{number}", "nvcc", *words, "-c", "SOURCE")
    tree.program("g++-99", "ccbin-name")
    tree.way("ccbin-name", "nvcc", "-ccbin", "g++-99", "-c", "SOURCE")
    tree.way("ccbin-interpreter", "nvcc", "-ccbin", "/usr/bin/perl", "-c", "SOURCE")
    for number, words in enumerate((
            ["-Xcompiler", f"-wrapper,{evil}"], ["-Xcompiler", f"-wrapper -Xcompiler {evil}"], ["-Xcompiler=-wrapper", "-Xcompiler", evil],
            ["-Xcompiler", f"-B{root}/here"], ["-Xcompiler", f"-fplugin={evil}"], ["-Xcompiler", f"-specs={root}/specs"],
            ["-forward-unknown-to-host-compiler", "-wrapper", "./evil"], ["-Xcompiler", f"-o{tree.markers}/written"],
            ["-Xcompiler", f"-MD -MF {tree.markers}/written"], ["-Xcompiler", f"-Wp,-MD,{tree.markers}/written"],
            ["-Xptxas", f"--output-file={tree.markers}/written"], ["-Xcudafe", f"--gen_c_file_name={tree.markers}/written"],
            ["-o", f"{tree.markers}/written"], ["--keep", "--keep-dir", tree.markers], ["-MD", "-MF", f"{tree.markers}/written"],
            ["--time", f"{tree.markers}/written"], ["-arbin", evil], ["--use-local-env"], [f"-o{tree.markers}/written"],
            ["-forward-unknown-to-host-compiler", f"-o{tree.markers}/written"], ["-include", "@gcc-options"],
            ["-isystem", "@gcc-options"], ["-Xcompiler", "-include", "-Xcompiler", "@gcc-options"], ["--cuda-path", f"-ccbin={evil}"],
            ["--offload-arch", f"-ccbin={evil}"], ["-Xcuda-ptxas", f"-ccbin={evil}"], ["-D", f"-ccbin={evil}"])):
        tree.way(f"option-{number}", "nvcc", *words, "-c", "SOURCE")
    (root / "specs").write_text(f"*cc1plus:\n{evil}\n")
    (root / "options").write_text(f"-ccbin {evil}\n")
    (root / "gcc-options").write_text(f"-wrapper {evil}\n")
    tree.way("options-file", "nvcc", "--options-file", "options", "-c", "SOURCE")
    tree.way("response-file", "nvcc", "@options", "-c", "SOURCE")
    # nvcc starts its parts by a shell.
    for number, words in enumerate((
            ["-DX=$(" + touch("shell") + ")"], ["-DX=`" + touch("shell") + "`"], ['-DX="$(' + touch("shell") + ')"'],
            ["-Xcompiler", ";" + touch("shell") + ";"], ["-Xcompiler", "-DX=$(" + touch("shell") + ")"],
            ["-Xcompiler", '"-DX=1";' + touch("shell") + ';""'], ["-Xptxas", ";" + touch("shell") + ";"],
            ["-Xcudafe", ";" + touch("shell") + ";"], ["-Xcompiler", f"-DX=1>{tree.markers}/shell"],
            ["-arch=sm_90;" + touch("shell")], ["-gencode", "arch=compute_90;" + touch("shell") + ",code=sm_90"],
            ["-std=c++17`" + touch("shell") + "`"], ["-I$(" + touch("shell") + ")"], ['-DX=\\";' + touch("shell") + ';\\"'],
            ['-UX\\";' + touch("shell") + ';\\"'], ["-DX=\\\\,$(" + touch("shell") + ")"], ["-I\\$(" + touch("shell") + ")"],
            ["-e", ";" + touch("shell") + ";"], ["-sanitize", ";" + touch("shell") + ";"],
            ["-frandom-seed", '";' + touch("shell") + ';"'], ['-I"a";' + touch("shell") + ';"b"'])):
        tree.way(f"shell-{number}", "nvcc", *words, "-c", "SOURCE")
    # Names of files, which need no database.
    tree.way("name-1", source="$(touch marker).cu")
    tree.way("name-2", source="`touch marker`.cu")
    tree.way("name-3", source="$(touch marker)/inner.cu")
    tree.way("name-4", source='a";touch marker;".cu')
    tree.way("name-5", source='b\\";touch marker;\\".cu')
    # The folder of a header, which no flag names.
    for number, name in enumerate(("$(touch marker)", "\\$(touch marker)", '";touch marker;"', '\\";touch marker;\\"')):
        (root / name).mkdir(exist_ok=True)
        (root / name / f"found_{number}.h").write_text("")
        tree.way(f"header-{number}", source=f"bare/includes_{number}.cu")
        (root / f"bare/includes_{number}.cu").write_text(f'#include "found_{number}.h"\n{KERNEL}')
    # Messages about the whole tree.
    (root / ".warplint.yaml").write_text("architectures: [sm_90]\n")
    (root / "hooks").mkdir()
    tree.program("fsmonitor", "git")
    tree.write()
    return tree


def run(tree, *arguments, stdin=None, directory=None, accepts=None):
    environment = dict(os.environ, WARPLINT_CACHE_DIR=str(tree.root / "cache"), TMPDIR=str(tree.root / "tmp"))
    (tree.root / "tmp").mkdir(exist_ok=True)
    done = subprocess.run([str(WARPLINT), *map(str, arguments)], cwd=directory or tree.root, env=environment, input=stdin,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if accepts and done.returncode not in accepts:
        failures.append(f"'warplint {' '.join(map(str, arguments))}' ended with {done.returncode}: {done.stderr.decode()[:500]}")
    ran = tree.came()
    for path in list(tree.root.rglob("marker")):
        ran.append(str(path.relative_to(tree.root)))
        path.unlink()
    if ran:
        failures.append(f"'warplint {' '.join(map(str, arguments))}' ran or wrote: {', '.join(ran)}")
    return done


def messages(*bodies):
    text = b""
    for body in bodies:
        data = json.dumps({"jsonrpc": "2.0", **body}).encode()
        text += b"Content-Length: %d\r\n\r\n%s" % (len(data), data)
    return text


def in_an_editor(tree, *options):
    """Opens and saves every source, and waits for what is published of each."""
    sources = sorted({command["file"] for command in tree.commands})
    server = subprocess.Popen([str(WARPLINT), "lsp", *options], cwd=tree.root, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              env=dict(os.environ, WARPLINT_CACHE_DIR=str(tree.root / "cache")))
    server.stdin.write(messages({"id": 1, "method": "initialize", "params": {"rootUri": f"file://{tree.root}", "capabilities": {}}},
                                {"method": "initialized", "params": {}}))
    for source in sources:
        document = {"uri": f"file://{source}", "languageId": "cuda-cpp", "version": 1, "text": KERNEL}
        server.stdin.write(messages({"method": "textDocument/didOpen", "params": {"textDocument": document}}))
        server.stdin.flush()
        while b"publishDiagnostics" not in body(server.stdout):
            pass
    server.stdin.write(messages({"id": 2, "method": "shutdown"}, {"method": "exit"}))
    server.stdin.close()
    server.wait()
    if ran := tree.came():
        failures.append(f"'warplint lsp {' '.join(options)}' ran or wrote: {', '.join(ran)}")


def body(stream):
    length = 0
    while (line := stream.readline().strip()):
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    if not length:
        sys.exit("security_test: the language server ended early")
    return stream.read(length)


def runs_what_is_typed(tree):
    """What the user types after `--` is no word of the database beside -p."""
    if not nvcc():
        return
    (tree.root / "mine").mkdir()
    (tree.root / "mine/typed.cu").write_text(KERNEL)
    (tree.root / "mine/compile_commands.json").write_text(json.dumps([
        {"directory": str(tree.root), "file": str(tree.root / "mine/typed.cu"),
         "arguments": ["nvcc", "-c", str(tree.root / "mine/typed.cu")]}]))
    subprocess.run([str(WARPLINT), "check", "--no-cache", "-p", "mine", "mine/typed.cu", "--", "-ccbin", str(tree.root / "evil")],
                   cwd=tree.root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if "host-compiler" not in tree.came():
        failures.append("-ccbin after '--' is dropped as if the database said it")


def tells_no_other_file(folder):
    """An options file outside the project is not opened, by whatever name."""
    project, outside = folder / "project", folder / "outside"
    for each in (project, project / ".git", outside):
        each.mkdir()
    (outside / "secret").write_text("-Iword1 word2 -DX=word3 -word4\n")
    (project / "nested").write_text(f"--options-file {outside}/secret\n")
    (project / "link").symlink_to(outside / "secret")
    ways = (["--options-file", "../outside/secret"], [f"--options-file={outside}/secret"], [f"@{outside}/secret"],
            ["--options-file", "nested"], ["-optf", "link"], ["-optf", "secret"])
    commands = []
    for number, words in enumerate(ways):
        (project / f"{number}.cu").write_text(KERNEL)
        commands.append({"directory": str(outside if words[-1] == "secret" else project),
                         "file": str(project / f"{number}.cu"), "arguments": ["nvcc", *words, "-c", f"{project}/{number}.cu"]})
    (project / "compile_commands.json").write_text(json.dumps(commands))
    for command in (["check"], ["check", "--no-judge"], ["accesses"], ["resources"]):
        done = subprocess.run([str(WARPLINT), *command, "--no-cache", "."], cwd=project, capture_output=True)
        if b"word" in done.stdout + done.stderr:
            failures.append(f"'warplint {command[0]}' shows what a file outside the project holds")
        if command[0] == "check" and b"outside/secret" not in done.stdout:
            failures.append("the report does not name the options file that is left out")
    (project / "own").write_text("-DOWN=1\n")
    (project / "own.cu").write_text("#ifdef OWN\n" + KERNEL + "#endif\n")
    (project / "compile_commands.json").write_text(json.dumps([
        {"directory": str(project), "file": f"{project}/own.cu", "arguments": ["nvcc", "-optf", "own", "-c", f"{project}/own.cu"]}]))
    done = subprocess.run([str(WARPLINT), "check", "--no-judge", "."], cwd=project, capture_output=True)
    if done.returncode != 1:
        failures.append("an options file of the project itself is not read")


def merges_no_other_file(folder):
    """A part of a report that was written elsewhere shows no lines of other files."""
    theirs, ours = folder / "theirs", folder / "ours"
    for each in (theirs, ours, ours / ".git"):
        each.mkdir()
    (theirs / "a.cu").write_text(KERNEL.replace("float t[64];", "float t[64]; // secret").replace("= in[", "= /*secret*/ in["))
    for format in ("html", "sarif", "text"):
        subprocess.run([str(WARPLINT), "check", "--no-judge", "--shard", "1/1", "--format", format, "-o", str(ours / "part"), "a.cu"],
                       cwd=theirs, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        done = subprocess.run([str(WARPLINT), "merge", "--format", format, "part"], cwd=ours, capture_output=True)
        if done.returncode != 1 or b"secret" in done.stdout:
            failures.append(f"merge --format {format} shows lines of a file outside the project")
    if b"no line is shown" not in subprocess.run([str(WARPLINT), "merge", "part"], cwd=ours, capture_output=True).stdout:
        failures.append("merge does not say that lines are not shown")


def shows_no_line_of_other_files(folder):
    """A `#line` that names a file outside the project, in every format and judged as well."""
    project, outside = folder / "project", folder / "outside"
    for each in (project, project / ".git", outside):
        each.mkdir()
    (outside / "key").write_text("secret\n" * 9)
    (project / "link").symlink_to(outside / "key")
    for name in (outside / "key", "../outside/key", "link"):
        for directive in ("#line 2", "# 2"):
            (project / "a.cu").write_text(KERNEL.replace("{\n", f'{{\n{directive} "{name}"\n', 1))
            for words in (["--format", "text"], ["--format", "html"], ["--format", "github"], ["--no-judge", "--format", "markdown"],
                          ["--no-judge", "--format", "sarif"]):
                done = subprocess.run([str(WARPLINT), "check", "--all", "--minor", *words, "."], cwd=project, capture_output=True)
                if done.returncode != 1 or b"secret" in done.stdout:
                    failures.append(f"check {' '.join(words)} ends with {done.returncode} or shows a line of '{name}' by '{directive}'")


def escapes_no_terminal(folder):
    """Names of files with escape sequences and line breaks, through every printer of text."""
    project = folder / "escape\x1b[31m\n::error::folder"
    project.mkdir()
    name = "a\x1b[31m\n::error::b.cu"
    (project / name).write_text(KERNEL)
    (project / ".warplint.yaml").write_text('skip: ["x\\e7"]\nblocks: {"k\\e7": 32}\n')
    for number in (1, 2):
        row = {"kernel": f"k\x1b[31m{number}", "signature": "k", "arch": "sm_90\x1b", "source": name, "registers": 10 * number}
        (project / f"{number}.json").write_text(json.dumps({"warplint": "1", "schema": 1, "resources": [row]}))
    for words in (["check", "--no-judge", "."], ["check", "--no-judge", "--statistics", "."], ["accesses", "."],
                  ["accesses", "--summary", "."], ["accesses", "--disagree", "."], ["resources", "."], ["config", name],
                  ["diff", "1.json", "2.json"], ["check", "--no-judge", name, "--", "-DX=\x1b["]):
        done = subprocess.run([str(WARPLINT), *words, "--color=never"] if words[0] == "check" else [str(WARPLINT), *words],
                              cwd=project, capture_output=True)
        lines = (done.stdout + done.stderr).split(b"\n")
        if any(b"\x1b" in line or line.startswith(b"::error") for line in lines):
            failures.append(f"'warplint {' '.join(words[:2])}' prints control characters: {done.stdout[:200] + done.stderr[:200]}")


def runs_no_program_of_git(folder):
    """What the configuration of a repository names, of one that a clone holds as files, and of a folder in PATH."""
    tree = Tree(folder / "work")
    git = lambda *words, cwd=tree.root: subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a", *words], cwd=cwd, check=True, capture_output=True)
    (tree.root / ".git").rmdir()
    git("init", "-q", ".")
    (tree.root / "a.cu").write_text(KERNEL)
    (tree.root / "b.cu").write_text(KERNEL)
    (tree.root / ".gitattributes").write_text("*.cu filter=x diff=x\n")
    (tree.root / ".gitignore").write_text("cache\ntmp\nmarkers\n")
    git("add", ".")
    git("commit", "-qm", "a")
    (tree.root / "a.cu").write_text(KERNEL + "\n")
    for name in ("clean", "smudge", "process", "textconv", "command"):
        program = tree.program(name, name)
        for section in ("filter", "diff"):
            git("config", f"{section}.x.{name}", str(program))
    for setting in ("core.sshCommand", "core.fsmonitor", "core.pager", "diff.external", "core.gitProxy"):
        git("config", setting, str(tree.program(setting, setting)))
    run(tree, "check", "--no-cache", "--diff", "HEAD", accepts=(0, 1, 3))
    path = os.environ["PATH"]
    for name in ("git", "tar", "gcc", "nvcc"):
        tree.program(name, f"path-{name}")
    for relative in (f".:{path}", f":{path}"):
        os.environ["PATH"] = relative
        run(tree, "check", "--no-cache", "--diff", "HEAD", accepts=(0, 1, 3))
        run(tree, "check", "--no-cache", "a.cu", accepts=(1,))
    os.environ["PATH"] = path
    # Objects that are missing come from the remote.
    blob = git("rev-parse", "HEAD:b.cu").stdout.decode().strip()
    (tree.root / f".git/objects/{blob[:2]}/{blob[2:]}").unlink()
    for setting, value in (("extensions.partialClone", "origin"), ("remote.origin.promisor", "true"), ("remote.origin.url", "x:/nowhere"),
                           ("core.repositoryFormatVersion", "1")):
        git("config", setting, value)
    run(tree, "check", "--no-cache", "--diff", "HEAD", accepts=(0, 1, 2, 3))
    # A bare repository among the files of another one.
    inner = folder / "work2"
    inner.mkdir()
    tree = Tree(inner)
    (tree.root / ".git").rmdir()
    git("init", "-q", "--bare", ".", cwd=inner)
    for setting, value in (("core.bare", "false"), ("core.worktree", str(inner)), ("filter.x.clean", str(tree.program("bare", "bare")))):
        git("config", setting, value, cwd=inner)
    (inner / ".gitattributes").write_text("*.cu filter=x\n")
    (inner / "a.cu").write_text(KERNEL)
    (inner / "index").unlink(missing_ok=True)
    run(tree, "check", "--no-cache", "--diff", "HEAD", accepts=(0, 1, 2, 3))


def main():
    for part in (runs_no_program_of_git, tells_no_other_file, merges_no_other_file, shows_no_line_of_other_files, escapes_no_terminal):
        with tempfile.TemporaryDirectory(prefix="warplint-security-") as folder:
            part(Path(folder).resolve())
    with tempfile.TemporaryDirectory(prefix="warplint-security-") as folder:
        tree = hostile(Path(folder).resolve())
        print(f"{len(tree.ways)} ways")
        everything = run(tree, "check", "--all", "--format", "json", ".")
        if everything.returncode not in (1, 3):
            failures.append(f"check ended with {everything.returncode}: {everything.stderr.decode()[:500]}")
        else:
            report = json.loads(everything.stdout)
            said = "\n".join(report.get("notes", []))
            if nvcc() and "--trust-compiler" not in said:
                failures.append("the report does not say which programs it did not run, and how to trust them")
            # A harmless command is judged all the same.
            if nvcc() and not any(finding["verdict"] == "confirmed" for finding in report["findings"]):
                failures.append("nothing is judged")
        run(tree, "check", "--no-judge", ".")
        run(tree, "accesses", ".")
        run(tree, "accesses", "--from", "ptx", ".")
        run(tree, "resources", ".")
        in_an_editor(tree, "--no-judge")
        in_an_editor(tree)
        run(tree, "check", "--shard", "1/1", "-o", "part", ".")
        run(tree, "merge", "part")
        run(tree, "collect", ".")
        runs_what_is_typed(tree)
        # The one that the user trusts runs.
        trusted = run(tree, "check", "--trust-compiler", f"{tree.root}/tools/bin/*", tree.root / "nvcc-relative.cu")
        if not any("nvcc-relative" in failure for failure in failures[-1:]):
            failures.append(f"--trust-compiler does not let the compiler run: {trusted.stderr.decode()[:500]}")
        elif failures:
            failures.pop()
    for failure in failures:
        print(failure)
    if not nvcc():
        print("SKIPPED: NO NVCC HERE, so what its shell would run was not tried")
        sys.exit(1 if failures else 77)
    sys.exit(bool(failures))


main()
