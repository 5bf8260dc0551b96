import { one, serviceTime, statement, wallTime } from '../../database/index.ts';

/** Counts an organization's seats: those of the licenses that can be used now, and those in use. */
export const countSeats = statement({
  name: 'count_usage_seats',
  parameters: { organizationId: 'text', clockOffsetMs: 'bigint' },
  returns: one<{ included: number; used: number }>(),
  sql: ({ organizationId, clockOffsetMs }) => `select
      (select coalesce(sum(l.max_seats), 0)::bigint from licenses l
        where l.organization_id = ${organizationId} and l.state = 'active'
          and l.expires_at > (select ${wallTime(clockOffsetMs)})) as included,
      (select count(*) from seat_slots s, service_clock c
        where s.organization_id = ${organizationId} and s.session_id is not null
          and s.deadline > ${serviceTime(clockOffsetMs)}) as used`,
});
