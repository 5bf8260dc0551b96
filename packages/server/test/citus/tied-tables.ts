import { DISTRIBUTED_BY } from './choose-tables.ts';
import { aliasOf, isNode, lastName, type Node, nodesOf, stringIn, tableOf } from './syntax-tree.ts';

/** The names of the sources in one part of a statement, and what they represent. */
interface Scope {
  readonly outer: Scope | undefined;
  readonly sources: ReadonlyMap<string, string>;
  /** The source that an unqualified column belongs to. */
  readonly main: string | undefined;
  /** The source that a subquery or WITH query represents in the enclosing statement. */
  readonly standsFor?: string | undefined;
}

const STATEMENTS = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt']);

/**
 * Whether all divided tables of a statement are tied to each other by their organization: to the same parameter, or to
 * each other, directly or through other sources. A subquery counts as tied to the sources that it selects from, and the
 * target of an insert to the source of its rows.
 */
export function areTied(roots: unknown, isDivided: (table: string) => boolean): boolean {
  const ties = new Ties(isDivided);
  ties.walk(roots, undefined);
  const [first, ...others] = ties.divided;
  return first === undefined || others.every((other) => ties.find(first) === ties.find(other));
}

/** What a parameter or a constant counts as. */
const PARAMETER = '$';

class Ties {
  readonly divided: string[] = [];
  readonly #isDivided: (table: string) => boolean;
  readonly #parents = new Map<string, string>();
  /** The source that each subquery in FROM represents in the enclosing statement. */
  readonly #subqueries = new Map<Node, string>();
  #count = 0;

  constructor(isDivided: (table: string) => boolean) {
    this.#isDivided = isDivided;
  }

  find(name: string): string {
    const parent = this.#parents.get(name) ?? name;
    return parent === name ? name : this.find(parent);
  }

  walk(given: unknown, scope: Scope | undefined): void {
    if (Array.isArray(given)) {
      for (const each of given) this.walk(each, scope);
      return;
    }
    if (!isNode(given)) return;
    for (const [kind, node] of Object.entries(given)) {
      if (isNode(node)) this.#walkKind(kind, node, scope);
      else this.walk(node, scope);
    }
  }

  #walkKind(kind: string, node: Node, scope: Scope | undefined): void {
    if (kind === 'A_Expr' && node.kind === 'AEXPR_OP' && lastName(node.name) === '=') this.#tieSides(node, scope);
    if (kind === 'JoinExpr') this.#tieUsing(node, scope);
    this.walk(node, this.#scopeIn(kind, node, scope));
  }

