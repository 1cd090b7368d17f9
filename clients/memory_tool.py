"""Compares the memory tool with the published helper that stores files in a folder: the same commands must give the same answers.

    memory_tool.py URL
"""

import re
import sys
import tempfile

import httpx
from anthropic.tools import BetaLocalFilesystemMemoryTool

URL = sys.argv[1]

FILES = "/memories"


def view(path, *lines):
    return {"command": "view", "path": FILES + path, **({"view_range": list(lines)} if lines else {})}


def create(path, text):
    return {"command": "create", "path": FILES + path, "file_text": text}


def replace(path, old, new):
    return {"command": "str_replace", "path": FILES + path, "old_str": old, "new_str": new}


def insert(path, line, text):
    return {"command": "insert", "path": FILES + path, "insert_line": line, "insert_text": text}


def delete(path):
    return {"command": "delete", "path": FILES + path}


def rename(old, new):
    return {"command": "rename", "old_path": FILES + old, "new_path": FILES + new}


COMMANDS = [
    view(""),
    create("/친구.md", "민지\n지훈\n수아\n"),
    create("/친구.md", "다른 글"),
    view("/친구.md"),
    create("/empty.md", ""),
    view("/empty.md"),
    create("/line.md", "\n"),
    view("/line.md"),
    create("/blanks.md", "  앞뒤에 빈칸  \n\n"),
    view("/blanks.md"),
    create("/일/회의.md", "월요일 10시\n월요일 11시\n"),
    create("/일/2026/봄.md", "벚꽃"),
    create("/일/2026/3월/첫째.md", "깊은 곳"),
    create("/.hidden", "숨은 글"),
    view("/.hidden"),
    view(""),
    view("/"),
    view("/일"),
    view("/일/"),
    view("/없음"),
    view("/친구.md", 2, 3),
    view("/친구.md", 2, -1),
    view("/친구.md", 0, 1),
    view("/친구.md", 3, 2),
    view("/친구.md", 9, 12),
    view("/친구.md", 1, -2),
    replace("/친구.md", "지훈", "하준"),
    replace("/친구.md", "없는 말", "x"),
    replace("/일/회의.md", "월요일", "화요일"),
    replace("/일/회의.md", "10시\n월요일", "10시\n화요일"),
    replace("/일", "a", "b"),
    replace("/없음.md", "a", "b"),
    replace("/친구.md", "수아\n", ""),
    view("/친구.md"),
    insert("/친구.md", 0, "처음\n"),
    insert("/친구.md", 1, "하나\n\n셋\n"),
    insert("/친구.md", 1, "\n"),
    insert("/친구.md", 99, "너무 먼 곳"),
    insert("/친구.md", -1, "앞"),
    insert("/empty.md", 0, "이제 글이 있다"),
    insert("/일", 0, "폴더"),
    insert("/없음.md", 0, "글"),
    view("/친구.md"),
    view("/empty.md"),
    rename("/일/2026", "/지난/2026"),
    rename("/친구.md", "/일/회의.md"),
    rename("/친구.md", "/지난"),
    rename("/없음", "/있음"),
    rename("", "/다른"),
    rename("/line.md", "/줄.md"),
    view("/줄.md"),
    create("/지난", "폴더가 있는 곳"),
    view("/지난"),
    create("/100%.md", "퍼센트"),
    create("/a b.md", "빈칸"),
    create("/일/../밖.md", "위로 갔다 온 길"),
    view("/../../etc/passwd"),
    {"command": "view", "path": "/etc/passwd"},
    {"command": "create", "path": "memories/x", "file_text": "x"},
    delete("/없음"),
    delete("/친구.md"),
    view("/친구.md"),
    create("/친구.md", "다시 쓴 글"),
    view("/친구.md"),
    delete("/지난"),
    view("/지난/2026"),
    create("/빈 곳/하나.md", "하나뿐인 글"),
    delete("/빈 곳/하나.md"),
    view("/빈 곳"),
    view(""),
    create("/빈 곳", "폴더가 있는 곳"),
    replace("/빈 곳", "a", "b"),
    create("/깊은/둘/셋.md", "셋"),
    rename("/깊은/둘/셋.md", "/새로/난/곳/셋.md"),
    view("/깊은"),
    rename("/새로/난/곳", "/빈 곳"),
    rename("/깊은", "/얕은"),
    view("/얕은"),
    view("/깊은"),
    delete("/얕은/둘"),
    view("/얕은"),
    rename("/새로/난/곳/셋.md", "/빈 곳/셋.md"),
    rename("/빈 곳/셋.md", "/빈 곳/넷.md"),
    view("/빈 곳"),
    delete("/빈 곳/넷.md"),
    delete("/빈 곳"),
    view("/빈 곳"),
    delete("/새로"),
    view(""),
    delete(""),
    view(""),
]


def same(text):
    """Masks folder sizes, which depend on the file system."""
    return re.sub(r"^[\d.]+[BKMG]\t(/memories/?(?:.*/)?)$", r"-\t\1", text, flags=re.MULTILINE)


with tempfile.TemporaryDirectory() as folder:
    helper = BetaLocalFilesystemMemoryTool(folder)
    different = 0
    for command in COMMANDS:
        try:
            wanted = helper.call(command)
        except Exception as problem:
            wanted = f"refused: {problem}"
        answer = httpx.post(f"{URL}/v1/minds/memory-tool%2Fluna/memory-tool", json=command)
        told = answer.json()["result"] if answer.status_code == 200 else f"refused: {answer.json()['detail']}"
        if same(told) != same(wanted):
            different += 1
            print(f"{command}\n  {wanted!r}\n  {told!r}", file=sys.stderr)
    assert not different, f"{different} of {len(COMMANDS)} commands are answered differently"
print(f"anthropic's memory tool: {len(COMMANDS)} commands answered as the published helper does")
