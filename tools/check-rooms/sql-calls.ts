import { type Argument, type Program, Visitor } from 'oxc-parser';

/** Where a file makes a statement, or hands SQL to a connection. */
export interface SqlCalls {
  readonly makers: readonly MakerCall[];
  /** `….query(…)` and `….execute(…)`; the text is null where only running the code would tell. */
  readonly loose: readonly { readonly text: string | null; readonly line: number }[];
}

/** A call of `statement` or of a function named `define…`, which may make statements as `defineList` does. */
export interface MakerCall {
  readonly maker: string;
  /** Of the statement; null where only running the code would tell. */
  readonly name: string | null;
  readonly line: number;
  /** The function named `define…` that the call is in, if there is one. */
  readonly within: string | null;
  /** Whether it is in another function, and so runs only when that is called. */
  readonly isLate: boolean;
}

const MAKERS = /^(?:statement|define[A-Z]\w*)$/;
const RUNNERS = new Set(['query', 'execute']);

/** Finds them. */
export function findSqlCalls(program: Program, lineAt: (offset: number) => number): SqlCalls {
  const functions = new Functions();
  const makers: { maker: string; name: string | null; at: number }[] = [];
  const loose: { text: string | null; line: number }[] = [];
  new Visitor({
    FunctionDeclaration: ({ start, end, id }) => functions.add(start, end, id?.name),
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && init !== null) functions.name(init.start, id.name);
    },
    ArrowFunctionExpression: ({ start, end }) => functions.add(start, end),
    FunctionExpression: ({ start, end }) => functions.add(start, end),
    CallExpression: ({ callee, arguments: given, start }) => {
      const [first] = given;
      if (callee.type === 'Identifier' && MAKERS.test(callee.name)) {
        makers.push({ maker: callee.name, name: nameIn(first), at: start });
      }
      if (callee.type !== 'MemberExpression' || callee.computed) return;
      if (RUNNERS.has(callee.property.name)) loose.push({ text: textOf(first), line: lineAt(start) });
      if (!/^(?:map|flatMap)$/.test(callee.property.name) || first === undefined) return;
      // The callback runs while the list is walked.
      functions.runAtOnce(first.start);
      if (first.type === 'Identifier' && MAKERS.test(first.name))
        makers.push({ maker: first.name, name: null, at: start });
    },
  }).visit(program);
  return {
    makers: makers.map(({ maker, name, at }) => {
      const within = functions.makerAround(at);
      return { maker, name, line: lineAt(at), within, isLate: within === null && functions.isLate(at) };
    }),
    loose,
  };
}

/** The functions of a file, by where they stand. */
class Functions {
  readonly #names = new Map<number, string>();
  readonly #immediate = new Set<number>();
  readonly #ranges: { start: number; end: number }[] = [];

  /** A variable holds the function that begins here, if one does. */
  name(start: number, name: string): void {
    this.#names.set(start, name);
  }

  runAtOnce(start: number): void {
    this.#immediate.add(start);
  }

  add(start: number, end: number, name?: string): void {
    this.#ranges.push({ start, end });
    if (name !== undefined) this.#names.set(start, name);
  }

  /** The function named `define…` that this is in, if there is one. */
  makerAround(offset: number): string | null {
    const names = this.#around(offset).map((start) => this.#names.get(start) ?? '');
    return names.find((name) => MAKERS.test(name)) ?? null;
  }

  /** Whether this runs only when some function is called. */
  isLate(offset: number): boolean {
    return this.#around(offset).some((start) => !this.#immediate.has(start));
  }

  #around(offset: number): number[] {
    return this.#ranges.filter(({ start, end }) => start <= offset && offset < end).map(({ start }) => start);
  }
}

function nameIn(definition: Argument | undefined): string | null {
  if (definition?.type !== 'ObjectExpression') return null;
  for (const property of definition.properties) {
    if (property.type !== 'Property' || property.key.type !== 'Identifier' || property.key.name !== 'name') continue;
    return textOf(property.value);
  }
  return null;
}

function textOf(node: Argument | undefined): string | null {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0]?.value.cooked ?? null;
  return null;
}
