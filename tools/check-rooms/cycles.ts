import { resolveImport } from './arrows.ts';
import type { SourceFile, Violation } from './source-files.ts';

interface Edge {
  readonly to: string;
  readonly line: number;
}

type Graph = ReadonlyMap<string, readonly Edge[]>;

/**
 * Reports a shortest round trip of files that import each other, types included. A file is named in one trip only: once
 * that is cut, the next run shows what is left of a larger knot.
 */
export function checkCycles(files: readonly SourceFile[]): Violation[] {
  const graph = buildGraph(files);
  const named = new Set<string>();
  const violations: Violation[] = [];
  for (const path of graph.keys()) {
    const trip = shortestRoundTrip(graph, path);
    const [start] = trip;
    if (start === undefined || trip.some((edge) => named.has(edge.to))) continue;
    for (const edge of trip) named.add(edge.to);
    const way = [path, ...trip.map((edge) => edge.to)].join(' → ');
    const advice = `cut one of ${way}: move what both need into a file of its own`;
    violations.push({ path, line: start.line, rule: 'import-cycle', advice });
  }
  return violations;
}

/** The edges of a shortest way from `start` back to itself, breadth first; empty when there is none. */
function shortestRoundTrip(graph: Graph, start: string): readonly Edge[] {
  const trips: { at: string; edges: readonly Edge[] }[] = [{ at: start, edges: [] }];
  const seen = new Set<string>();
  for (const { at, edges } of trips) {
    for (const edge of graph.get(at) ?? []) {
      if (edge.to === start) return [...edges, edge];
      if (seen.has(edge.to)) continue;
      seen.add(edge.to);
      trips.push({ at: edge.to, edges: [...edges, edge] });
    }
  }
  return [];
}

function buildGraph(files: readonly SourceFile[]): Graph {
  const graph = new Map<string, Edge[]>(files.map((file) => [file.path, []]));
  for (const { path, imports } of files) {
    for (const { specifier, line, isUrl } of imports) {
      const to = specifier === null || isUrl ? null : resolveImport(path, specifier);
      if (to !== null && graph.has(to)) graph.get(path)?.push({ to, line });
    }
  }
  return graph;
}
