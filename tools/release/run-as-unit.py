#!/usr/bin/python3
"""Runs a unit as systemd does, where systemd does not run.

Usage: run-as-unit.py [--in FOLDER] UNIT-FILE [INSTANCE]

Applied are the unit's variables, credentials, user, capabilities, limit of files, address families, namespaces and system
calls, with the lists of `systemd-analyze syscall-filter` and systemd's default of killing the process. Not applied are
MemoryMax and mounts (ProtectSystem and its like). As root it becomes the unit's user.

--in FOLDER, for tests: FOLDER takes the place of /etc/event, /opt/event/current, /run and /var/lib, its owner that of the
unit's user, and the program that NODE names that of /usr/bin/node.
"""
import ctypes
import errno
import os
import pwd
import resource
import shlex
import shutil
import subprocess
import sys

import seccomp

NAMESPACES = {
    'cgroup': 0x02000000, 'uts': 0x04000000, 'ipc': 0x08000000, 'user': 0x10000000,
    'pid': 0x20000000, 'net': 0x40000000, 'mnt': 0x00020000,
}
FAMILIES = {'AF_UNIX': 1, 'AF_INET': 2, 'AF_INET6': 10, 'AF_NETLINK': 16}
LAST_FAMILY = 46
LAST_CAPABILITY = 40
PR_CAPBSET_DROP = 24
PROT_WRITE, PROT_EXEC = 2, 4

arguments = sys.argv[1:]
folder = None
if arguments[:1] == ['--in']:
    folder = os.path.abspath(arguments[1])
    arguments = arguments[2:]
if not 1 <= len(arguments) <= 2:
    sys.exit(__doc__)
file = arguments[0]
instance = arguments[1] if len(arguments) == 2 else ''
name = os.path.basename(file).replace('@', f'@{instance}')
credentials = f'{folder}/credentials' if folder else f'/run/credentials/{name}'

with open(file) as unit:
    text = unit.read()
if folder:
    text = text.replace('/usr/bin/node', os.environ['NODE'])
    for path in ('/opt/event/current', '/etc/event', '/var/lib'):
        text = text.replace(path, folder)


def settings(name):
    lines = [line[len(name) + 1:] for line in text.split('\n') if line.startswith(f'{name}=')]
    return [
        '%'.join(part.replace('%i', instance).replace('%d', credentials) for part in line.split('%%'))
        for line in lines
    ]


def words(name):
    return [word for line in settings(name) for word in shlex.split(line)]


def setting(name):
    return (settings(name) or [''])[-1]


def system_calls(group):
    listed = subprocess.run(
        ['systemd-analyze', 'syscall-filter', group], check=True, capture_output=True, text=True
    ).stdout.split('\n')
    names = {line.strip() for line in listed[1:] if line.strip() and not line.strip().startswith('#')}
    for nested in {name for name in names if name.startswith('@')}:
        names |= system_calls(nested)
    return {name for name in names if not name.startswith('@')}


def load(filter_, rules):
    for action, name, *conditions in rules:
        filter_.add_rule(action, name, *conditions)
    filter_.load()


def masked(place, value):
    return seccomp.Arg(place, seccomp.MASKED_EQ, value, value)


def filter_of_system_calls():
    allowed = system_calls('@default')
    for line in settings('SystemCallFilter'):
        named = line.lstrip('~').split()
        calls = set().union(*(system_calls(name) if name.startswith('@') else {name} for name in named))
        allowed = allowed - calls if line.startswith('~') else allowed | calls
    number = setting('SystemCallErrorNumber')
    refused = seccomp.ERRNO(getattr(errno, number)) if number else seccomp.KILL_PROCESS
    known = {name for name in allowed if seccomp.resolve_syscall(seccomp.Arch(), name) >= 0}
    return seccomp.SyscallFilter(refused), [(seccomp.ALLOW, name) for name in known]


def namespace_rules():
    retained = words('RestrictNamespaces')
    refused = [] if retained in ([], ['no']) else [flag for name, flag in NAMESPACES.items() if name not in retained]
    for flag in refused:
        for name, place in (('unshare', 0), ('clone', 0), ('setns', 1)):
            yield seccomp.ERRNO(errno.EPERM), name, masked(place, flag)
    if refused:
        # Its flags lie in memory, which a filter cannot read. Callers then use clone().
        yield seccomp.ERRNO(errno.ENOSYS), 'clone3'


def family_rules():
    allowed = [FAMILIES[name] for name in words('RestrictAddressFamilies')]
    for family in range(LAST_FAMILY) if allowed else []:
        if family not in allowed:
            yield seccomp.ERRNO(errno.EAFNOSUPPORT), 'socket', seccomp.Arg(0, seccomp.EQ, family)


def memory_rules():
    if setting('MemoryDenyWriteExecute') == 'yes':
        yield seccomp.ERRNO(errno.EPERM), 'mmap', masked(2, PROT_WRITE | PROT_EXEC)
        yield seccomp.ERRNO(errno.EPERM), 'mprotect', masked(2, PROT_EXEC)


def own_folder(path):
    os.makedirs(path, mode=0o700, exist_ok=True)
    if is_root:
        os.chown(path, owner.pw_uid, owner.pw_gid)


is_root = os.geteuid() == 0
owner = pwd.getpwuid(os.stat(folder).st_uid) if folder else pwd.getpwnam(setting('User'))
variables = {'PATH': os.environ['PATH'], 'CREDENTIALS_DIRECTORY': credentials}
for passed in ('NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE'):
    if passed in os.environ:
        variables[passed] = os.environ[passed]
if setting('StateDirectory'):
    variables['STATE_DIRECTORY'] = f"{folder or '/var/lib'}/{setting('StateDirectory')}"
    own_folder(variables['STATE_DIRECTORY'])
for given in settings('EnvironmentFile'):
    with open(given) as lines:
        variables |= dict(line.strip().split('=', 1) for line in lines if line[:1].isalpha())
variables |= dict(pair.split('=', 1) for pair in words('Environment'))

own_folder(credentials)
for pair in settings('LoadCredential'):
    credential, path = pair.split(':')
    copy = os.path.join(credentials, credential)
    if os.path.exists(copy):
        os.remove(copy)
    shutil.copy(path, copy)
    os.chmod(copy, 0o400)
    if is_root:
        os.chown(copy, owner.pw_uid, owner.pw_gid)

os.umask(int(setting('UMask') or '0022', 8))
if setting('LimitNOFILE'):
    limit = int(setting('LimitNOFILE'))
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if most < limit:
        # A container may have less.
        print(f'{name} has LimitNOFILE={limit}, but runs with {most}, the most that this machine allows', file=sys.stderr)
    limit = min(limit, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
if is_root:
    libc = ctypes.CDLL(None)
    for capability in range(LAST_CAPABILITY + 1) if settings('CapabilityBoundingSet') == [''] else []:
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    os.setgroups([])
    os.setgid(owner.pw_gid)
    os.setuid(owner.pw_uid)

# Loading a filter also sets no_new_privs. The one that may forbid the loading of more comes last.
others = [*namespace_rules(), *family_rules(), *memory_rules()]
last = filter_of_system_calls()
if others:
    load(seccomp.SyscallFilter(seccomp.ALLOW), others)
load(*last)
command = words('ExecStart')
after = setting('ExecStartPost')
if not after:
    os.execvpe(command[0], command, variables)
status = subprocess.call(command, env=variables)
if status == 0:
    # With `-` it may fail.
    ended = subprocess.call(shlex.split(after.lstrip('-')), env=variables)
    status = 0 if after.startswith('-') else ended
sys.exit(status)
