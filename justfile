# The chores. `just` lists them; each line also works when typed by hand.

# List the chores.
default:
    @just --list

# Make .venv with everything that tests, lint and types need.
setup:
    python3 -m venv .venv
    .venv/bin/pip install -q -r requirements-dev.lock
    .venv/bin/pip install -q --no-deps -e .
    npm ci

# Run the tests, or some: `just test tests/graph -k gexf`.
test *arguments:
    .venv/bin/pytest {{arguments}}

# Check style; `just format` puts most of it right.
lint:
    .venv/bin/ruff check
    .venv/bin/ruff format --check

# Put the style right.
format:
    .venv/bin/ruff check --fix
    .venv/bin/ruff format

# Check types, those of the tests too.
types:
    .venv/bin/mypy

# Build the map of the seeds, its page and its Gephi file.
seeds:
    .venv/bin/methodmap build seeds/*.txt -o map --view seeds.html --export seeds.gexf

# Score the shipped model on the annotated seeds.
score:
    .venv/bin/methodmap evaluate seeds/gold/dev.jsonl

# Pin what pyproject.toml asks for, with hashes, for Python 3.11 to 3.13.
lock:
    uv pip compile -q --universal --generate-hashes --no-header --python-version 3.11 pyproject.toml -o requirements.lock
    uv pip compile -q --universal --generate-hashes --no-header --python-version 3.11 pyproject.toml --group dev -o requirements-dev.lock

# Do all that CI does.
ci:
    .ci/run

# Remove what builds and tests leave behind.
clean:
    rm -rf map seeds.html seeds.gexf build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
    find . -name __pycache__ -not -path './.venv/*' -not -path './node_modules/*' -prune -exec rm -rf {} +
