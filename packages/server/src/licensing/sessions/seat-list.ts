import { many, milliseconds, serviceTime } from '../../database/index.ts';
import { defineList, sortBy } from '../../http/index.ts';
import { type ActiveSessionRow, programColumns } from './queries.ts';

/** A seat of a license with its active session; without one, all but the slot is null. */
export type SeatRow = { slot: number } & { [Field in keyof ActiveSessionRow]: ActiveSessionRow[Field] | null };

/**
 * The seats of a license in their order, read along the primary key. A seat whose session is past its timeout is free. A session
 * beyond `max_seats`, on a license that has shrunk, is on no seat of the map.
 */
export const SEAT_LIST = defineList({
  name: 'list_seats',
  parameters: { organizationId: 'text', clockOffsetMs: 'bigint', licenseId: 'text', maxSeats: 'integer' },
  returns: many<SeatRow>(),
  defaultSort: 'slot',
  sorts: { slot: sortBy.integer('s.slot') },
  filters: {},
  // The same for all, so that it costs the order nothing: slots are unique by themselves.
  id: 's.license_id',
  sql: ({ organizationId, clockOffsetMs, licenseId, maxSeats }, { page }) => `
    select s.slot, s.license_id, held.*
    from service_clock c cross join seat_slots s
    left join lateral (
      select s.session_id, s.user_id, s.hardware_id, ${milliseconds('s.started_at')} as started_at_ms,
        ${milliseconds('s.last_heartbeat')} as last_heartbeat_ms,
        ${milliseconds('s.offline_until')} as offline_until_ms, ${programColumns('s.metadata')}
    ) held on s.deadline > ${serviceTime(clockOffsetMs)}
    where s.organization_id = ${organizationId} and s.license_id = ${licenseId} and s.slot <= ${maxSeats} and ${page}`,
});
