import type { Database } from '../../../src/database/index.ts';
import { listSeatFaults } from '../../../src/licensing/index.ts';
import { execute } from '../../harness/index.ts';
import type { Entry } from './entry.ts';

/**
 * Once everything is at rest, looks for acknowledged results that are missing, changes that were not announced exactly
 * once, and wrong counts.
 */
export async function checkTables(
  database: Database,
  organizationId: string,
  entries: readonly Entry[],
): Promise<string[]> {
  const sessions = await listSessions(database, organizationId);
  const events = await readEvents(database, organizationId);
  return [
    ...findMissingSessions(entries, sessions),
    ...findWrongReleases(entries, sessions),
    ...findWrongBeginnings(sessions, events),
    ...findWrongEnds(sessions, events),
    ...findWrongExhaustions(events),
    ...(await findWrongCounts(database)),
    ...(await listSeatFaults(database)).map((fault) => `a line or count is wrong: ${JSON.stringify(fault)}`),
    ...(await findWrongWaits(database, organizationId, sessions)),
  ];
}

interface SessionRow {
  id: string;
  license_id: string;
  status: 'held' | 'released' | 'timed_out';
  ended_at: string | null;
}

interface EventRow {
  id: string;
  type: string;
  session_id: string | null;
  license_id: string;
  active_seats: number;
  max_seats: number;
  ended_at: string | null;
}

async function listSessions(database: Database, organizationId: string): Promise<Map<string, SessionRow>> {
  const rows = await execute<SessionRow>(
    database,
    `select session_id as id, license_id, 'held' as status, null as ended_at from seat_slots
       where organization_id = $1 and session_id is not null
     union all
     select id, license_id, status, ${iso('ended_at')} from seat_sessions where organization_id = $1`,
    [organizationId],
  );
  const sessions = new Map(rows.map((row) => [row.id, row]));
  if (sessions.size !== rows.length) {
    throw new Error('a session is both held and ended');
  }
  return sessions;
}

function readEvents(database: Database, organizationId: string): Promise<EventRow[]> {
  return execute<EventRow>(
    database,
    `select id, type, object->>'session_id' as session_id, object->>'license_id' as license_id,
       (object->>'active_seats')::int as active_seats, (object->>'max_seats')::int as max_seats,
       coalesce(object->>'released_at', object->>'timeout_at') as ended_at
     from events where organization_id = $1`,
    [organizationId],
  );
}

const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

function findMissingSessions(entries: readonly Entry[], sessions: ReadonlyMap<string, SessionRow>): string[] {
  return entries
    .filter((entry) => entry.operation === 'acquire' && entry.result === 'done')
    .filter((entry) => !sessions.has(entry.sessionId ?? ''))
    .map((entry) => `an answered acquire is lost: ${JSON.stringify(entry)}`);
}

function findWrongReleases(entries: readonly Entry[], sessions: ReadonlyMap<string, SessionRow>): string[] {
  return entries
    .filter((entry) => entry.operation === 'release' && entry.result === 'done')
    .flatMap((entry) => {
      const session = sessions.get(entry.sessionId ?? '');
      const isRight = session?.status === 'released' && session.ended_at === entry.releasedAt;
      return isRight ? [] : [`an answered release is lost: ${JSON.stringify({ entry, session })}`];
    });
}

function findWrongBeginnings(sessions: ReadonlyMap<string, SessionRow>, events: readonly EventRow[]): string[] {
  const acquired = Map.groupBy(
    events.filter((event) => event.type === 'license.seat.acquired'),
    (event) => event.session_id ?? '',
  );
  const wrong = [...sessions.values()].filter((session) => {
    const [event, ...more] = acquired.get(session.id) ?? [];
    return event === undefined || more.length > 0 || event.license_id !== session.license_id;
  });
  const unfounded = [...acquired.keys()].filter((id) => !sessions.has(id));
  const tooMany = events.filter(
    (event) => event.type.startsWith('license.seat') && event.active_seats > event.max_seats,
  );
  return [
    ...wrong.map((session) => `not announced exactly once: ${JSON.stringify(session)}`),
    ...unfounded.map((id) => `announced but not there: ${id}`),
    ...tooMany.map((event) => `announced over the cap: ${JSON.stringify(event)}`),
  ];
}

function findWrongEnds(sessions: ReadonlyMap<string, SessionRow>, events: readonly EventRow[]): string[] {
  const types: Record<string, string> = { 'license.seat.released': 'released', 'license.seat.timeout': 'timed_out' };
  const ends = Map.groupBy(
    events.filter((event) => types[event.type] !== undefined),
    (event) => event.session_id ?? '',
  );
  const wrong = [...sessions.values()].filter((session) => {
    const told = ends.get(session.id) ?? [];
    const [event] = told;
    return session.status === 'held'
      ? told.length > 0
      : told.length !== 1 || types[event?.type ?? ''] !== session.status || event?.ended_at !== session.ended_at;
  });
  const unfounded = [...ends.keys()].filter((id) => !sessions.has(id));
  return [
    ...wrong.map(
      (session) => `its end was not announced exactly once: ${JSON.stringify([session, ends.get(session.id)])}`,
    ),
    ...unfounded.map((id) => `the end of what never was is announced: ${id}`),
  ];
}

/** Finds licenses whose exhaustion was not announced exactly as often as the last seat was taken. */
function findWrongExhaustions(events: readonly EventRow[]): string[] {
  const licenses = Map.groupBy(events, (event) => event.license_id);
  return [...licenses].flatMap(([license, told]) => {
    const lastSeats = told.filter(
      (each) => each.type === 'license.seat.acquired' && each.active_seats === each.max_seats,
    );
    const exhausted = told.filter((each) => each.type === 'license.seats.exhausted');
    return lastSeats.length === exhausted.length
      ? []
      : [`${license}: ${lastSeats.length} took the last seat, ${exhausted.length} times it was announced`];
  });
}

/** Nobody is waiting any more, and each granted wait has led to its own session. */
async function findWrongWaits(
  database: Database,
  organizationId: string,
  sessions: ReadonlyMap<string, SessionRow>,
): Promise<string[]> {
  const waits = await execute<{ id: string; status: string; session_id: string | null }>(
    database,
    'select id, status, session_id from seat_waits where organization_id = $1',
    [organizationId],
  );
  const granted = waits.filter((wait) => wait.status === 'granted');
  const lost = granted.filter((wait) => !sessions.has(wait.session_id ?? ''));
  const shared = granted.length - new Set(granted.map((wait) => wait.session_id)).size;
  return [
    ...waits.filter((wait) => wait.status === 'waiting').map((wait) => `still waits: ${JSON.stringify(wait)}`),
    ...lost.map((wait) => `a granted wait has no session: ${JSON.stringify(wait)}`),
    ...(shared === 0 ? [] : [`${shared} waits were granted a session that another wait has`]),
  ];
}

async function findWrongCounts(database: Database): Promise<string[]> {
  const rows = await execute(
    database,
    `select n.license_id, n.taken, l.max_seats, count(s.session_id)::int as held, count(s.slot)::int as slots
     from license_seat_counts n
     join licenses l on l.organization_id = n.organization_id and l.id = n.license_id
     left join seat_slots s on s.organization_id = n.organization_id and s.license_id = n.license_id
     group by n.license_id, n.taken, l.max_seats
     having n.taken <> count(s.session_id) or l.max_seats <> count(s.slot)`,
  );
  return rows.map((row) => `a count is wrong: ${JSON.stringify(row)}`);
}
