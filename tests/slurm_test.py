"""A tree in sixteen shares on a real Slurm: what docs/scale.md tells people to submit, submitted.

slurm_test.py PATH-TO-WARPLINT; exits with 77, which is "skipped", where there is no Slurm or it does not start.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

WARPLINT = Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else Path("warplint")
ROOT = Path(__file__).resolve().parent.parent
# Where Debian has daemons, which users need not have on their PATH.
PATH = f"{os.environ['PATH']}:/usr/sbin:/sbin"
DAEMONS = ("munged", "slurmctld", "slurmd")


class DoesNotStart(Exception):
    pass


def wait_until(is_so, seconds):
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(0.2)
    return True


def free_ports(count):
    holders = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [holder.getsockname()[1] for holder in holders]
    for holder in holders:
        holder.close()
    return ports


class Cluster:
    """One node, all of whose files are in `folder`, and whose daemons are ours and end with us."""

    def __init__(self, folder):
        self.folder = folder
        self.daemons = []
        for name in ("state", "spool"):
            (folder / name).mkdir()
        key = folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        (folder / "slurm.conf").write_text(self.configuration())
        (folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")  # none is used
        self.environment = dict(os.environ, PATH=f"{WARPLINT.parent}:{PATH}", SLURM_CONF=str(folder / "slurm.conf"),
                                WARPLINT_CACHE_DIR=str(folder / "cache"))

    def configuration(self):
        node, user = socket.gethostname().split(".")[0], os.getuid()
        controller, daemon = free_ports(2)
        return f"""ClusterName=test
SlurmctldHost={node}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={daemon}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={self.folder}/munge.socket
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SwitchType=switch/none
MpiDefault=none
SchedulerParameters=sched_interval=1,batch_sched_delay=0
ReturnToService=2
NodeName={node} NodeAddr=127.0.0.1 CPUs={os.cpu_count()}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""

    def start(self):
        self.run_daemon("munged", "--foreground", "--force", f"--key-file={self.folder}/munge.key",
                        f"--socket={self.folder}/munge.socket", f"--pid-file={self.folder}/munged.pid",
                        f"--seed-file={self.folder}/munged.seed")
        self.wait_for("munged", (self.folder / "munge.socket").exists)
        self.run_daemon("slurmctld", "-D", "-c")
        self.run_daemon("slurmd", "-D")
        self.wait_for("slurmd", lambda: self.says("sinfo", "--noheader", "-o", "%t") == "idle")

    def run_daemon(self, name, *arguments):
        with open(self.folder / f"{name}.log", "wb") as log:
            # The daemon ends with this test, whatever ends that.
            self.daemons.append(subprocess.Popen(["setpriv", "--pdeathsig", "TERM", name, *arguments], stdout=log,
                                                 stderr=log, env=self.environment, cwd=self.folder))

    def wait_for(self, name, is_up):
        ended = lambda: any(daemon.poll() is not None for daemon in self.daemons)
        if not wait_until(lambda: is_up() or ended(), 180) or ended():
            raise DoesNotStart(f"{name} does not start here:\n{self.logs()}")

    def logs(self):
        return "".join((self.folder / f"{name}.log").read_text(errors="replace") for name in DAEMONS
                       if (self.folder / f"{name}.log").exists())

    def says(self, *command):
        done = subprocess.run(command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return done.stdout.strip()

    def stop(self):
        if len(self.daemons) == len(DAEMONS):
            self.says("scancel", "--partition", "all")
            wait_until(lambda: not self.says("squeue", "--noheader"), 20)
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(timeout=10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        self.daemons.clear()


def the_documented_jobs():
    page = (ROOT / "docs" / "scale.md").read_text()
    return re.search(r"^### Slurm\n.*?^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL).group(1)


class Slurm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="warplint-slurm")
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = Path(scratch.name)
        cls.cluster = Cluster(cls.folder)
        cls.addClassCleanup(cls.cluster.stop)
        try:
            cls.cluster.start()
        except DoesNotStart as why:
            cls.doClassCleanups()
            print(f"SKIPPED: {why}", file=sys.stderr)
            sys.exit(77)

    def tree(self, name):
        """Some of our kernels with the commands of a build."""
        tree = self.folder / name
        (tree / "src").mkdir(parents=True)
        for source in ("arithmetic.cu", "blocks.cu", "launches.cu", "locals.cu", "shared.cu", "accessors.h", "truth.h"):
            shutil.copy(ROOT / "kernels" / "truth" / source, tree / "src")
        (tree / "build").mkdir()
        commands = [{"directory": str(tree / "build"), "file": str(source),
                     "arguments": ["nvcc", "-arch=sm_90", "-c", str(source)]}
                    for source in sorted((tree / "src").rglob("*.cu"))]
        (tree / "build" / "compile_commands.json").write_text(json.dumps(commands))
        return tree

    def warplint(self, tree, *arguments):
        return subprocess.run([WARPLINT, *arguments], cwd=tree, env=self.cluster.environment, capture_output=True, text=True)

    def submit(self, tree):
        done = subprocess.run(["bash", "-euc", the_documented_jobs()], cwd=tree, env=self.cluster.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertTrue(wait_until(lambda: not self.cluster.says("squeue", "--noheader"), 400),
                        self.cluster.says("squeue") + self.said(tree) + self.cluster.logs())

    def said(self, tree):
        """By all jobs."""
        return "".join(file.read_text() for file in sorted(tree.glob("slurm-*.out")))

    def testTheReportIsThatOfOneMachine(self):
        tree = self.tree("whole")
        self.submit(tree)
        self.assertEqual(len(list(tree.glob("part*"))), 16, self.said(tree))
        whole = self.warplint(tree, "check", "-p", "build", "--format", "html", "-o", "whole.html")
        self.assertIn(whole.returncode, (1, 3), whole.stderr)  # 3: a machine without a toolkit
        self.assertTrue((tree / "report.html").exists(), self.said(tree))
        self.assertEqual((tree / "report.html").read_bytes(), (tree / "whole.html").read_bytes())
        parts = [file.name for file in tree.glob("part*")]
        for form in ("text", "json", "markdown", "sarif"):
            with self.subTest(form):
                merged = self.warplint(tree, "merge", *parts, "--format", form)
                alone = self.warplint(tree, "check", "-p", "build", "--format", form)
                self.assertEqual((merged.returncode, merged.stdout), (alone.returncode, alone.stdout))

    # Half a report would look like a good one.
    def testAShareThatFailsLeavesNoReport(self):
        tree = self.tree("broken")
        (tree / "build" / "compile_commands.json").write_text("[{")
        self.submit(tree)
        self.assertEqual(self.said(tree).count("cannot read compile database"), 16)
        self.assertFalse((tree / "report.html").exists())


if __name__ == "__main__":
    missing = [name for name in (*DAEMONS, "sbatch", "setpriv") if not shutil.which(name, path=PATH)]
    if missing:
        print(f"SKIPPED: no {', '.join(missing)}; Debian's slurm-wlm has what is needed", file=sys.stderr)
        sys.exit(77)
    unittest.main()
