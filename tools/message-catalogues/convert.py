#!/usr/bin/env python3
"""Moves inline texts of `phrase!("english", "korean", ..)` and `say!(language, "english", "korean", ..)` to the catalogues.

Usage: convert.py TREE [CRATE ...]    (see README.md)
"""

import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from rust import calls, literal, places  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
STOP = set('a an the is are was were be it its this that these those of to in on at for and or with by from must use you'.split())
SECTIONS = {'command.command': 'command.start', 'engine.engine': 'engine.models', 'store.sqlite': 'store.open', 'app.cli': 'command.cli',
            'cli.time': 'command.cli'}

CALLS = {
    'view::short(': 'id', 'view::when(': 'at', 'view::level(': 'level', 'view::style(': 'style', 'view::reason(': 'reason',
    'language.left(': 'left', 'self.language.left(': 'left', 'self.language.ago(': 'ago', 'day(': 'day', 'name(': 'subject',
    'NAMES.': 'names', 'FIELDS.': 'fields', 'needs.join': 'needs', 'MIGRATIONS.len()': 'known',
}


def section(path):
    """Returns the first parts of the keys of a source file: area and module."""
    crate, inside = re.match(r'crates/(\w+)/(?:src/)?(.*)\.rs$', path).groups()
    parts = inside.split('/')
    if parts[-1] in ('mod', 'lib', 'main') and len(parts) > 1:
        parts.pop()
    stem = parts[-1]
    area = crate
    if crate == 'app':
        area = parts[0] if len(parts) > 1 or parts[0] == 'settings' else 'app'
        for folder in ('mem0', 'openai'):
            if folder in parts:
                stem = folder
    both = f'{area}.{stem}'
    return SECTIONS.get(both, both)


def slug(english):
    head = re.split(r'[;:] ', english)[0]
    head = english if len(head) < 6 else head
    words = re.sub(r'\{[^}]*\}', ' ', head).replace("'", '').lower()
    words = [word for word in re.sub(r'[^a-z0-9]', ' ', words).split() if word not in STOP]
    return '_'.join(words[:5]) or 'text'


def placeholder(expression):
    """Derives the name of a placeholder from the expression that fills it."""
    text = re.sub(r'\s+', ' ', expression)
    if text.isidentifier():
        return text.lower()
    for begin, name in CALLS.items():
        if text.startswith(begin):
            return name
    text = re.sub(r'^names::count\(([^,]*),.*', r'\1', text)
    text = re.sub(r'\.(len|display|as_str|to_string|join|clone|unwrap_or_default|name)\([^()]*\)', '', text)
    words = [word for word in re.findall(r'[A-Za-z_]\w*', text) if word not in ('self', 'view', 'names')]
    return words[-1].lower() if words and text[0] != '(' else (words[0].lower() if words else 'value')


class Converter:
    def __init__(self, tree):
        self.tree = tree
        self.names = json.load(open(f'{HERE}/names.json'))
        self.arguments = json.load(open(f'{HERE}/arguments.json'))
        self.guessed, self.failed = [], []
        self.read()

    def catalogue(self, language, area):
        return f'{self.tree}/crates/messages/{language}/{area}.toml'

    def read(self):
        """Reads the catalogues of the tree, so that a text keeps the key it has."""
        self.entries = {'en': {}, 'ko': {}}
        for language, entries in self.entries.items():
            folder = f'{self.tree}/crates/messages/{language}'
            for file in sorted(os.listdir(folder)):
                for line in open(f'{folder}/{file}'):
                    if ' = ' in line and not line.startswith('#'):
                        key, text = line.split(' = ', 1)
                        entries[key] = json.loads(text)

    def call(self, path, arguments):
        """Returns the new arguments of a call, or None if it has no inline texts."""
        if len(arguments) < 2:
            return None
        english, korean = literal(arguments[0]), literal(arguments[1])
        if english is None or korean is None:
            return None
        given = arguments[2:]
        found = {'en': places(english), 'ko': places(korean)}
        uses = {language: {(name, spec) for _, _, name, spec in all} for language, all in found.items()}
        if uses['en'] != uses['ko']:
            self.failed.append((path, english, korean, 'other placeholders'))
            return None
        order = []
        for _, _, name, spec in found['en']:
            if (name, spec) not in order:
                order.append((name, spec))
        values, renamed = [], {}
        override = self.arguments.get(english, {})
        for name, spec in order:
            if name.isdigit():
                expression = given[int(name)]
                new = override.get(name) or placeholder(expression)
            else:
                named = [one for one in given if re.match(rf'{name}\s*=[^=]', one)]
                expression = named[0].split('=', 1)[1].strip() if named else name
                new = override.get(name) or name.lower()
            while new in renamed.values():
                new += '_2'
                self.failed.append((path, english, expression, f'named {new}'))
            renamed[name, spec] = new
            if spec:
                expression = f'format_args!("{{:{spec}}}", {expression})' if not expression.isidentifier() else \
                    f'format_args!("{{{expression}:{spec}}}")'
            values.append(new if expression == new else f'{new} = {expression}')
            if name.isdigit() and name not in override:
                self.guessed.append((new, f'{expression}   in {english[:60]!r}'))

        def rewritten(text, all):
            done, last = '', 0
            for start, end, name, spec in all:
                done += text[last:start] + '{' + renamed[name, spec] + '}'
                last = end
            return done + text[last:]

        texts = rewritten(english, found['en']), rewritten(korean, found['ko'])
        key = self.key_of(path, english, korean, texts)
        return ', '.join([json.dumps(key)] + values)

    def key_of(self, path, english, korean, texts):
        """Returns the key of a text: the one names.json gives it, the one it has, or a guess."""
        area, module = section(path).split('.')
        given = self.names.get(f'{area}.{module}|{english}|{korean}') or self.names.get(f'{area}.{module}|{english}')
        if given is None:
            for key, text in self.entries['en'].items():
                if (text, self.entries['ko'][key]) == texts and key.startswith(f'{area}.'):
                    return key
        base = slug(english) if given is None else given
        base = f'{area}.{base}' if '.' in base else f'{area}.{module}.{base}'
        key, number = base, 2
        while key in self.entries['en'] and (self.entries['en'][key], self.entries['ko'][key]) != texts:
            key, number = f'{base}_{number}', number + 1
        if given is None or key != base:
            self.guessed.append((key, english))
        self.entries['en'][key], self.entries['ko'][key] = texts
        return key

    def file(self, path):
        name = f'{self.tree}/{path}'
        text = open(name).read()
        count = 0
        while True:
            for macro, _, end, inside, arguments in reversed(list(calls(text, ['phrase', 'say']))):
                before = f'{arguments[0]}, ' if macro == 'say' else ''
                new = self.call(path, arguments[1:] if macro == 'say' else arguments)
                if new is not None:
                    text = text[:inside] + before + new + text[end - 1:]
                    count += 1
                    break
            else:
                break
        text = re.sub(r'(?<!reason)(\.in_language\((?:[^()]|\([^()]*\))*\))\s*\.to_owned\(\)', r'\1', text)
        text = re.sub(r'(\.tell\()(\w+\.in_language\()', r'\1&\2', text)
        if text != open(name).read() or path in self.edited:
            open(name, 'w').write(imported(text))
        return count

    def write(self):
        areas = sorted({key.split('.')[0] for key in self.entries['en']})
        for language, entries in self.entries.items():
            for area in areas:
                lines, module = [], None
                for key in sorted(key for key in entries if key.startswith(f'{area}.')):
                    if module not in (None, key.split('.')[1]):
                        lines.append('')
                    module = key.split('.')[1]
                    lines.append(f'{key} = {toml(entries[key])}')
                open(self.catalogue(language, area), 'w').write('\n'.join(lines) + '\n')


