#!/usr/bin/env python3
"""What Nsight Compute counts, access by access.

  measure.py count OUT PROGRAM...    on a machine with a GPU: runs each program under ncu and
                                     writes OUT/counters.json.gz (every counter of every
                                     instruction) and OUT/PROGRAM.sass (which lines an
                                     instruction comes from, inlined calls and all)
  measure.py table OUT > accesses.csv

A program is PROGRAM.cu, built with: nvcc -cudart static -arch=sm_90 -std=c++17 -lineinfo
--extended-lambda -o OUT/PROGRAM PROGRAM.cu
"""
import collections, csv, glob, gzip, json, os, re, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))


# --- counting: needs ncu, cuobjdump and nvdisasm ------------------------------


def ncu_report():
    """The library that reads reports comes with ncu, outside of Python's path."""
    for folder in sorted(glob.glob("/opt/nvidia/nsight-compute/*/extras/python") +
                         glob.glob("/usr/local/cuda*/nsight-compute*/extras/python")):
        sys.path.append(folder)
    import ncu_report
    return ncu_report


def launches(report):
    """Each launch with all its counters by instruction."""
    context = ncu_report().load_report(report)
    for index in range(context.num_ranges()):
        range_ = context.range_by_idx(index)
        for number in range(range_.num_actions()):
            action = range_.action_by_idx(number)
            counters, launch = {}, {}
            for name in action.metric_names():
                metric = action.metric_by_name(name)
                if name.startswith("launch__"):
                    launch[name] = metric.value()
                if not metric.num_instances() or not metric.has_correlation_ids():
                    continue
                pcs = metric.correlation_ids()
                counters[name] = {str(pcs.as_uint64(i)): metric.value(i)
                                  for i in range(metric.num_instances())}
            pcs = sorted({int(pc) for values in counters.values() for pc in values})
            yield {"kernel": action.name(action.NameBase_MANGLED),
                   "shown": action.name(action.NameBase_DEMANGLED),
                   "launch": launch, "counters": counters,
                   "sass": {str(pc): action.sass_by_pc(pc) for pc in pcs}}


def count(out, programs):
    counted = {}
    for program in programs:
        name = os.path.basename(program)
        report = os.path.join(out, name)
        subprocess.run(["ncu", "--clock-control", "none", "--section", "SourceCounters",
                        "--section", "LaunchStats", "-f", "-o", report, program], check=True)
        counted[name] = list(launches(report + ".ncu-rep"))
        for old in glob.glob("*.cubin"):
            os.remove(old)
        subprocess.run(["cuobjdump", "-xelf", "all", program], check=True)
        with open(report + ".sass", "w") as listing:
            for cubin in sorted(glob.glob("*.cubin")):
                subprocess.run(["nvdisasm", "-gi", "-c", cubin], stdout=listing, check=True)
                os.remove(cubin)
    with gzip.open(os.path.join(out, "counters.json.gz"), "wt") as file:
        json.dump(counted, file)


# --- the table ----------------------------------------------------------------

ACCESSES = {"LDG": [("global", "load")], "STG": [("global", "store")],
            "ATOMG": [("global", "atomic")], "REDG": [("global", "atomic")],
            "LDS": [("shared", "load")], "STS": [("shared", "store")],
            "ATOMS": [("shared", "atomic")],
            "LDGSTS": [("global", "load"), ("shared", "store")]}
GENERIC = {"LD": "load", "ST": "store", "ATOM": "atomic"}
SPACES = {4: "global", 16: "shared"}  # memory_type, as ncu numbers it


def frames_by_offset(listing):
    """Kernel -> offset of an instruction -> its source lines, innermost first."""
    kernels, frames, fresh = {}, [], True
    for line in open(listing):
        if match := re.match(r"\.text\.(\S+):", line):
            offsets = kernels.setdefault(match[1], {})
            frames = []
        elif match := re.match(r'\s*//## File "([^"]*)", line (\d+)', line):
            if fresh:
                frames = []
            frames.append((match[1], int(match[2])))
            fresh = False
        elif match := re.match(r"\s*/\*([0-9a-f]{4,})\*/", line):
            offsets[int(match[1], 16)] = frames
            fresh = True
    return kernels


def opcode(sass):
    return re.sub(r"^@!?U?P\w+\s+", "", sass.strip()).split()[0]


