import type { Access } from './parse-sql.ts';
import type { SourceFile, Violation } from './source-files.ts';

/** Whose tables are whose. What is not allowed here is forbidden. */
export interface TableMap {
  /** Each table, under the room that owns it. */
  readonly owners: Readonly<Record<string, readonly string[]>>;
  readonly exceptions: readonly TableException[];
  /** Files that hand a connection SQL that is no statement's, and why. */
  readonly looseSql: Readonly<Record<string, string>>;
}

/** What a room may do with tables of other rooms, and why the functions that their owners export do not serve. */
export interface TableException {
  /** Rooms, folders of them or files: paths in the server's src. */
  readonly at: readonly string[];
  /** The most that is done with each of the tables. */
  readonly may: Access;
  readonly tables: readonly string[];
  readonly reason: string;
}

/** A table, and the migration that creates it. */
export interface Table {
  readonly name: string;
  readonly path: string;
}

/** What a statement does with a table. */
export interface Use {
  readonly table: string;
  readonly access: Access;
  readonly statement: string;
  readonly path: string;
  readonly line: number;
}

const SERVER = 'packages/server/src/';
const MAP = 'tools/check-rooms/table-owners.ts';
const RANKS: Readonly<Record<Access, number>> = { read: 0, lock: 1, write: 2 };

/** Holds what the statements do against the map, and the map against the tables that there are. */
export function checkTableMap(
  map: TableMap,
  tables: readonly Table[],
  uses: readonly Use[],
  files: readonly SourceFile[],
): Violation[] {
  const texts = files.find(({ path }) => path === MAP)?.texts ?? [];
  const inMap = (text: string) => texts.find((each) => each.text === text)?.line ?? 1;
  const foreign = uses.filter((use) => !owns(map, roomOf(use), use.table));
  return [
    ...tables.flatMap((table) => checkOwned(table, map)),
    ...Object.entries(map.owners).flatMap(([room, owned]) => [
      ...checkRoom(room, files),
      ...owned.flatMap((table) => checkExists(table, tables, inMap(table))),
    ]),
    ...foreign.flatMap((use) => checkUse(use, map)),
    ...map.exceptions.flatMap((exception) => checkException(exception, foreign, inMap(exception.reason))),
  ];
}

function checkOwned({ name, path }: Table, { owners }: TableMap): Violation[] {
  const rooms = Object.keys(owners).filter((room) => owners[room]?.includes(name));
  if (rooms.length === 1) return [];
  const whose = rooms.length === 0 ? 'nobody owns it' : `${rooms.join(' and ')} own it`;
  return [{ path, line: 1, rule: 'table-owner', advice: `write ${name} under one room of ${MAP}: ${whose}` }];
}

function checkRoom(room: string, files: readonly SourceFile[]): Violation[] {
  if (files.some(({ path }) => path.startsWith(`${SERVER}${room}/`))) return [];
  return [{ path: MAP, line: 1, rule: 'table-owner', advice: `there is no room ${room}: take it out` }];
}

/** PostgreSQL brings the tables of its catalogue itself. */
function checkExists(table: string, tables: readonly Table[], line: number): Violation[] {
  if (table.startsWith('pg_') || tables.some(({ name }) => name === table)) return [];
  return [{ path: MAP, line, rule: 'missing-table', advice: `no migration makes ${table}: take it out` }];
}

function checkUse(use: Use, map: TableMap): Violation[] {
  const { table, access, statement, path, line } = use;
  const isAllowed = map.exceptions.some((exception) => covers(exception, use) && RANKS[exception.may] >= RANKS[access]);
  if (isAllowed) return [];
  const owner = Object.keys(map.owners).find((room) => owns(map, room, table)) ?? 'nobody';
  const advice = `${roomOf(use)} may not ${access} ${table} of ${owner} (${statement}): call what ${owner} exports, or give a reason in ${MAP}`;
  return [{ path, line, rule: 'foreign-table', advice }];
}

/** An exception that nothing needs any more would let the next one in unseen. */
function checkException(exception: TableException, foreign: readonly Use[], line: number): Violation[] {
  const pairs = exception.at.flatMap((place) => exception.tables.map((table) => ({ place, table })));
  return pairs.flatMap(({ place, table }) => {
    const uses = foreign.filter((use) => use.table === table && isIn(place, use));
    if (uses.some(({ access }) => access === exception.may)) return [];
    const advice = `nothing in ${place} has to ${exception.may} ${table}: take it out, or allow less`;
    return [{ path: MAP, line, rule: 'unused-exception', advice }];
  });
}

function covers({ at, tables }: TableException, use: Use): boolean {
  return tables.includes(use.table) && at.some((place) => isIn(place, use));
}

function isIn(place: string, { path }: Use): boolean {
  const folder = `${SERVER}${place}`;
  return path === folder || path.startsWith(`${folder}/`);
}

function owns({ owners }: TableMap, room: string, table: string): boolean {
  return owners[room]?.includes(table) === true;
}

function roomOf({ path }: Use): string {
  return path.slice(SERVER.length).split('/')[0] ?? '';
}
