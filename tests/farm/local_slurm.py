"""A private Slurm cluster with one node on this machine, in its own folder. The machine's own Slurm and munge are not
touched."""
import os
import pathlib
import pwd
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time

PROGRAMS = ('munged', 'slurmctld', 'slurmd', 'sbatch', 'squeue', 'scontrol', 'sinfo')
NODE = 'farm'

CONFIGURATION = '''
ClusterName=gvbindtest
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
# cred_expire is also how long a requeued job waits.
AuthInfo=socket={folder}/munge.sock,cred_expire=5
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/slurmd.log
PlugStackConfig={folder}/plugstack.conf
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=10
# More than the machine may have, so that the tasks of an array run side by side and meet on the disk.
NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 CPUs=16 RealMemory=65536 State=UNKNOWN
PartitionName=all Nodes={node} Default=YES MaxTime=INFINITE State=UP
'''


class Unavailable(Exception):
    """The reason why a cluster cannot be started here."""


def clean_environment():
    """Our environment without the variables of a surrounding cluster or CI, and with the folder of Debian's daemons in
    PATH."""
    clean = {key: value for key, value in os.environ.items() if not re.match('SLURM|SBATCH|GITHUB', key)}
    return {**clean, 'PATH': clean['PATH'] + os.pathsep + '/usr/sbin'}


def missing_programs(programs, environment):
    return [program for program in programs if not shutil.which(program, path=environment['PATH'])]


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(('127.0.0.1', 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


class LocalSlurm:
    """with LocalSlurm(folder) as slurm: the cluster is running. At the end, all its processes are ended."""

    def __init__(self, folder, environment):
        """`environment` is also used for jobs, and must not refer to another Slurm."""
        self.folder = pathlib.Path(folder)
        self.environment = {**environment, 'SLURM_CONF': str(self.folder / 'slurm.conf')}

    def __enter__(self):
        if missing := missing_programs(PROGRAMS, self.environment):
            raise Unavailable('not installed: ' + ', '.join(missing))
        self.configure()
        keeper = pathlib.Path(__file__).with_name('keep_alive.py')
        self.keeper = subprocess.Popen([sys.executable, '-B', keeper, self.folder, NODE], env=self.environment, text=True,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        try:
            self.wait_for_node()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.keeper.stdin.close()
        self.keeper.wait()
        self.keeper.stdout.close()

    def configure(self):
        for name in ('state', 'spool', 'log'):
            (self.folder / name).mkdir(parents=True)
        key = self.folder / 'munge.key'
        key.touch(mode=0o600)
        key.write_bytes(secrets.token_bytes(128))
        (self.folder / 'plugstack.conf').touch()
        controller_port, node_port = free_ports(2)
        (self.folder / 'slurm.conf').write_text(CONFIGURATION.format(
            folder=self.folder, node=NODE, host=socket.gethostname().split('.')[0], user=pwd.getpwuid(os.geteuid()).pw_name,
            controller_port=controller_port, node_port=node_port))

    def wait_for_node(self, patience=120):
        told = self.keeper.stdout.readline().strip()
        if told != 'started':
            raise Unavailable(told + self.last_log_lines())
        give_up = time.monotonic() + patience
        while time.monotonic() < give_up and self.keeper.poll() is None:
            state = self.run('sinfo', '-h', '-o', '%T', timeout=300, check=False)
            if state.stdout.strip() == 'idle':
                return
            time.sleep(0.2)
        raise Unavailable('the node does not come up' + self.last_log_lines())

    def last_log_lines(self):
        lines = [line for log in sorted((self.folder / 'log').glob('*')) for line in log.read_text(errors='replace').splitlines()
                 if re.search('error|fatal', line, re.IGNORECASE)]
        return ''.join('\n  ' + line for line in lines[-8:])

    def run(self, *command, cwd=None, timeout=600, check=True):
        return subprocess.run([str(word) for word in command], cwd=cwd, env=self.environment, text=True, capture_output=True,
                              timeout=timeout, check=check)

    def jobs(self, job):
        """State of a job, or of each task of an array: a dictionary of the fields of scontrol for each."""
        told = self.run('scontrol', 'show', 'job', '-o', job).stdout
        return [dict(re.findall(r'(\w+)=(\S*)', line)) for line in told.splitlines() if line.strip()]

    def wait_for(self, job, patience=3000):
        """Waits until the job, including all tasks of an array, has ended. Returns jobs()."""
        give_up = time.monotonic() + patience
        while time.monotonic() < give_up:
            jobs = self.jobs(job)
            if not any(one['JobState'] in ('PENDING', 'RUNNING', 'COMPLETING', 'CONFIGURING', 'REQUEUED', 'SUSPENDED')
                       for one in jobs):
                return jobs
            time.sleep(0.2)
        raise TimeoutError(f'job {job} has not ended: {jobs}{self.last_log_lines()}')
