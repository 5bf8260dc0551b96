import type { ParamPattern, Program, Statement, VariableDeclarator } from 'oxc-parser';

/** What a file declares at its top, as far as conventions are about it. */
export interface Declarations {
  /** Functions that other files may call. */
  readonly functions: readonly ExportedFunction[];
  /** Constants that hold a statement, exported or not. */
  readonly statements: readonly Named[];
  /** Interfaces and other types, exported or not. */
  readonly types: readonly Named[];
}

export interface Named {
  readonly name: string;
  readonly line: number;
}

export interface ExportedFunction extends Named {
  readonly parameters: readonly Parameter[];
}

interface Parameter {
  /** Empty where it is taken apart at once. */
  readonly name: string;
  /** As it is written; empty where the compiler infers it. */
  readonly type: string;
}

type Declaration = Statement | Program['body'][number];

/** Reads them out of the tree of a file. */
export function findDeclarations(program: Program, code: string, lineAt: (offset: number) => number): Declarations {
  const all = program.body.map((statement) =>
    statement.type === 'ExportNamedDeclaration' && statement.declaration !== null
      ? { declaration: statement.declaration, isExported: true }
      : { declaration: statement, isExported: false },
  );
  const exported = all.filter(({ isExported }) => isExported);
  const at = (name: string, { start }: Declaration): Named => ({ name, line: lineAt(start) });
  return {
    functions: exported.flatMap(({ declaration }) =>
      functionsIn(declaration).map(({ name, params }) => ({
        ...at(name, declaration),
        parameters: params.map((param) => describeParameter(param, code)),
      })),
    ),
    statements: all.flatMap(({ declaration }) =>
      variablesIn(declaration).flatMap(({ name, init }) => (isStatement(init) ? at(name, declaration) : [])),
    ),
    types: all.flatMap(({ declaration }) =>
      declaration.type === 'TSInterfaceDeclaration' || declaration.type === 'TSTypeAliasDeclaration'
        ? at(declaration.id.name, declaration)
        : [],
    ),
  };
}

function functionsIn(declaration: Declaration): { name: string; params: readonly ParamPattern[] }[] {
  if (declaration.type === 'FunctionDeclaration' && declaration.id !== null) {
    return [{ name: declaration.id.name, params: declaration.params }];
  }
  return variablesIn(declaration).flatMap(({ name, init }) =>
    init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression'
      ? { name, params: init.params }
      : [],
  );
}

function variablesIn(declaration: Declaration): { name: string; init: VariableDeclarator['init'] }[] {
  if (declaration.type !== 'VariableDeclaration') return [];
  return declaration.declarations.flatMap(({ id, init }) => (id.type === 'Identifier' ? { name: id.name, init } : []));
}

function isStatement(init: VariableDeclarator['init']): boolean {
  return init?.type === 'CallExpression' && init.callee.type === 'Identifier' && init.callee.name === 'statement';
}

function describeParameter(param: ParamPattern, code: string): Parameter {
  const pattern = param.type === 'TSParameterProperty' ? param.parameter : param;
  const target = pattern.type === 'AssignmentPattern' ? pattern.left : pattern;
  const annotation = target.typeAnnotation;
  return {
    name: target.type === 'Identifier' ? target.name : '',
    type: annotation == null ? '' : code.slice(annotation.start, annotation.end).replace(/^:\s*/, ''),
  };
}
