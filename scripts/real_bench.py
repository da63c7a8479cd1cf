"""Times warplint and what its users know on the sources of real projects.

scripts/bench --real runs this. Each source is read by each tool in turn, so that
other load on the machine affects all of them, and each run gives wall time, CPU
time of all its processes, and the memory of its largest process. CPU time is what
the ratios that matter are made of: it changes little with other load.
"""

import json
import os
import re
import resource
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple


class Source(NamedTuple):
    project: str
    file: Path  # absolute
    folder: Path  # of the command
    arguments: tuple  # of the compiler, without its name, the source and the outputs


class Taken(NamedTuple):
    """What one run took."""
    wall: float
    cpu: float
    memory: float  # MiB of the largest process
    failed: bool = False


CUDA = {".cu"}
# Options of a compiler command that name an output or stop it early.
WITH_VALUE = {"-o", "--output-file", "-MF", "-MT", "-MQ", "--dependency-output"}
ALONE = {"-c", "--compile", "-dc", "--device-c", "-dw", "-M", "-MM", "-MD", "-MMD", "-MP", "-E"}


def arguments_of(words, file):
    """The words of a compiler command that say how its source is read."""
    kept, skip = [], False
    for word in words[1:]:
        if skip:
            skip = False
        elif word in WITH_VALUE:
            skip = True
        elif word not in ALONE and not word.startswith("-o=") and Path(word).name != Path(file).name:
            kept.append(word)
    return kept


