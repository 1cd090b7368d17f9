"""Finds macro calls in Rust sources and splits their arguments."""

import re


def skip(text, at):
    """Returns the end of the comment, string or character literal that begins at `at`, or `at` if none begins there."""
    if text.startswith('//', at):
        end = text.find('\n', at)
        return len(text) if end < 0 else end
    if text.startswith('/*', at):
        return text.index('*/', at) + 2
    raw = re.compile(r'b?r(#*)"').match(text, at)
    if raw and not (at and (text[at - 1].isalnum() or text[at - 1] == '_')):
        return text.index('"' + raw.group(1), raw.end()) + 1 + len(raw.group(1))
    if text[at] == '"':
        at += 1
        while text[at] != '"':
            at += 2 if text[at] == '\\' else 1
        return at + 1
    if text[at] == "'":
        char = re.compile(r"'(\\u\{[0-9a-fA-F]+\}|\\x[0-9a-fA-F]{2}|\\.|[^\\'])'").match(text, at)
        return char.end() if char else at + 1
    return at


def close(text, at):
    """Returns the index after the bracket that closes the one at `at`."""
    depth = 0
    while True:
        end = skip(text, at)
        if end > at:
            at = end
            continue
        if text[at] in '([{':
            depth += 1
        elif text[at] in ')]}':
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1


def split(inside):
    """Splits macro arguments at their top-level commas. Generic arguments are not understood."""
    parts, start, at, depth = [], 0, 0, 0
    while at < len(inside):
        end = skip(inside, at)
        if end > at:
            at = end
            continue
        if inside[at] in '([{':
            depth += 1
        elif inside[at] in ')]}':
            depth -= 1
        elif inside[at] == ',' and depth == 0:
            parts.append(inside[start:at].strip())
            start = at + 1
        at += 1
    last = inside[start:].strip()
    return parts + [last] if last else parts


def calls(text, names):
    """Yields (name, start, end, arguments) of each call of one of these macros outside comments and strings."""
    at = 0
    word = re.compile(r'(?:\$crate::|saegim_core::|crate::say::)?\b(' + '|'.join(names) + r')!\(')
    while at < len(text):
        end = skip(text, at)
        if end > at:
            at = end
            continue
        found = word.match(text, at)
        if found and not (at and (text[at - 1].isalnum() or text[at - 1] == '_')):
            end = close(text, found.end() - 1)
            yield found.group(1), at, end, found.end(), split(text[found.end():end - 1])
            at = found.end()
            continue
        at += 1


def literal(part):
    """Returns the value of a string literal, or None."""
    if len(part) < 2 or part[0] != '"' or skip(part, 0) != len(part):
        return None
    inside = re.sub(r'\\\n\s*', '', part[1:-1])
    escapes = {'n': '\n', 't': '\t', 'r': '\r', '0': '\0', '\\': '\\', '"': '"', "'": "'"}

    def unescape(found):
        if found.group(1):
            return chr(int(found.group(1), 16))
        return escapes[found.group(2)]

    return re.sub(r'\\(?:u\{([0-9a-fA-F]+)\}|(.))', unescape, inside)


PLACE = re.compile(r'\{\{|\}\}|\{([A-Za-z_0-9]*)(?::([^{}]*))?\}')


def places(text):
    """Returns the placeholders of a format string as (start, end, name, spec); `{{` and `}}` are left out."""
    found, number = [], 0
    for place in PLACE.finditer(text):
        if place.group(0) in ('{{', '}}'):
            continue
        name = place.group(1)
        if name == '':
            name, number = str(number), number + 1
        found.append((place.start(), place.end(), name, place.group(2) or ''))
    return found
