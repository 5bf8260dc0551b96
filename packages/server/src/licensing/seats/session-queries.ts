import { type CompiledQuery, sql } from 'kysely';
import { build, type Statement, serviceTime } from '../../database/index.ts';
import { afterCursor, inOrder, type PageRequest } from '../../http/index.ts';
import { namesProject } from '../project-usage/names-project.ts';

/** A session in the history of a license, active ones included. */
export interface SessionRow {
  session_id: string;
  license_id: string;
  user_id: string;
  hardware_id: string;
  metadata: Record<string, unknown> | null;
  status: 'active' | 'released' | 'timed_out';
  started_at_ms: number;
  last_heartbeat_ms: number;
  ended_at_ms: number | null;
}

const ms = (column: string) => `floor(extract(epoch from ${column}) * 1000)::float8`;

/** The active sessions, newest first, at most 100. $1 organization, $2 offset, $3 license. */
export const LIST_ACTIVE_SESSIONS: Statement<SessionRow> = {
  name: 'list_active_sessions',
  text: `select s.session_id, s.user_id, s.hardware_id, ${ms('s.started_at')} as started_at_ms,
      ${ms('s.last_heartbeat')} as last_heartbeat_ms
    from seat_slots s cross join service_clock c
    where s.organization_id = $1 and s.license_id = $3 and s.reap_at > '-infinity'
      and s.deadline > ${serviceTime('$2::bigint')}
    order by s.started_at desc, s.session_id desc limit 100`,
};

/**
 * Every session of a license that ever was. Those that hold a seat are at most as many as it has seats and are sorted
 * in memory; those that ended come along an index. A session past its timeout that nobody tidied up counts as timed out.
 */
export function listSessions(
  organizationId: string,
  offset: number,
  licenseId: string,
  page: PageRequest,
): CompiledQuery<SessionRow> {
  const held = restrict(selectHeld(organizationId, offset, licenseId), page);
  const ended = restrict(selectEnded(organizationId, licenseId), page);
  // Each half sorts and ends by itself, so it stands as a subquery of its own in the union.
  const both = build
    .selectFrom(held.as('held'))
    .selectAll()
    .unionAll(build.selectFrom(ended.as('ended')).selectAll());
  // None that ended is active, and looking for one would read the whole history.
  const all = page.filters.status === 'active' ? held : both;
  return build
    .selectFrom(all.as('each'))
    .select([
      'session_id',
      'license_id',
      'user_id',
      'hardware_id',
      sql<Record<string, unknown> | null>`metadata`.as('metadata'),
      sql<SessionRow['status']>`status`.as('status'),
      sql.raw<number>(ms('started_at')).as('started_at_ms'),
      sql.raw<number>(ms('last_heartbeat')).as('last_heartbeat_ms'),
      sql.raw<number | null>(ms('ended_at')).as('ended_at_ms'),
    ])
    .orderBy(inOrder(page, page.sort, 'session_id'))
    .limit(page.limit + 1)
    .compile();
}

type Selected = ReturnType<typeof selectEnded>;

function selectHeld(organizationId: string, offset: number, licenseId: string): Selected {
  const now = sql.raw(serviceTime(String(Math.trunc(offset))));
  const held = build
    .selectFrom('seat_slots as s')
    .innerJoin('service_clock as c', (join) => join.onTrue())
    .where('s.organization_id', '=', organizationId)
    .where('s.license_id', '=', licenseId)
    .where(sql<boolean>`s.reap_at > '-infinity'`)
    .select([
      sql<string>`s.session_id`.as('session_id'),
      's.license_id',
      sql<string>`s.user_id`.as('user_id'),
      sql<string>`s.hardware_id`.as('hardware_id'),
      's.metadata',
      sql<Date>`s.started_at`.as('started_at'),
      sql<Date>`s.last_heartbeat`.as('last_heartbeat'),
      sql<Date | null>`case when s.deadline <= ${now} then s.deadline + c.away_ms * interval '1 millisecond' end`.as(
        'ended_at',
      ),
      sql<string>`case when s.deadline <= ${now} then 'timed_out' else 'active' end`.as('status'),
    ]);
  return build.selectFrom(held.as('h')).selectAll();
}

function selectEnded(organizationId: string, licenseId: string) {
  const ended = build
    .selectFrom('seat_sessions')
    .where('organization_id', '=', organizationId)
    .where('license_id', '=', licenseId)
    .select([
      'id as session_id',
      'license_id',
      'user_id',
      'hardware_id',
      'metadata',
      'started_at',
      'last_heartbeat',
      sql<Date | null>`ended_at`.as('ended_at'),
      'status',
    ]);
  return build.selectFrom(ended.as('h')).selectAll();
}

/** Filters, order and limit go into both halves, so that neither yields more than a page. */
function restrict(query: Selected, page: PageRequest): Selected {
  const { filters } = page;
  let restricted = query.where(afterCursor(page, page.sort, 'session_id'));
  for (const name of ['status', 'user_id', 'hardware_id'] as const) {
    const value = filters[name];
    if (value !== undefined) {
      restricted = restricted.where(name, '=', value);
    }
  }
  if (filters.project_id !== undefined) {
    restricted = restricted
      .where(sql<boolean>`metadata ->> 'project_id' = ${filters.project_id}`)
      .where(sql.raw<boolean>(namesProject('metadata')));
  }
  if (filters.started_after !== undefined) {
    restricted = restricted.where('started_at', '>', sql<Date>`${filters.started_after}::timestamptz`);
  }
  return restricted.orderBy(inOrder(page, page.sort, 'session_id')).limit(page.limit + 1);
}
