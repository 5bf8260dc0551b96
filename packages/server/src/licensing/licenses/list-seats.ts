import type { AuthorizedContext, ListPage, PageRequest } from '../../http/index.ts';
import { findNames } from '../sessions/find-names.ts';
import { presentNamedSession } from '../sessions/present-session.ts';
import { SEAT_LIST, type SeatRow } from '../sessions/seat-list.ts';
import { requireLicense } from './require-license.ts';

/** A page of a license's seats, each with its active session. */
export async function listSeats(
  context: AuthorizedContext,
  licenseId: string,
  page: PageRequest,
): Promise<ListPage<unknown>> {
  const { max_seats: maxSeats } = await requireLicense(context, licenseId);
  const { organizationId, clockOffsetMs } = context.principal;
  const values = { organizationId, clockOffsetMs, licenseId, maxSeats };
  const { items, next } = await SEAT_LIST.getPage(context.database, page, values, (row) => row);
  const names = await findNames(context, items);
  const present = (row: SeatRow) => ({
    slot: row.slot,
    session: isHeld(row) ? presentNamedSession(row, names) : null,
  });
  return { items: items.map(present), next };
}

type HeldSeat = SeatRow & Parameters<typeof presentNamedSession>[0];

function isHeld(row: SeatRow): row is HeldSeat {
  return row.session_id !== null;
}
