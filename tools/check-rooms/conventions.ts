import { posix } from 'node:path';
import type { ExportedFunction, Named } from './declarations.ts';
import { isTest, type SourceFile, type Violation } from './source-files.ts';

/** What CONTRIBUTING says of names and arguments, as far as a tool can tell. */
export interface Conventions {
  /** Rooms, as opposed to foundations. */
  readonly rooms: readonly string[];
  readonly exceptions: readonly ConventionException[];
}

/** A name that breaks a convention, and why it may; without a name, all below a path. */
export interface ConventionException {
  readonly path: string;
  readonly name?: string;
  readonly reason: string;
}

interface Finding extends Named {
  readonly rule: string;
  readonly advice: string;
}

const SOURCE = /^packages\/[^/]+\/src\//;
const SERVER = 'packages/server/src/';

/** First words that exported functions do not have, and what they have instead. */
const OTHER_VERBS: Readonly<Record<string, string>> = {
  open: 'create, connect, decrypt or verify',
  make: 'create',
  build: 'create',
  fetch: 'find, get or list',
  retrieve: 'find, get or list',
};

/** In a room nothing is read from a file or a stream, so the word says nothing there. */
const OTHER_VERBS_IN_ROOMS: Readonly<Record<string, string>> = { read: 'find, get, list or parse' };

/** The first word of a statement says what it does to rows. */
const STATEMENT_VERBS = new Set([
  ...['find', 'list', 'count', 'has'],
  ...['lock', 'claim'],
  ...['insert', 'update', 'upsert', 'delete', 'erase'],
]);

/** Names of what a function depends on, which is called its tools. */
const OTHER_BAGS = /(?:Deps|Dependencies|Desk|Services|Toolbox|Kit)$/;

const WHERE = /^(?:Pick<\s*)?(?:Queries|Executor|Database|Transaction|\w*Context)\b/;
/** What others call a context. */
const OTHER_CONTEXTS = /^(?:SecureContext|KoaContext\w*|FaultyContext)\b/;
const WITH = /^(?:(?:Pick|Omit|Partial)<\s*)?\w*Tools\b/;

/** Holds names and the order of arguments against the conventions. */
export function checkConventions(files: readonly SourceFile[], { rooms, exceptions }: Conventions): Violation[] {
  const sources = files.filter(({ path }) => SOURCE.test(path) && !isTest(path) && !path.endsWith('-under-test.ts'));
  const found = sources.flatMap((file) => {
    const isInRoom = rooms.some((room) => file.path.startsWith(`${SERVER}${room}/`));
    return findIn(file, isInRoom).map((finding) => ({ path: file.path, ...finding }));
  });
  const covers = (exception: ConventionException, { path, name }: { path: string; name: string }) =>
    path.startsWith(exception.path) && (exception.name === undefined || exception.name === name);
  return [
    ...found
      .filter((finding) => !exceptions.some((exception) => covers(exception, finding)))
      .map(({ path, line, rule, advice }) => ({ path, line, rule, advice })),
    ...exceptions
      .filter((exception) => !found.some((finding) => covers(exception, finding)))
      .map(({ path, name = 'this' }) => ({
        path,
        line: 1,
        rule: 'unused-exception',
        advice: `${name} keeps the conventions: take it out of the exceptions in tools/check-rooms.ts`,
      })),
  ];
}

function findIn({ path, declarations: { functions, statements, types } }: SourceFile, isInRoom: boolean): Finding[] {
  return [
    ...functions.flatMap((each) => [...checkVerb(path, each, isInRoom), ...checkOrder(each), ...checkBag(each)]),
    ...statements.flatMap(checkStatement),
    ...types.flatMap(checkType),
  ];
}

function checkVerb(path: string, { name, line }: Named, isInRoom: boolean): Finding[] {
  const verb = verbOf(name);
  const instead = OTHER_VERBS[verb] ?? (isInRoom ? OTHER_VERBS_IN_ROOMS[verb] : undefined);
  if (instead !== undefined) {
    return [{ name, line, rule: 'verb', advice: `begin ${name} with ${instead}` }];
  }
  if (verb !== 'get' || `${kebab(name)}.ts` === posix.basename(path)) return [];
  const advice = `${name} is a use case in ${kebab(name)}.ts, or begins with find`;
  return [{ name, line, rule: 'verb', advice }];
}

function checkStatement({ name, line }: Named): Finding[] {
  if (STATEMENT_VERBS.has(verbOf(name))) return [];
  const advice = `begin the statement ${name} with one of ${[...STATEMENT_VERBS].join(', ')}`;
  return [{ name, line, rule: 'statement-verb', advice }];
}

/** First where a function runs, then its tools, then its input. */
function checkOrder({ name, line, parameters }: ExportedFunction): Finding[] {
  const places = parameters.map(({ type }) => (isWhere(type) ? 0 : WITH.test(type) ? 1 : 2));
  const isInOrder = places.every((place, at) => at === 0 || place >= (places[at - 1] ?? 0));
  if (isInOrder) return [];
  const advice = `order the arguments of ${name}: context, transaction or Queries, then tools, then input`;
  return [{ name, line, rule: 'argument-order', advice }];
}

function isWhere(type: string): boolean {
  return WHERE.test(type) && !OTHER_CONTEXTS.test(type);
}

function checkBag({ name, line, parameters }: ExportedFunction): Finding[] {
  const bag = parameters.find((parameter) => /^(?:deps|dependencies|desk|services|kit)$/.test(parameter.name));
  if (bag === undefined) return [];
  return [{ name, line, rule: 'tools', advice: `call what ${name} depends on its tools, not its ${bag.name}` }];
}

function checkType({ name, line }: Named): Finding[] {
  if (!OTHER_BAGS.test(name)) return [];
  return [{ name, line, rule: 'tools', advice: `name what is depended on …Tools, not ${name}` }];
}

function verbOf(name: string): string {
  return /^[a-z]+/.exec(name)?.[0] ?? name;
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
