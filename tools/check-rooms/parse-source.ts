import {
  type Expression,
  type MemberExpression,
  parseSync,
  type TemplateLiteral,
  Visitor,
  type VisitorObject,
} from 'oxc-parser';
import { type Declarations, findDeclarations } from './declarations.ts';
import { findSqlCalls, type SqlCalls } from './sql-calls.ts';

/** Where a file reaches out; `specifier` is null when only running the code would tell. */
export interface Import {
  readonly specifier: string | null;
  readonly line: number;
  /** A `new URL(…, import.meta.url)` starts a worker thread: it enters a room, but closes no cycle of modules. */
  readonly isUrl: boolean;
}

/** A string or template of the code; what a template interpolates stands as `x`. */
export interface Text {
  readonly text: string;
  readonly line: number;
}

export interface Mark {
  readonly kind: 'environment' | 'clock';
  readonly line: number;
}

export interface Source {
  readonly lines: number;
  readonly imports: readonly Import[];
  readonly texts: readonly Text[];
  readonly marks: readonly Mark[];
  readonly sql: SqlCalls;
  readonly declarations: Declarations;
  readonly syntaxError?: { readonly line: number; readonly message: string };
}

/** Reads out of one file what the rules look at. Type imports count like others: they tie rooms just as well. */
export function parseSource(path: string, code: string): Source {
  const { program, errors } = parseSync(path, code);
  const lineAt = lineFinder(code);
  const imports: Import[] = [];
  const texts: Text[] = [];
  const marks: Mark[] = [];
  // One walk each, for two of them look at the same kinds of node; a walk costs a fraction of the parsing.
  const visitors = [
    importVisitor((specifier, offset, isUrl) => imports.push({ specifier, line: lineAt(offset), isUrl })),
    textVisitor((text, offset) => texts.push({ text, line: lineAt(offset) })),
    markVisitor((kind, offset) => marks.push({ kind, line: lineAt(offset) })),
  ];
  for (const visitor of visitors) new Visitor(visitor).visit(program);
  const lines = lineAt(code.trimEnd().length);
  const [sql, declarations] = [findSqlCalls(program, lineAt), findDeclarations(program, code, lineAt)];
  const source = { lines, imports, texts, marks, sql, declarations };
  const [error] = errors;
  if (error === undefined) return source;
  return {
    ...source,
    syntaxError: { line: lineAt(error.labels[0]?.start ?? 0), message: error.message },
  };
}

function importVisitor(found: (specifier: string | null, offset: number, isUrl: boolean) => void): VisitorObject {
  return {
    ImportDeclaration: (node) => found(node.source.value, node.start, false),
    ExportNamedDeclaration: (node) => node.source !== null && found(node.source.value, node.start, false),
    ExportAllDeclaration: (node) => found(node.source.value, node.start, false),
    ImportExpression: (node) => found(literalValue(node.source), node.start, false),
    TSImportType: (node) => found(node.source.value, node.start, false),
    TSExternalModuleReference: (node) => found(node.expression.value, node.start, false),
    CallExpression: (node) => {
      const [first] = node.arguments;
      if (!isNamed(node.callee, 'require') || first === undefined || first.type === 'SpreadElement') return;
      found(literalValue(first), node.start, false);
    },
    NewExpression: (node) => {
      const [first, second] = node.arguments;
      if (!isNamed(node.callee, 'URL') || first === undefined || first.type === 'SpreadElement') return;
      const target = literalValue(first);
      const isOwnFile = second?.type === 'MemberExpression' && second.object.type === 'MetaProperty';
      if (isOwnFile && target !== null && /\.[cm]?[jt]sx?$/.test(target)) found(target, node.start, true);
    },
  };
}

function textVisitor(found: (text: string, offset: number) => void): VisitorObject {
  return {
    Literal: (node) => typeof node.value === 'string' && found(node.value, node.start),
    TemplateLiteral: (node) => found(templateText(node), node.start),
  };
}

function markVisitor(found: (kind: Mark['kind'], offset: number) => void): VisitorObject {
  return {
    MemberExpression: (node) => {
      const property = propertyName(node);
      if (property === 'env' && isProcess(node.object)) found('environment', node.start);
      if (property === 'now' && isNamed(node.object, 'Date')) found('clock', node.start);
    },
    VariableDeclarator: (node) => {
      if (node.id.type !== 'ObjectPattern' || node.init === null || !isProcess(node.init)) return;
      const takesEnv = node.id.properties.some((part) => part.type === 'Property' && isNamed(part.key, 'env'));
      if (takesEnv) found('environment', node.start);
    },
    ImportDeclaration: (node) => {
      if (!/^(?:node:)?process$/.test(node.source.value)) return;
      const takesEnv = node.specifiers.some((part) => part.type === 'ImportSpecifier' && isNamed(part.imported, 'env'));
      if (takesEnv) found('environment', node.start);
    },
    NewExpression: (node) => {
      if (isNamed(node.callee, 'Date') && node.arguments.length === 0) found('clock', node.start);
    },
    CallExpression: (node) => {
      if (isNamed(node.callee, 'Date')) found('clock', node.start);
    },
  };
}

function literalValue(node: Expression): string | null {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0) return templateText(node);
  return null;
}

function templateText(node: TemplateLiteral): string {
  return node.quasis.map((part) => part.value.cooked ?? part.value.raw).join('x');
}

/** The name after the dot, or the string between the brackets: `process['env']` reads what `process.env` reads. */
function propertyName(node: MemberExpression): string | null {
  if (node.computed) return literalValue(node.property);
  return node.property.name;
}

function isProcess(node: Expression): boolean {
  if (isNamed(node, 'process')) return true;
  return node.type === 'MemberExpression' && propertyName(node) === 'process';
}

function isNamed(node: { type: string; name?: unknown }, name: string): boolean {
  return node.type === 'Identifier' && node.name === name;
}

/** Turns an offset into a line, counted from 1. */
function lineFinder(code: string): (offset: number) => number {
  const starts = [0];
  for (let at = code.indexOf('\n'); at !== -1; at = code.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