def spread(items, count):
    """`count` of the items, at equal distances."""
    if len(items) <= count:
        return list(items)
    return [items[i * len(items) // count] for i in range(count)]


def sources_in(folder, count, name=None):
    """Up to `count` sources of a checkout: those of its compile_commands.json, at the root or
    in a build folder, or else of a sources.txt with a source and its flags on each line."""
    folder = Path(folder).resolve()
    database = next((path for path in [folder / "compile_commands.json", *sorted(folder.glob("*/compile_commands.json"))]
                     if path.is_file()), None)
    listed, found = folder / "sources.txt", {}
    if database:
        for entry in json.loads(database.read_text()):
            words = entry.get("arguments") or shlex.split(entry["command"])
            file = (Path(entry["directory"]) / entry["file"]).resolve()
            is_cuda = file.suffix in CUDA or any(pair == ("-x", "cu") for pair in zip(words, words[1:]))
            if is_cuda and file.is_file():
                found.setdefault(file, Source(name or folder.name, file, Path(entry["directory"]),
                                              tuple(arguments_of(words, entry["file"]))))
    elif listed.is_file():
        for line in listed.read_text().splitlines():
            words = shlex.split(line, comments=True)
            if words:
                file = (folder / words[0]).resolve()
                found.setdefault(file, Source(name or folder.name, file, folder, tuple(words[1:])))
    else:
        sys.exit(f"bench: {folder} has no compile_commands.json and no sources.txt")
    return spread(sorted(found.values(), key=lambda source: source.file), count)


def architecture_of(arguments):
    """The newest architecture that nvcc is asked for; sm_90 if there is none."""
    named = [name for argument in arguments for name in re.findall(r"(?:sm|compute)_(\d+[af]?)", argument)]
    return f"sm_{max(named, key=lambda name: (int(name.rstrip('af')), name))}" if named else "sm_90"


def for_clang(arguments):
    """nvcc's flags that Clang's parse needs, in Clang's words."""
    kept, words = [], iter(arguments)
    for word in words:
        if word in ("-I", "-isystem", "-D", "-U", "-include", "--include-path", "--define-macro"):
            value = next(words, "")
            kept += [{"--include-path": "-I", "--define-macro": "-D"}.get(word, word), value]
        elif re.match(r"-(I|isystem|D|U|std=)", word):
            kept.append(word)
        elif word in ("--extended-lambda", "-extended-lambda", "--expt-extended-lambda", "-expt-extended-lambda"):
            kept.append("-D__CUDACC_EXTENDED_LAMBDA__")
        elif word in ("--expt-relaxed-constexpr", "-expt-relaxed-constexpr"):
            kept.append("-D__CUDACC_RELAXED_CONSTEXPR__")
    return kept


def as_nvcc(cuda):
    """What nvcc says of itself: libraries read other code without it, or stop with an error."""
    found = re.search(r"#define CUDA_VERSION (\d+)", (Path(cuda) / "include" / "cuda.h").read_text(errors="replace"))
    version = int(found.group(1)) if found else 13000
    return ["-D__NVCC__", f"-D__CUDACC_VER_MAJOR__={version // 1000}", f"-D__CUDACC_VER_MINOR__={version % 1000 // 10}",
            "-D__CUDACC_VER_BUILD__=0"]


def finished(command, folder, environment, limit):
    """The exit code of a command; none if it is ended after `limit` seconds, with all its children."""
    running = subprocess.Popen([str(word) for word in command], cwd=folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env={**os.environ, **(environment or {})}, start_new_session=True)
    try:
        return running.wait(limit)
    except subprocess.TimeoutExpired:
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        return None


def take(command, folder, good=(0,), environment=None, limit=None):
    """Runs a command, for `limit` seconds at most, and says what it took, children included."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    # wait4 gives the largest process only of those that were waited for: one
    # command has one tree of processes, so a run in a process of its own has
    # its own maximum.
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            code = finished(command, folder, environment, limit)
            memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
            os.write(writer, json.dumps([code, memory]).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    wall, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    code, memory = json.loads(text) if text else (-1, 0)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Taken(wall, cpu, memory / 1024, code not in good)


def median_of(runs):
    """The run in the middle by CPU time, with the largest memory of all."""
    runs = sorted(runs, key=lambda taken: taken.cpu)
    middle = runs[(len(runs) - 1) // 2]
    return middle._replace(wall=statistics.median(run.wall for run in runs), cpu=statistics.median(run.cpu for run in runs),
                           memory=max(run.memory for run in runs), failed=any(run.failed for run in runs))


class Ratios(NamedTuple):
    """One of our rows against another tool's, over the sources that both could read."""
    sources: int
    median: float
    sum: float
    worst: list  # of (ratio, source), the largest first


def ratios(ours, theirs, field, worst=5):
    """`ours` and `theirs` map a source to what it took; sources that failed are left out."""
    pairs = [(getattr(taken, field) / getattr(theirs[source], field), source) for source, taken in ours.items()
             if source in theirs and not taken.failed and not theirs[source].failed and getattr(theirs[source], field) > 0]
    if not pairs:
        return None
    compared = [source for _, source in pairs]
    total = sum(getattr(ours[source], field) for source in compared) / sum(getattr(theirs[source], field) for source in compared)
    return Ratios(len(pairs), statistics.median(ratio for ratio, _ in pairs), total,
                  sorted(pairs, key=lambda pair: (-pair[0], str(pair[1])))[:worst])


OURS = ("source only", "source only, headers kept", "source only, unchanged", "judged", "judged, unchanged")
PAIRS = [("source only", "Clang's parse"), ("source only, headers kept", "Clang's parse"), ("source only", "nvcc -cubin"),
         ("source only", "clang-tidy"), ("judged", "nvcc -cubin"), ("source only, unchanged", "source only"),
         ("judged, unchanged", "judged")]


def table(taken, sources):
    """The report: `taken` maps a row to what each source took."""
    lines = [f"{len(sources)} sources of {len({source.project for source in sources})} projects; CPU time is user and system time "
             "of all processes", "",
             f"{'work':28} {'against':14} {'sources':>7} {'CPU median':>10} {'sum':>6} {'worst':>6} {'wall median':>11} {'sum':>6}"]
    worst = []
    for ours, theirs in PAIRS:
        if ours not in taken or theirs not in taken:
            continue
        cpu, wall = (ratios(taken[ours], taken[theirs], field) for field in ("cpu", "wall"))
        if not cpu or not wall:
            continue
        lines.append(f"{ours:28} {theirs:14} {cpu.sources:7} {cpu.median:10.3f} {cpu.sum:6.3f} {cpu.worst[0][0]:6.2f} "
                     f"{wall.median:11.3f} {wall.sum:6.3f}")
        worst += ["", f"worst of '{ours}' against '{theirs}', CPU time:",
                  *(f"  {ratio:6.2f}  {taken[ours][source].cpu:7.2f} s {taken[theirs][source].cpu:7.2f} s  {source.project}: {source.file.name}"
                    for ratio, source in cpu.worst)]
    lines += worst + ["", f"{'largest process':28} {'median MiB':>10} {'worst MiB':>10}"]
    for row, of in taken.items():
        good = [(one.memory, source) for source, one in of.items() if not one.failed]
        if good:
            memory, source = max(good, key=lambda pair: pair[0])
            lines.append(f"{row:28} {statistics.median(memory for memory, _ in good):10.0f} {memory:10.0f}  {source.project}: {source.file.name}")
    failed = [f"  {row}: {source.project}: {source.file.name}" for row, of in taken.items() for source, one in of.items() if one.failed]
    return "\n".join([*lines, *(["", "could not be run, and left out:", *failed] if failed else [])])


class Tools:
    """The commands of each row for one source."""

    def __init__(self, warplint, cuda, scratch):
        self.warplint, self.cuda, self.scratch = warplint, cuda, Path(scratch)
        # As scripts/bench: Clang's headers include one of cuRAND's.
        (self.scratch / "curand_mtgp32_kernel.h").touch()
        self.tidy = shutil.which("clang-tidy-22")
        if not self.tidy:
            print("bench: no clang-tidy-22, so no row for it; scripts/setup --bench installs it", file=sys.stderr)

    def rows(self, source):
        """Yields (row, command, folder, good exit codes, environment, prepare). The cold runs come
        before those that use what they left; the other tools stand in between."""
        cache = {"WARPLINT_CACHE_DIR": str(self.scratch / "cache")}
        judged = {"WARPLINT_CACHE_DIR": str(self.scratch / "judged")}
        # A copy is another source with the same headers.
        copy = source.file.with_name(f"{source.file.stem}.warplint-bench{source.file.suffix}")
        ours = lambda file, *options: [self.warplint, "check", "-j1", "--cuda-path", self.cuda, *options, file, "--", *source.arguments]
        good = (0, 1)
        clear = lambda name: lambda: shutil.rmtree(self.scratch / name, ignore_errors=True)
        device = ["-x", "cuda", "--cuda-device-only", "-w", f"--cuda-gpu-arch={architecture_of(source.arguments)}",
                  f"--cuda-path={self.cuda}", "-Wno-unknown-cuda-version", "-isystem", self.cuda / "include" / "cccl",
                  "-idirafter", self.scratch, "-ferror-limit=0", *as_nvcc(self.cuda), *for_clang(source.arguments)]
        yield "Clang's parse", ["clang++-22", "-fsyntax-only", *device, source.file], source.folder, (0, 1), None, None, None
        yield "source only", ours(source.file, "--no-judge"), source.folder, good, cache, clear("cache"), None
        yield ("source only, unchanged", ours(source.file, "--no-judge"), source.folder, good, cache, None, None)

        def write(first):
            def prepare():
                if first:
                    # The headers of all sources are kept from the second source on, those
                    # of libraries from the next one that begins with them, and the
                    # preamble from the fourth.
                    shutil.copyfile(source.file, copy)
                    for turn in range(3):
                        with open(copy, "a") as text:
                            text.write(f"// {turn}\n")
                        take(ours(copy, "--no-judge"), source.folder, good, cache)
                with open(copy, "a") as text:
                    text.write("// last\n")
            return prepare

        yield ("source only, headers kept", ours(copy, "--no-judge"), source.folder, good, cache, write(True),
               lambda: copy.unlink(missing_ok=True))
        yield ("nvcc -cubin", [self.cuda / "bin" / "nvcc", "-cubin", "-w", *one_architecture(source.arguments), "-o",
                               self.scratch / "cubin", source.file], source.folder, (0,), None, None, None)
        yield "judged", ours(source.file), source.folder, good, judged, clear("judged"), None
        yield "judged, unchanged", ours(source.file), source.folder, good, judged, None, None
        if self.tidy:
            yield ("clang-tidy", [self.tidy, "--quiet", "--checks=-*,performance-*", source.file, "--", *device], source.folder,
                   (0, 1), None, None, None)


def one_architecture(arguments):
    """The arguments with one architecture: `nvcc -cubin` makes no more, and judging makes one by default."""
    kept, words = [], iter(arguments)
    for word in words:
        if word in ("-gencode", "--generate-code", "-arch", "--gpu-architecture", "-code", "--gpu-code"):
            next(words, "")
        elif not re.match(r"--?(gencode|generate-code|arch|gpu-architecture|code|gpu-code)=", word):
            kept.append(word)
    return [*kept, f"-arch={architecture_of(arguments)}"]


def measure(tools, sources, runs, words, limit=None):
    taken = {}
    for source in sources:
        each = {}
        for _ in range(runs):
            for row, command, folder, good, environment, prepare, after in tools.rows(source):
                if words and not any(word in row for word in words) and not (row == "source only" and "unchanged" in " ".join(words)):
                    continue
                if prepare:
                    prepare()
                each.setdefault(row, []).append(take(command, folder, good, environment, limit))
                if after:
                    after()
        for row, all_runs in each.items():
            taken.setdefault(row, {})[source] = median_of(all_runs)
        print(f"  {source.project}: {source.file.name}: " +
              ", ".join(f"{row} {taken[row][source].cpu:.2f}" + (" failed" if taken[row][source].failed else "") for row in each),
              file=sys.stderr, flush=True)
    return taken


def at_once(tools, sources, parsed, runs, limit=None):
    """Reads the sources of each project in one run with two jobs and nothing kept, as a first run on a checkout does.
    Returns by project (number of sources, what they took, the sum of Clang's parses in `parsed`, one after another)."""
    taken = {}
    for project in dict.fromkeys(source.project for source in sources):
        own = [source for source in sources if source.project == project and source in parsed and not parsed[source].failed]
        if not own:
            continue
        database = tools.scratch / "compile_commands.json"
        database.write_text(json.dumps([{"directory": str(source.folder), "file": str(source.file),
                                         "arguments": ["nvcc", "-c", *map(str, source.arguments), str(source.file)]}
                                        for source in own]))
        together = []
        for _ in range(runs):
            shutil.rmtree(tools.scratch / "all", ignore_errors=True)
            together.append(take([tools.warplint, "check", "-j2", "--cuda-path", tools.cuda, "--no-judge", "-p", database,
                                  *(source.file for source in own)], own[0].folder, (0, 1, 3),
                                 {"WARPLINT_CACHE_DIR": str(tools.scratch / "all")}, limit and limit * len(own)))
        theirs = Taken(*(sum(getattr(parsed[source], field) for source in own) for field in ("wall", "cpu")), memory=0)
        taken[project] = (len(own), median_of(together), theirs)
    return taken


def table_at_once(taken):
    """What `at_once` took, as lines."""
    lines = ["", "source only, all sources of a project in one run with two jobs, against Clang's parses one after another:"]
    for project, (count, ours, theirs) in taken.items():
        lines.append(f"  {project}: {count} sources, " + ("failed" if ours.failed else
                     f"CPU {ours.cpu / theirs.cpu:.3f} ({ours.cpu:.1f} s), wall {ours.wall / theirs.wall:.3f} ({ours.wall:.1f} s), "
                     f"largest process {ours.memory:.0f} MiB"))
    return "\n".join(lines)


def bench(arguments, root, cuda):
    """What scripts/bench --real runs."""
    sources = [source for folder in arguments.real for source in sources_in(folder, arguments.sources)]
    if not sources:
        sys.exit("bench: no CUDA source in these compile databases")
    with tempfile.TemporaryDirectory() as scratch:
        warplint = arguments.warplint or root / "build" / "warplint"
        tools = Tools(Path(warplint).resolve(), cuda, scratch)
        taken = measure(tools, sources, arguments.runs, arguments.rows, arguments.limit)
        together = at_once(tools, sources, taken.get("Clang's parse", {}), arguments.runs, arguments.limit)
    print(table(taken, sources))
    if together:
        print(table_at_once(together))
    if arguments.json:
        arguments.json.write_text(json.dumps(
            [{"project": source.project, "file": str(source.file), "row": row, **one._asdict()}
             for row, of in taken.items() for source, one in of.items()], indent=1))


# A Slurm job of `scripts/bench --scale` says what it took.
if __name__ == "__main__":
    print(json.dumps(take(sys.argv[1:], Path.cwd(), (0, 1))._asdict()))
