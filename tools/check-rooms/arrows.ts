import { posix } from 'node:path';
import type { Import } from './parse-source.ts';
import { isTest, type SourceFile, type Violation } from './source-files.ts';

/** Who may enter whom. The names are those of the folders and top files of the server's src. */
export interface House {
  readonly arrows: ReadonlyMap<string, readonly string[]>;
  readonly foundations: ReadonlySet<string>;
  readonly topFiles: ReadonlySet<string>;
  readonly packages: ReadonlyMap<string, readonly string[]>;
  readonly ourPackageNames: readonly string[];
}

interface Context {
  readonly house: House;
  readonly paths: ReadonlySet<string>;
}

interface Finding {
  readonly rule: string;
  readonly advice: string;
}

const SERVER = 'packages/server/src/';

/** Compares every import with the allowlist. */
export function checkArrows(files: readonly SourceFile[], house: House): Violation[] {
  const context: Context = { house, paths: new Set(files.map((file) => file.path)) };
  return files.flatMap((file) => [
    ...checkPlace(file.path, house),
    ...file.imports.flatMap((entry) => {
      const finding = checkImport(file.path, entry, context);
      return finding === null ? [] : [{ path: file.path, line: entry.line, ...finding }];
    }),
  ]);
}

/** The file that a relative import names, or null when it names none of ours. */
export function resolveImport(from: string, specifier: string): string | null {
  if (!/^\.\.?(?:\/|$)/.test(specifier)) return null;
  return posix.normalize(`${posix.dirname(from)}/${specifier.replace(/[?#].*$/, '')}`);
}

/** A room that is not in the allowlist could be entered by all and enter all. */
function checkPlace(path: string, { arrows, topFiles }: House): Violation[] {
  if (!path.startsWith(SERVER) || isTest(path)) return [];
  const room = roomOf(path);
  const isTopFile = !path.slice(SERVER.length).includes('/');
  if (arrows.has(room) && topFiles.has(room) === isTopFile) return [];
  const advice = `move it into a room, or list ${room} with its arrows at the top of tools/check-rooms.ts`;
  return [{ path, line: 1, rule: 'unknown-room', advice }];
}

function checkImport(from: string, { specifier }: Import, context: Context): Finding | null {
  if (specifier === null) return checkUnknownImport(from);
  const to = resolveImport(from, specifier);
  if (to === null) return checkPackageImport(from, specifier, context.house);
  if (!context.paths.has(to)) return checkMissingFile(to);
  if (!from.startsWith('packages/')) return null;
  if (!to.startsWith('packages/')) {
    return isTest(from) ? null : finding('tool-in-package', `packages do not need ${to} to run: move what they share`);
  }
  if (isTest(from)) return packageOf(to) === 'server' ? null : checkSamePackage(from, to);
  if (isTest(to)) return finding('test-in-source', `${to} is for tests only: move what both need beside the source`);
  return checkSamePackage(from, to) ?? checkServerArrow(from, to, context);
}

function checkUnknownImport(from: string): Finding | null {
  // The command line finds its commands by file name, so that one more command is one more file.
  if (from.startsWith('packages/cli/')) return null;
  // The checker loads whatever it finds.
  if (from === 'tools/check-rooms/load-statements.ts') return null;
  // Bundlers for browsers must not see the names of Node.js's own modules. Its type allows no others.
  if (from === 'packages/client/src/seats/node-modules.ts') return null;
  // A test may enter every file of its package anyway, and one of them loads all that hold SQL.
  if (isTest(from)) return null;
  return finding('computed-import', 'write the path as a literal, so that the arrow can be seen');
}

