import { fileURLToPath } from 'node:url';
import { checkArrows, type House } from './check-rooms/arrows.ts';
import { checkContents } from './check-rooms/contents.ts';
import { type ConventionException, checkConventions } from './check-rooms/conventions.ts';
import { checkCycles } from './check-rooms/cycles.ts';
import { readSourceFiles, type SourceFile, type Violation } from './check-rooms/source-files.ts';
import { checkSubRooms, type KnownKnots } from './check-rooms/sub-rooms.ts';
import type { TableMap } from './check-rooms/table-map.ts';
import { TABLE_MAP } from './check-rooms/table-owners.ts';
import { checkTables } from './check-rooms/tables.ts';

// The house, as data. What is not listed here is forbidden: docs/decisions/0002-rooms-and-arrows.md tells why.

/** Each foundation may enter those that stand to its right. */
const FOUNDATIONS = [
  'audit',
  'http',
  'events',
  'jobs',
  'database',
  'security',
  'log',
  'tracing',
  'ids',
  'clock',
  'batching',
  'networks',
  'config',
];

/** Mail stands beside http: it may enter all that http may enter, and neither enters the other. */
const BESIDE_HTTP = 'mail';

/** Each room, and the rooms whose front doors it may enter. Every room may enter every foundation besides. */
const ROOMS: Record<string, readonly string[]> = {
  users: [],
  organizations: ['users'],
  auth: ['users', 'organizations'],
  oauth: ['users', 'organizations', 'auth'],
  billing: ['users', 'organizations'],
  licensing: ['organizations', 'billing'],
  usage: ['organizations', 'billing', 'licensing'],
  webhooks: ['organizations'],
  sandbox: ['users', 'organizations', 'auth', 'oauth', 'billing', 'licensing', 'usage', 'webhooks', 'operator'],
  operator: ['users', 'organizations', 'auth', 'oauth', 'billing', 'licensing', 'usage', 'webhooks', 'sandbox'],
};

/** Sub-folders of a room that still import each other in a cycle. Nothing is added here, only removed. */
const KNOWN_KNOTS: KnownKnots = [];

/** Names that do not keep the conventions of CONTRIBUTING, and why. */
const CONVENTION_EXCEPTIONS: readonly ConventionException[] = [];

const EVERY_ROOM = Object.keys(ROOMS);
const EVERY_FOUNDATION = [...FOUNDATIONS, BESIDE_HTTP];

/** How several processes serve together. No room may enter it, since none knows in which process it runs. */
const PROCESSES = 'processes';

/** What every process that serves is put together from. */
const SERVING = [
  'app',
  'connections',
  'ending',
  'environment',
  'prepare-databases',
  'read-settings',
  'rooms',
  'worker',
  PROCESSES,
];

/** The files at the top of src that put the rooms together. No room and no foundation may enter them. */
const TOP_FILES: Record<string, readonly string[]> = {
  main: [...SERVING, 'serve-requests', 'worker-probes', ...EVERY_FOUNDATION],
  'serve-requests': [...SERVING, ...EVERY_FOUNDATION],
  'read-settings': ['environment', 'rooms', 'worker', ...EVERY_FOUNDATION],
  'prepare-databases': ['environment', 'worker', ...EVERY_FOUNDATION],
  'worker-probes': ['app', 'environment', ...EVERY_FOUNDATION],
  ending: ['environment', ...EVERY_FOUNDATION],
  environment: ['app', 'connections', 'worker', 'rooms', PROCESSES, ...EVERY_FOUNDATION],
  connections: [PROCESSES],
  app: ['api-sections', 'rooms', ...EVERY_ROOM, ...EVERY_FOUNDATION],
  worker: ['rooms', ...EVERY_ROOM, ...EVERY_FOUNDATION],
  rooms: ['forgetting', 'organization-facts', ...EVERY_ROOM, ...EVERY_FOUNDATION],
  forgetting: [...EVERY_ROOM, ...EVERY_FOUNDATION],
  'organization-facts': [...EVERY_ROOM, ...EVERY_FOUNDATION],
  'api-sections': [],
};

/** What each package may import of ours; a trailing star represents every path the package exports. */
const PACKAGES: Record<string, readonly string[]> = {
  cli: ['@seathold/client*', '@seathold/server/operator*', '@seathold/server/serve'],
  dashboard: ['@seathold/client*'],
  client: [],
  server: [],
};

