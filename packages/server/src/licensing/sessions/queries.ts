import { many, milliseconds, serviceTime, statement } from '../../database/index.ts';

/** A session of a license, active or ended. */
export interface SessionRow extends ProgramRow {
  session_id: string;
  license_id: string;
  user_id: string;
  hardware_id: string;
  metadata: Record<string, unknown> | null;
  status: 'active' | 'released' | 'timed_out';
  started_at_ms: number;
  last_heartbeat_ms: number;
  ended_at_ms: number | null;
  released_by: string | null;
  offline_until_ms: number | null;
}

/** A program's data in the metadata of its session. */
export interface ProgramRow {
  hostname: string | null;
  client_version: string | null;
}

/** Selects a ProgramRow from metadata, which can contain any values under these names. */
export const programColumns = (metadata: string) =>
  PROGRAM_KEYS.map(
    (key) => `case when jsonb_typeof(${metadata} -> '${key}') = 'string' then ${metadata} ->> '${key}' end as ${key}`,
  ).join(', ');

const PROGRAM_KEYS: ReadonlyArray<keyof ProgramRow> = ['hostname', 'client_version'];

/** An active session. */
export type ActiveSessionRow = ProgramRow &
  Pick<
    SessionRow,
    'session_id' | 'user_id' | 'hardware_id' | 'started_at_ms' | 'last_heartbeat_ms' | 'offline_until_ms'
  >;

/** The active sessions of a license, newest first, at most 100. */
export const listActiveSessions = statement({
  name: 'list_active_sessions',
  parameters: { organizationId: 'text', clockOffsetMs: 'bigint', licenseId: 'text' },
  returns: many<ActiveSessionRow>(),
  sql: (of) => activeSessions(of, ''),
});

/** The same for one user. */
export const listActiveSessionsOfUser = statement({
  name: 'list_active_sessions_of_user',
  parameters: { organizationId: 'text', clockOffsetMs: 'bigint', licenseId: 'text', userId: 'text' },
  returns: many<ActiveSessionRow>(),
  sql: ({ userId, ...of }) => activeSessions(of, `and s.session_id is not null and s.user_id = ${userId}`),
});

function activeSessions(
  { organizationId, clockOffsetMs, licenseId }: { organizationId: string; clockOffsetMs: string; licenseId: string },
  condition: string,
): string {
  return `select s.session_id, s.user_id, s.hardware_id, ${milliseconds('s.started_at')} as started_at_ms,
      ${milliseconds('s.last_heartbeat')} as last_heartbeat_ms,
      ${milliseconds('s.offline_until')} as offline_until_ms, ${programColumns('s.metadata')}
    from seat_slots s cross join service_clock c
    where s.organization_id = ${organizationId} and s.license_id = ${licenseId} and s.reap_at > '-infinity'
      and s.deadline > ${serviceTime(clockOffsetMs)} ${condition}
    order by s.started_at desc, s.session_id desc limit 100`;
}
