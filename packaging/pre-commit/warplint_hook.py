#!/usr/bin/env python3
"""warplint as a hook of pre-commit: warplint-hook [OPTIONS of 'warplint check'...] FILES...

pre-commit passes the files that it is about, and nothing says which of its runs this is:

- between two revisions (--from-ref, a push) it sets two variables: the lines that changed since the first count;
- at a commit each file differs from HEAD: the lines that changed since HEAD count;
- else (--all-files, --files) all lines of the files count.
"""

import os
import subprocess
import sys

# As in .pre-commit-hooks.yaml.
SUFFIXES = (".cu", ".cuh", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inc", ".inl")


def split(words):
    """The user's options and the files, which stand at the end."""
    first = len(words)
    while first and words[first - 1].endswith(SUFFIXES):
        first -= 1
    return words[:first], words[first:]


def git(*words):
    done = subprocess.run(["git", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout if done.returncode == 0 else ""


def changed():
    return set(git("diff", "--name-only", "-z", "HEAD").split("\0"))


def check(*options, **streams):
    try:
        return subprocess.run(["warplint", "check", *options], **streams).returncode
    except FileNotFoundError:
        sys.exit("warplint-hook: there is no 'warplint' on PATH")


def main():
    options, files = split(sys.argv[1:])
    start = os.environ.get("PRE_COMMIT_FROM_REF")
    if start:
        return check("--diff", start, *options)
    if changed().issuperset(files):
        return check("--diff", "HEAD", *options)
    nothing = git("hash-object", "-t", "tree", "/dev/null").strip()
    with subprocess.Popen(["git", "diff", "--no-color", "--no-ext-diff", nothing, "--", *files], stdout=subprocess.PIPE) as whole:
        return check("--diff", "-", *options, ".", stdin=whole.stdout)


if __name__ == "__main__":
    sys.exit(main())