const OUR_PACKAGE_NAMES = ['seathold', '@seathold/server', '@seathold/client', '@seathold/dashboard'];

export interface RoomsReport {
  readonly files: number;
  readonly imports: number;
  readonly rooms: number;
  readonly statements: number;
  readonly violations: readonly Violation[];
}

/** What only this house has. */
export interface Particulars {
  readonly knots?: KnownKnots;
  /** Names that do not keep the conventions. */
  readonly exceptions?: readonly ConventionException[];
  /** Whose tables are whose; SQL is not looked at without it. */
  readonly tables?: TableMap;
}

/** Reads every source file below `root` and holds it against the house; touches nothing. */
export async function checkRooms(
  root: string,
  { knots = [], exceptions = [], tables }: Particulars = {},
): Promise<RoomsReport> {
  const files = readSourceFiles(root);
  const imports = files.reduce((sum, file) => sum + file.imports.length, 0);
  const rooms = EVERY_ROOM.filter((room) => files.some((file) => file.path.startsWith(`packages/server/src/${room}/`)));
  const sql = tables === undefined ? undefined : await checkTables(root, files, tables);
  const violations = [
    ...checkItself({
      import: imports,
      room: rooms.length,
      ...(sql && { statement: sql.statements, table: sql.tables }),
    }),
    ...files.flatMap(checkParsed),
    ...checkArrows(files, theHouse()),
    ...checkCycles(files),
    ...checkSubRooms(files, EVERY_ROOM, knots),
    ...checkContents(files, EVERY_ROOM),
    ...checkConventions(files, { rooms: EVERY_ROOM, exceptions }),
    ...(sql?.violations ?? []),
  ];
  violations.sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line || a.rule.localeCompare(b.rule));
  return { files: files.length, imports, rooms: rooms.length, statements: sql?.statements ?? 0, violations };
}

function theHouse(): House {
  const besideHttp = FOUNDATIONS.slice(FOUNDATIONS.indexOf('http') + 1);
  const arrows = new Map<string, readonly string[]>([
    ...FOUNDATIONS.map((name, at) => [name, FOUNDATIONS.slice(at + 1)] as const),
    [BESIDE_HTTP, besideHttp],
    [PROCESSES, EVERY_FOUNDATION],
    ...Object.entries(ROOMS).map(([name, others]) => [name, [...others, ...EVERY_FOUNDATION]] as const),
    ...Object.entries(TOP_FILES),
  ]);
  return {
    arrows,
    foundations: new Set([...EVERY_FOUNDATION, PROCESSES]),
    topFiles: new Set(Object.keys(TOP_FILES)),
    packages: new Map(Object.entries(PACKAGES)),
    ourPackageNames: OUR_PACKAGE_NAMES,
  };
}

/** A checker that reads nothing reports success forever, so seeing nothing is a failure of its own. */
function checkItself(seen: Readonly<Record<string, number>>): Violation[] {
  const unseen = Object.keys(seen).filter((what) => seen[what] === 0);
  return unseen.map((what) => ({
    path: 'tools/check-rooms.ts',
    line: 1,
    rule: 'blind-checker',
    advice: `no ${what} was seen: run it at the root of the repository, or fix the checker`,
  }));
}

function checkParsed(file: SourceFile): Violation[] {
  if (file.syntaxError === undefined) return [];
  const { line, message } = file.syntaxError;
  return [{ path: file.path, line, rule: 'unreadable-file', advice: `fix the syntax: ${message}` }];
}

async function main([elsewhere]: string[]): Promise<void> {
  const root = elsewhere ?? fileURLToPath(new URL('..', import.meta.url));
  const particulars =
    elsewhere === undefined ? { knots: KNOWN_KNOTS, exceptions: CONVENTION_EXCEPTIONS, tables: TABLE_MAP } : {};
  const { files, imports, rooms, statements, violations } = await checkRooms(root, particulars);
  for (const { path, line, rule, advice } of violations) console.error(`${path}:${line}  ${rule}  ${advice}`);
  const seen = `${files} files, ${imports} imports, ${rooms} rooms, ${statements} statements`;
  if (violations.length === 0) {
    console.log(`check-rooms: ${seen}, every arrow kept`);
    return;
  }
  console.error(`check-rooms: ${seen}, ${violations.length} violations`);
  process.exitCode = 1;
}

if (import.meta.main) await main(process.argv.slice(2));
