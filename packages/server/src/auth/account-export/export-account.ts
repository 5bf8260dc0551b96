import type { Queries } from '../../database/index.ts';
import { type AuthorizedContext, httpError, invalidRequest } from '../../http/index.ts';
import { LONG_SECTIONS, type LongSection, type Position, readShortSections } from './queries.ts';
import type { AccountExport } from './schemas.ts';

/**
 * Everything that is kept about the caller, without secrets and without other people's data. Long sections come in pages:
 * `next_cursor` continues all of them.
 */
export async function exportAccount(context: AuthorizedContext, cursor: string | undefined): Promise<AccountExport> {
  const { userId } = context.principal;
  const positions = cursor === undefined ? FIRST : readCursor(cursor);
  const sections = cursor === undefined ? await readShortSections(context.database, userId) : {};
  if (sections === undefined) {
    throw httpError('invalid_token', 'The user of this token no longer exists.');
  }
  const next: Array<readonly [LongSection, Position]> = [];
  for (const [name, position] of positions) {
    const { items, last } = await readPage(context.database, name, userId, position);
    Object.assign(sections, { [name]: items });
    if (last !== undefined) {
      next.push([name, last]);
    }
  }
  const written = Object.entries(sections).map(([name, content]) => [name, withIsoTimes(content)]);
  return { ...Object.fromEntries(written), next_cursor: next.length === 0 ? null : writeCursor(next) };
}

/** PostgreSQL writes times into JSON with an offset; the API's have milliseconds and Z. */
function withIsoTimes(content: unknown): unknown {
  if (Array.isArray(content)) {
    return content.map(withIsoTimes);
  }
  return typeof content !== 'object' || content === null
    ? content
    : Object.fromEntries(
        Object.entries(content).map(([name, value]) => [
          name,
          typeof value === 'string' && TIME.test(name) ? new Date(value).toISOString() : value,
        ]),
      );
}

const TIME = /_at$|^last_heartbeat$/;

async function readPage(database: Queries, name: LongSection, userId: string, [organizationId, id]: Position) {
  const rows = await database.query(LONG_SECTIONS[name], [userId, organizationId, id, PAGE + 1]);
  const page = rows.slice(0, PAGE);
  const end = rows.length > PAGE ? page.at(-1) : undefined;
  return {
    items: page.map((row) => row.item),
    last: end === undefined ? undefined : ([end.organization_id ?? '', end.id] as const),
  };
}

/** About a megabyte for each section. */
const PAGE = 2_000;

const NAMES: readonly LongSection[] = ['login_sessions', 'api_tokens', 'seat_sessions', 'audit_entries'];
const FIRST: ReadonlyArray<readonly [LongSection, Position]> = NAMES.map((name) => [name, ['', '']]);

function writeCursor(positions: ReadonlyArray<readonly [LongSection, Position]>): string {
  return Buffer.from(JSON.stringify(positions)).toString('base64url');
}

/** It only names a position in the caller's own rows, so forging it gains nothing. */
function readCursor(cursor: string): Array<readonly [LongSection, Position]> {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(parsed) && parsed.length > 0 && parsed.length <= NAMES.length) {
      return parsed.map(readEntry);
    }
  } catch {
    // Refused below, like any other text that is not a cursor.
  }
  throw invalidRequest('cursor', 'malformed', 'cursor did not come from an export.');
}

function readEntry(entry: unknown): readonly [LongSection, Position] {
  const [given, position] = Array.isArray(entry) ? entry : [];
  const name = NAMES.find((each) => each === given);
  const [organizationId, id] = Array.isArray(position) ? position : [];
  if (name === undefined || !IDENTIFIER.test(String(organizationId)) || !IDENTIFIER.test(String(id))) {
    throw new Error('not a position');
  }
  return [name, [String(organizationId), String(id)]];
}

const IDENTIFIER = /^[a-z0-9_]{0,64}$/;
