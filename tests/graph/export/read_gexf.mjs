// Reads a GEXF file with graphology-gexf and prints it as graphology's own JSON, for the tests of the GEXF writer.
// Usage: node read_gexf.mjs FILE.gexf
import { readFileSync } from "node:fs";
import Graph from "graphology";
import gexf from "graphology-gexf";

const graph = gexf.parse(Graph, readFileSync(process.argv[2], "utf8"));
process.stdout.write(JSON.stringify(graph.export()));