def toml(text):
    return json.dumps(text, ensure_ascii=False)


def edit(tree, paths):
    """Applies the edits that a person made: FILE, then the old and the new text."""
    sources, edited = {path: open(f'{tree}/{path}').read() for path in paths}, set()
    for block in open(f'{HERE}/edits.txt').read().split('\n@@@@ ')[1:]:
        head, body = block.split('\n', 1)
        old, new = body.split('\n====\n', 1)
        new = new.rstrip('\n')
        pattern = re.compile(r'\s+'.join(re.escape(word) for word in old.split()))
        hits = [(path, found) for path, text in sources.items() for found in [pattern.search(text)] if found]
        preferred = [hit for hit in hits if hit[0] == head.strip()] or hits
        if not preferred:
            if head.split('/')[1] in {path.split('/')[1] for path in paths}:
                print('EDIT NOT FOUND', head, '|', old.strip().split('\n')[0])
            continue
        for path, found in preferred:
            if ' '.join(old.split()) in ' '.join(new.split()) and ' '.join(new.split()) in ' '.join(sources[path].split()):
                continue
            while found:
                sources[path] = sources[path][:found.start()] + new + sources[path][found.end():]
                found = pattern.search(sources[path], found.start() + len(new))
            open(f'{tree}/{path}', 'w').write(sources[path])
            edited.add(path)
    return edited


def imported(text):
    """Corrects what a file imports of `Phrase`, `Language` and `phrase` after its calls have changed."""
    found = re.search(r'^use (saegim_core|crate)::(\{[^;]*\}|\w+);\n', text, re.M)
    if not found:
        return text
    rest = text[:found.start()] + text[found.end():]
    names = [name.strip() for name in found.group(2).strip('{}').split(',') if name.strip()]
    if any('{' in name or '::' in name for name in names):
        return text
    plain, _, tests = re.sub(r'//[^\n]*', '', rest).partition('#[cfg(test)]\nmod tests')

    def used(name, where):
        return re.search(rf'(?<![\w:]){name}\b', where)

    checked = [name for name in names if name in ('Phrase', 'Language', 'phrase') and not used(name, plain)]
    names = [name for name in names if name not in checked]
    only_tests = [name for name in checked if used(name, tests) and not re.search(rf'use .*\b{name}\b', tests)]
    if re.search(r'(?<![\w:])phrase!\(', plain) and 'phrase' not in names:
        names.append('phrase')
    inside = f'{{{", ".join(names)}}}' if len(names) != 1 else names[0]
    line = f'use {found.group(1)}::{inside};\n' if names else ''
    text = text[:found.start()] + line + text[found.end():]
    for name in only_tests:
        text = text.replace('    use super::*;\n', f'    use super::*;\n    use {found.group(1)}::{name};\n', 1)
    return text


def main():
    tree, crates = os.path.abspath(sys.argv[1]), sys.argv[2:]
    paths = []
    for crate in crates or sorted(os.listdir(f'{tree}/crates')):
        for folder, _, files in os.walk(f'{tree}/crates/{crate}'):
            if '/target' not in folder:
                paths += [os.path.relpath(f'{folder}/{file}', tree) for file in sorted(files) if file.endswith('.rs')]
    edited = edit(tree, paths)
    converter = Converter(tree)
    converter.edited = edited
    counts = {}
    for path in sorted(paths):
        counts[path.split('/')[1]] = counts.get(path.split('/')[1], 0) + converter.file(path)
    converter.write()
    print(counts, len(converter.entries['en']), 'messages')
    for what, all in (('GUESSED', converter.guessed), ('FAILED', converter.failed)):
        for one in all:
            print(what, *one, sep='\t')


main()