  #scopeIn(kind: string, node: Node, scope: Scope | undefined): Scope | undefined {
    if (STATEMENTS.has(kind) || isHalf(kind, node)) return this.#enter(node, scope);
    const standsFor =
      kind === 'CommonTableExpr'
        ? `table ${String(node.ctename)}`
        : kind === 'SubLink'
          ? this.#organizationIn(node.testexpr, scope)
          : this.#subqueries.get(node);
    return standsFor === undefined ? scope : { outer: scope, sources: NONE, main: undefined, standsFor };
  }

  /** The sources of a statement or of one half of a UNION. They are walked later themselves. */
  #enter(statement: Node, outer: Scope | undefined): Scope {
    const sources = new Map<string, string>();
    // Only an insert has columns to fill, and no condition ties them.
    const isInsert = 'selectStmt' in statement || 'override' in statement;
    if (isNode(statement.relation)) this.#addTable(statement.relation, sources, isInsert);
    this.#addSources([statement.fromClause, statement.usingClause], sources);
    const ids = [...sources.values()];
    const main = ids.find((id) => this.divided.includes(id)) ?? ids[0];
    if (main !== undefined && outer?.standsFor !== undefined) this.#tie(main, outer.standsFor);
    // Both halves of a UNION represent the same source.
    return { outer, sources, main, standsFor: ids.length === 0 ? outer?.standsFor : undefined };
  }

  #addSources(given: unknown, sources: Map<string, string>): void {
    if (Array.isArray(given)) {
      for (const each of given) this.#addSources(each, sources);
    }
    if (!isNode(given)) return;
    const { RangeVar: table, RangeSubselect: query, RangeFunction: call, JoinExpr: join } = given;
    if (isNode(table)) this.#addTable(table, sources);
    if (isNode(join)) this.#addSources([join.larg, join.rarg], sources);
    if (isNode(call)) sources.set(aliasOf(call) ?? '', this.#nextId());
    if (isNode(query)) {
      const id = this.#nextId();
      sources.set(aliasOf(query) ?? '', id);
      this.#subqueries.set(query, id);
    }
  }

  #addTable(relation: Node, sources: Map<string, string>, isTied = false): void {
    const table = tableOf(relation);
    const id = this.#isDivided(table) ? this.#nextId() : `table ${table}`;
    if (this.#isDivided(table) && !isTied) this.divided.push(id);
    sources.set(aliasOf(relation) ?? table, id);
  }

  #nextId(): string {
    this.#count += 1;
    return `source ${this.#count}`;
  }

  #tieSides({ lexpr, rexpr }: Node, scope: Scope | undefined): void {
    const [left, right] = [membersOf(lexpr), membersOf(rexpr)];
    for (const [place, member] of left.entries()) {
      const sides = [this.#sourceOf(member, scope), this.#sourceOf(right[place], scope)] as const;
      if (sides.some((side) => side?.isOrganization)) this.#tie(sides[0]?.id ?? PARAMETER, sides[1]?.id ?? PARAMETER);
    }
  }

  /** What `(organization_id, id) in (select …)` compares with the subquery. */
  #organizationIn(tested: unknown, scope: Scope | undefined): string | undefined {
    const sides = membersOf(tested).map((member) => this.#sourceOf(member, scope));
    return sides.find((side) => side?.isOrganization)?.id;
  }

  #tieUsing(join: Node, scope: Scope | undefined): void {
    const names = Array.isArray(join.usingClause) ? join.usingClause.map(stringIn) : [];
    if (!names.includes(DISTRIBUTED_BY)) return;
    const sides = [...nodesOf([join.larg, join.rarg], 'RangeVar')].map((each) => aliasOf(each) ?? tableOf(each));
    const [first, ...others] = sides.flatMap((alias) => scope?.sources.get(alias) ?? []);
    for (const other of others) this.#tie(first ?? other, other);
  }

  #tie(one: string, other: string): void {
    this.#parents.set(this.find(one), this.find(other));
  }

  /**
   * The source that an organization_id column belongs to, or the column itself if it is another one. Undefined for
   * anything but a column.
   */
  #sourceOf(expression: unknown, scope: Scope | undefined): { id: string; isOrganization: boolean } | undefined {
    const reference = isNode(expression) ? expression.ColumnRef : undefined;
    const fields = isNode(reference) && Array.isArray(reference.fields) ? reference.fields.map(stringIn) : [];
    const [name, column] = [fields.at(-2), fields.at(-1)];
    if (column === undefined) return undefined;
    const id = (name === undefined ? scope?.main : findSource(name, scope)) ?? 'unknown';
    return column === DISTRIBUTED_BY ? { id, isOrganization: true } : { id: `${id}.${column}`, isOrganization: false };
  }
}

const NONE: ReadonlyMap<string, string> = new Map();

function findSource(name: string, scope: Scope | undefined): string | undefined {
  return scope === undefined ? undefined : (scope.sources.get(name) ?? findSource(name, scope.outer));
}

/** The halves of a UNION are statements without a property that names their kind. */
function isHalf(kind: string, node: Node): boolean {
  return (kind === 'larg' || kind === 'rarg') && ('targetList' in node || 'op' in node);
}

function membersOf(expression: unknown): unknown[] {
  const row = isNode(expression) ? expression.RowExpr : undefined;
  return isNode(row) && Array.isArray(row.args) ? row.args : [expression];
}