function checkPackageImport(from: string, specifier: string, { packages, ourPackageNames }: House): Finding | null {
  if (/^(?:[#/]|file:|data:)/.test(specifier)) {
    return finding('hidden-import', `write ${specifier} as a relative path, so that the arrow can be seen`);
  }
  const target = ourPackageNames.find((name) => specifier === name || specifier.startsWith(`${name}/`));
  if (target === undefined || !from.startsWith('packages/')) return null;
  // A test may start the service, and call it as its customers do.
  if (isTest(from) && (target === '@seathold/server' || specifier === '@seathold/client')) return null;
  const allowed = packages.get(packageOf(from));
  if (allowed === undefined) return unknownPackage(from);
  const isAllowed = allowed.some((entry) => {
    if (!entry.endsWith('*')) return entry === specifier;
    return specifier === entry.slice(0, -1) || specifier.startsWith(`${entry.slice(0, -1)}/`);
  });
  if (isAllowed) return null;
  const list = allowed.length === 0 ? 'none of ours' : `only ${allowed.join(', ')}`;
  return finding('package-arrow', `${packageOf(from)} may import ${list}, not ${specifier}`);
}

/** What is no source file of ours is data (JSON, a style sheet); a source file that is not there hides an arrow. */
function checkMissingFile(to: string): Finding | null {
  const isData = /\.[a-z0-9]+$/.test(to) && !/\.[cm]?[jt]sx?$/.test(to);
  if (isData) return null;
  return finding('unresolved-import', `${to} is not there: name the file with its ending`);
}

function checkSamePackage(from: string, to: string): Finding | null {
  if (packageOf(from) === packageOf(to)) return null;
  return finding('package-by-path', `enter ${packageOf(to)} by its package name and exports, not by its files`);
}

function checkServerArrow(from: string, to: string, { house, paths }: Context): Finding | null {
  if (!from.startsWith(SERVER) || !to.startsWith(SERVER)) return null;
  const [here, there] = [roomOf(from), roomOf(to)];
  if (here === there) return checkInnerDoor(from, to, paths);
  const allowed = house.arrows.get(here);
  // A room without a row is reported once, by its place, and not again for each import.
  if (allowed === undefined) return null;
  if (!allowed.includes(there)) {
    const advice = `${here} may not enter ${there}: announce an event, or let app.ts hand in what it needs`;
    return finding('arrow', advice);
  }
  if (house.topFiles.has(there)) return null;
  return checkFrontDoor(to, there, house.foundations.has(there));
}

function checkFrontDoor(to: string, room: string, isFoundation: boolean): Finding | null {
  const inside = to.slice(`${SERVER}${room}/`.length);
  if (inside === 'index.ts') return null;
  // A foundation may be large (http), and one door for all of it would load all of it.
  if (isFoundation && /^[^/]+\/index\.ts$/.test(inside)) return null;
  const doors = isFoundation ? `${room}/index.ts or ${room}/<folder>/index.ts` : `${room}/index.ts`;
  return finding('front-door', `enter ${room} by ${doors}, not by ${inside}`);
}

/** Within a room, a folder with its own index.ts is a room as well: its neighbours enter by that door. */
function checkInnerDoor(from: string, to: string, paths: ReadonlySet<string>): Finding | null {
  const room = `${SERVER}${roomOf(to)}`;
  const folders = posix.dirname(to).slice(room.length).split('/').filter(Boolean);
  let folder = room;
  for (const name of folders) {
    folder = `${folder}/${name}`;
    const door = `${folder}/index.ts`;
    if (!paths.has(door) || from.startsWith(`${folder}/`)) continue;
    if (to === door) return null;
    return finding('front-door', `enter ${folder.slice(SERVER.length)} by its index.ts, not by ${posix.basename(to)}`);
  }
  return null;
}

function roomOf(path: string): string {
  const [first = ''] = path.slice(SERVER.length).split('/');
  return first.replace(/\.[cm]?[jt]sx?$/, '');
}

function packageOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function unknownPackage(from: string): Finding {
  return finding('unknown-package', `list ${packageOf(from)} with its arrows at the top of tools/check-rooms.ts`);
}

function finding(rule: string, advice: string): Finding {
  return { rule, advice };
}