def accesses(out):
    """(program, launch, sass, frames, counters) of each access of each launch."""
    counted = json.load(gzip.open(os.path.join(out, "counters.json.gz"), "rt"))
    for program, launches in counted.items():
        frames = frames_by_offset(os.path.join(out, program + ".sass"))
        for launch in launches:
            kernel = frames.get(launch["kernel"])
            if not kernel:
                continue
            counters = launch["counters"]
            first = counters["launch__function_pcs"]["0"]
            for pc in counters["memory_type"]:
                values = {name: by_pc[pc] for name, by_pc in counters.items() if pc in by_pc}
                yield program, launch, launch["sass"][pc], kernel.get(int(pc) - first, []), values


def spaces(sass, values):
    name = opcode(sass).split(".")[0]
    if name in GENERIC:
        return [(SPACES.get(values["memory_type"], "generic"), GENERIC[name])]
    return ACCESSES.get(name, [])


def place(frames):
    """The innermost frame in this folder: what a library does there is the caller's."""
    for path, line in frames:
        if os.path.exists(os.path.join(HERE, os.path.basename(path))):
            return os.path.basename(path), line
    return None


def notes():
    """Rows that are not for the source to tell, with why: by kernel and a piece of the line."""
    with open(os.path.join(HERE, "notes.csv")) as file:
        return list(csv.DictReader(file))


def note_of(row, text, all_notes):
    for note in all_notes:
        if (note["kernel"] == row["kernel"] and note["text"] in text and
                note["space"] in ("", row["space"]) and note["op"] in ("", row["op"])):
            note["used"] = True
            return note["decidable"]
    return "1"


class Sum:
    def __init__(self):
        self.requests = self.sectors = self.wavefronts = self.ideal = 0
        self.widths = set()

    def add(self, sass, values):
        self.requests += values["inst_executed"]
        self.sectors += values.get("memory_l2_theoretical_sectors_global", 0)
        self.wavefronts += values.get("memory_l1_wavefronts_shared", 0)
        self.ideal += values.get("memory_l1_wavefronts_shared_ideal", 0)
        width = re.search(r"\.U?S?(8|16|64|128)\b", opcode(sass))
        vector = re.search(r"F32x([24])", opcode(sass))
        self.widths.add(4 * int(vector[1]) if vector else int(width[1]) // 8 if width else 4)


def table(out):
    sums = collections.OrderedDict()
    for program, launch, sass, frames, values in accesses(out):
        where = place(frames)
        # An instruction that every lane was kept out of is no request.
        if not where or not values["thread_inst_executed_true"]:
            continue
        shape = "x".join(str(launch["launch"]["launch__block_dim_" + d]) for d in "xyz")
        name = re.sub(r"^void ", "", re.sub(r"[<(].*", "", launch["shown"]))
        for space, op in spaces(sass, values):
            key = (program + ".cu", where[0], where[1], name, shape, space, op)
            sums.setdefault(key, Sum()).add(sass, values)
    lines = {name: open(os.path.join(HERE, name)).read().split("\n")
             for name in {key[1] for key in sums}}
    all_notes = notes()
    columns = ("program,file,line,kernel,block,space,op,bytes,requests,sectors_per_request,"
               "conflict_ways,decidable").split(",")
    writer = csv.DictWriter(sys.stdout, columns, lineterminator="\n")
    writer.writeheader()
    for key, sum_ in sorted(sums.items()):
        row = dict(zip(columns, key))
        row["bytes"] = "+".join(map(str, sorted(sum_.widths)))
        row["requests"] = sum_.requests
        if row["space"] == "global":
            row["sectors_per_request"] = f"{sum_.sectors / sum_.requests:.4g}"
        elif row["space"] == "shared" and sum_.ideal:
            row["conflict_ways"] = f"{sum_.wavefronts / sum_.ideal:.4g}"
        row["decidable"] = note_of(row, lines[row["file"]][row["line"] - 1], all_notes)
        writer.writerow(row)
    for note in all_notes:
        if "used" not in note:
            sys.exit(f"no row for the note of {note['kernel']}: {note['text']}")


def main():
    if len(sys.argv) > 3 and sys.argv[1] == "count":
        count(sys.argv[2], sys.argv[3:])
    elif len(sys.argv) == 3 and sys.argv[1] == "table":
        table(sys.argv[2])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
