"""Components of installed packages are looked for once; Streamlit does it in each run of a page and start of a server.

It reads the metadata of every package for it, which takes longer than most pages; none is installed while tests run.
"""

import functools

from streamlit.components.v2 import manifest_scanner

_found = functools.cache(manifest_scanner.scan_component_manifests)
_found()  # here, so that a process that is forked from this one has it too
manifest_scanner.scan_component_manifests = _found
