"""A knowledge graph of methods and concepts from a pile of paper abstracts.

import methodmap

with methodmap.build("seeds", out="map") as m:
    m.query("who-uses", method="LoRA")
    m.view("map.html")
    m.export("map.gexf")
"""

from __future__ import annotations

from methodmap.api import Map, build, load_pipeline
from methodmap.api import open_map as open
from methodmap.graph.errors import MethodmapError

__all__ = ["Map", "MethodmapError", "__version__", "build", "load_pipeline", "open"]

__version__ = "0.1.0"
