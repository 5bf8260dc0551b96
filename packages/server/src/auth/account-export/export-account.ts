import type { Queries } from '../../database/index.ts';
import { type AuthorizedContext, httpError, invalidRequest } from '../../http/index.ts';
import { findPerson, type Position, SECTIONS, type Section } from './queries.ts';
import type { AccountExport } from './schemas.ts';

/**
 * Everything stored about the caller, without secrets and other people's data. Each section comes in pages:
 * `next_cursor` continues all that have more.
 */
export async function exportAccount(context: AuthorizedContext, cursor: string | undefined): Promise<AccountExport> {
  const { userId } = context.principal;
  const positions = cursor === undefined ? FIRST : parseCursor(cursor);
  const sections = cursor === undefined ? (await findPerson(context.database, { userId }))?.sections : {};
  if (sections === undefined) {
    throw httpError('invalid_token', 'The user of this token no longer exists.');
  }
  const next: Array<readonly [Section, Position]> = [];
  for (const [name, position] of positions) {
    const { items, last } = await listPage(context.database, name, userId, position);
    Object.assign(sections, { [name]: items });
    if (last !== undefined) {
      next.push([name, last]);
    }
  }
  const written = Object.entries(sections).map(([name, content]) => [
    name,
    Array.isArray(content) ? content.map(withIsoTimes) : withIsoTimes(content),
  ]);
  return { ...Object.fromEntries(written), next_cursor: next.length === 0 ? null : formatCursor(next) };
}

/**
 * PostgreSQL writes times into JSON with an offset; those of the API have milliseconds and Z. Nested times stay as
 * stored.
 */
function withIsoTimes(item: unknown): unknown {
  return typeof item !== 'object' || item === null
    ? item
    : Object.fromEntries(
        Object.entries(item).map(([name, value]) => [
          name,
          typeof value === 'string' && TIME.test(name) ? new Date(value).toISOString() : value,
        ]),
      );
}

const TIME = /_at$|^last_heartbeat$|^locked_until$/;

async function listPage(database: Queries, name: Section, userId: string, [first, id]: Position) {
  const rows = await SECTIONS[name](database, { userId, first, id, limit: PAGE + 1 });
  const page = rows.slice(0, PAGE);
  const end = rows.length > PAGE ? page.at(-1) : undefined;
  return {
    items: page.map((row) => row.item),
    last: end === undefined ? undefined : ([end.at ?? '', end.id] as const),
  };
}

/** About a megabyte per section. */
const PAGE = 2_000;

const NAMES: readonly Section[] = Object.keys(SECTIONS).filter(isSection);
const FIRST: ReadonlyArray<readonly [Section, Position]> = NAMES.map((name) => [name, ['', '']]);

function formatCursor(positions: ReadonlyArray<readonly [Section, Position]>): string {
  return Buffer.from(JSON.stringify(positions)).toString('base64url');
}

function isSection(name: string): name is Section {
  return Object.hasOwn(SECTIONS, name);
}

/** A cursor only names a position in the caller's own rows, so nothing is gained by forging one. */
function parseCursor(cursor: string): Array<readonly [Section, Position]> {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(parsed) && parsed.length > 0 && parsed.length <= NAMES.length) {
      return parsed.map(parseEntry);
    }
  } catch {
    // Refused below, like any other text that is not a cursor.
  }
  throw invalidRequest(
    'cursor',
    'malformed',
    'cursor is not a valid export cursor. Use next_cursor of the previous page.',
  );
}

function parseEntry(entry: unknown): readonly [Section, Position] {
  const [given, position] = Array.isArray(entry) ? entry : [];
  const name = NAMES.find((each) => each === given);
  const isTime = name !== undefined && BY_TIME.includes(name);
  const [first, id] = Array.isArray(position) ? position : [];
  if (name === undefined || !(isTime ? MILLISECONDS : IDENTIFIER).test(String(first)) || !IDENTIFIER.test(String(id))) {
    throw new Error('not a position');
  }
  return [name, [String(first), String(id)]];
}

const BY_TIME: readonly Section[] = ['browser_logins', 'invitations_received', 'invitations_sent'];
const MILLISECONDS = /^\d{1,15}$/;
const IDENTIFIER = /^[a-z0-9_]{0,64}$/;
