"""Build the guide as a site: `make docs`.

    .venv-docs/bin/python docs/make_site.py

The pages of docs/ and of the root are laid out in one folder, as zensical.toml names them. Links between pages hold on
the site as in the repository; a link to another file of the repository becomes the words that it stands on. A link to a
page or a heading that is not there ends the build, as does a page that would ask another server for anything.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
LAID_OUT = ROOT / ".site"
SITE = ROOT / "site"
LINK = re.compile(r"(?<!!)\[(?P<words>[^\]]+)\]\((?P<target>[^)#\s]*)(?P<heading>#[^)]*)?\)")
SHIM = re.compile(r'<script src="https://unpkg.com/iframe-worker/shim"[^>]*></script>')
"""What Zensical puts into every page so that a browser searches from the disk too."""
ITEM = re.compile(r"(?:\d+\.|-) ")
ELSEWHERE = re.compile(r"""<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)=["']?(?:https?:)?//[^>]*>""")
CODE = re.compile(r"^[ ]*```.*?^[ ]*```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)


def root_pages() -> list[Path]:
    """Pages of the root that are in the site; README.md is what docs/index.md is there."""
    return sorted(page for page in ROOT.glob("*.md") if page.name != "README.md")


def place(page: Path) -> str:
    """Where a page, or a file beside pages, stands in the site; "" where it is none of the site's."""
    if page.is_relative_to(DOCS):
        return page.relative_to(DOCS).as_posix()
    if page.name == "README.md" and page.parent == ROOT:
        return "index.md"
    return page.name if page in root_pages() else ""


def laid_out(page: Path) -> str:
    """A page's text with links as the site needs them."""
    text = page.read_text(encoding="utf-8")
    depth = place(page).count("/")
    spans = [match.span() for match in CODE.finditer(text) if match[0].startswith((" ", "```"))]

    def link(match: re.Match[str]) -> str:
        words, target, heading = match["words"], match["target"], match["heading"] or ""
        inside = any(start <= match.start() < end for start, end in spans)
        if inside or not target or target.startswith(("http:", "https:", "mailto:")):
            return match[0]
        there = place((page.parent / target).resolve())
        return f"[{words}]({'../' * depth}{there}{heading})" if there else words

    return deepened(LINK.sub(link, text))


def deepened(text: str) -> str:
    """With what belongs to an item of a list four spaces in, as Zensical's Markdown wants it, whatever the marker."""
    lines, depth, fenced = [], 0, False
    for line in text.split("\n"):
        fenced ^= line.startswith("```")
        if item := ITEM.match(line):
            depth = len(item[0])
        elif line and not line.startswith(" "):
            depth = 0
        inside = depth and not fenced and line.startswith(" " * depth)
        lines.append(f"{' ' * 4}{line[depth:]}" if inside else line)
    return "\n".join(lines)


def lay_out() -> None:
    """Write the folder of pages anew."""
    shutil.rmtree(LAID_OUT, ignore_errors=True)
    shutil.copytree(DOCS, LAID_OUT, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    for page in [*DOCS.rglob("*.md"), *root_pages()]:
        (LAID_OUT / place(page)).write_text(laid_out(page), encoding="utf-8")


def keep_home(page: Path) -> None:
    """Have a page of the site load nothing from another server. Raises SystemExit where it still would."""
    up = "../" * len(page.relative_to(SITE).parents[:-1])
    text = SHIM.sub(f'<script src="{up}offline.js"></script>', page.read_text(encoding="utf-8"))
    if found := ELSEWHERE.search(text):
        raise SystemExit(f"{page.relative_to(ROOT)} asks another server: {found[0]}")
    page.write_text(text, encoding="utf-8")


def main() -> None:
    """Lay out, build, and look at every page."""
    lay_out()
    zensical = Path(sys.executable).with_name("zensical")
    if subprocess.run([zensical, "build", "--clean", "--strict"], cwd=ROOT, check=False).returncode:
        raise SystemExit("The site was not built: see above.")
    for page in SITE.rglob("*.html"):
        keep_home(page)


if __name__ == "__main__":
    main()
