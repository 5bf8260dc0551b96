import { isoTime } from '../../clock/index.ts';
import { many } from '../../database/index.ts';
import { defineList, filterBy, sortBy } from '../../http/index.ts';
import { REFUSAL_COLUMNS, type RefusalRow } from './queries.ts';
import { REFUSAL_FILTERS } from './refusal-filters.ts';

/** The refused acquires of all organizations. */
export const OPERATOR_REFUSAL_LIST = defineList({
  name: 'list_refusals_of_all',
  returns: many<RefusalRow>(),
  defaultSort: '-last_at',
  sorts: { last_at: sortBy.time('r.last_at', (row: RefusalRow) => isoTime(row.last_at_ms)) },
  filters: {
    ...REFUSAL_FILTERS,
    organization_id: filterBy.text('r.organization_id'),
    license_id: {
      kind: 'text',
      type: 'text',
      // With its organization, the first column of the index.
      condition: (id) =>
        `r.license_id = ${id} and r.organization_id = (select organization_id from licenses where id = ${id})`,
    },
  },
  id: 'r.id',
  sql: (_, { page }) => `select ${REFUSAL_COLUMNS} from seat_refusals r where ${page}`,
});
