import { many, milliseconds, serviceTime } from '../../database/index.ts';
import { defineList, sortBy } from '../../http/index.ts';
import { type ActiveSessionRow, programColumns } from './queries.ts';

/** A seat of a license with its active session; without one, everything but the slot is null. */
export type SeatRow = { slot: number } & { [Field in keyof ActiveSessionRow]: ActiveSessionRow[Field] | null };

/**
 * The seats of a license in order, read by the primary key. A seat whose session is past its timeout is free. A session
 * beyond `max_seats`, on a license that has shrunk, is not on the map.
 */
export const SEAT_LIST = defineList({
  name: 'list_seats',
  parameters: { organizationId: 'text', clockOffsetMs: 'bigint', licenseId: 'text', maxSeats: 'integer' },
  returns: many<SeatRow>(),
  defaultSort: 'slot',
  sorts: { slot: sortBy.integer('s.slot') },
  filters: {},
  // The same for all rows, so it does not affect the order: slots are already unique.
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
