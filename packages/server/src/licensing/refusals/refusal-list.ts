import { isoTime } from '../../clock/index.ts';
import { many } from '../../database/index.ts';
import { defineList, filterBy, sortBy } from '../../http/index.ts';
import { REFUSAL_COLUMNS, type RefusalRow } from './queries.ts';
import { CREATED_BEFORE, REFUSAL_FILTERS } from './refusal-filters.ts';

/** The refused acquires of a license. */
export const REFUSAL_LIST = defineList({
  name: 'list_seat_refusals',
  parameters: { organizationId: 'text', licenseId: 'text' },
  returns: many<RefusalRow>(),
  defaultSort: '-last_at',
  sorts: { last_at: sortBy.time('r.last_at', (row: RefusalRow) => isoTime(row.last_at_ms)) },
  filters: { ...REFUSAL_FILTERS, hardware_id: filterBy.text('r.hardware_id'), created_before: CREATED_BEFORE },
  id: 'r.id',
  sql: ({ organizationId, licenseId }, { page }) => `
    select ${REFUSAL_COLUMNS} from seat_refusals r
    where r.organization_id = ${organizationId} and r.license_id = ${licenseId} and ${page}`,
});
