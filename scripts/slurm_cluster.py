"""A Slurm of one machine: the test of docs/scale.md and `scripts/bench --scale` submit jobs to it."""

import os
import shutil
import socket
import subprocess
import time

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
    """One node, all of whose files are in `folder`, and whose daemons are ours and end with us. Its jobs find `warplint`."""

    def __init__(self, folder, warplint):
        self.folder = folder
        self.daemons = []
        for name in ("state", "spool"):
            (folder / name).mkdir()
        key = folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        (folder / "slurm.conf").write_text(self.configuration())
        (folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")  # none is used
        self.environment = dict(os.environ, PATH=f"{warplint.parent}:{PATH}", SLURM_CONF=str(folder / "slurm.conf"),
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


def missing_programs():
    return [name for name in (*DAEMONS, "sbatch", "setpriv") if not shutil.which(name, path=PATH)]
