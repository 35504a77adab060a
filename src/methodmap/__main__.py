"""``python -m methodmap`` is the command ``methodmap``."""

from methodmap.cli import main

if __name__ == "__main__":
    main()
