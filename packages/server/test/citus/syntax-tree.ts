import { loadModule, parseSync } from 'libpg-query';

await loadModule();

/** A node of PostgreSQL's own syntax tree. The name of the property that holds it is its kind. */
export type Node = Readonly<Record<string, unknown>>;

export function parseStatements(sql: string): unknown[] {
  return (parseSync(sql).stmts ?? []).map(({ stmt }): unknown => stmt);
}

/** Every node of a kind, at any depth. `relation` is what a statement writes. */
export function* nodesOf(given: unknown, kind: string): Generator<Node> {
  if (Array.isArray(given)) {
    for (const each of given) yield* nodesOf(each, kind);
    return;
  }
  if (!isNode(given)) return;
  for (const [name, node] of Object.entries(given)) {
    if (name === kind && isNode(node)) yield node;
    yield* nodesOf(node, kind);
  }
}

export function tableOf(relation: Node): string {
  return String(relation.relname);
}

export function aliasOf({ alias }: Node): string | undefined {
  return isNode(alias) ? String(alias.aliasname) : undefined;
}

/** The last part of a dotted name. */
export function lastName(names: unknown): string {
  return Array.isArray(names) ? stringIn(names.at(-1)) : '';
}

export function stringIn(given: unknown): string {
  return isNode(given) && isNode(given.String) ? String(given.String.sval) : '';
}

export function isNode(given: unknown): given is Node {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}
