import { isoTime } from '../../clock/index.ts';
import type { EventRow } from '../../events/index.ts';

/** The envelope of service.md "Events". */
export function presentEvent(organizationId: string, row: EventRow) {
  return {
    id: row.id,
    type: row.type,
    created: isoTime(row.created.getTime()),
    data: { object: row.object },
    organization_id: organizationId,
  };
}
