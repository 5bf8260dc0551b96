import { isoTime } from '../../clock/index.ts';
import { many } from '../../database/index.ts';
import { defineList, filterBy, sortBy } from '../../http/index.ts';
import { type OperatorLicenseRow, SELECT_OPERATOR_LICENSES } from './queries.ts';

/** Read once: compared with each row, the clock would hide from PostgreSQL how many rows pass. */
const NOW = "(select clock_timestamp()) + o.clock_offset_ms * interval '1 millisecond'";

/** The licenses of all organizations. */
export const OPERATOR_LICENSE_LIST = defineList({
  name: 'list_operator_licenses',
  returns: many<OperatorLicenseRow>(),
  defaultSort: '-created_at',
  sorts: { created_at: sortBy.time('l.created_at', (row: OperatorLicenseRow) => isoTime(row.created_at_ms)) },
  filters: {
    organization_id: filterBy.text('l.organization_id'),
    product: filterBy.text('l.product'),
    status: filterBy.cases({
      active: `l.state = 'active' and l.expires_at > ${NOW}`,
      suspended: "l.state = 'suspended'",
      expired: `l.state = 'active' and l.expires_at <= ${NOW}`,
      revoked: "l.state = 'revoked'",
    }),
    key: filterBy.text('l.key'),
    external_id: filterBy.text('l.external_id'),
    expires_before: filterBy.before('l.expires_at'),
    ...filterBy.createdWithin('l.created_at'),
  },
  id: 'l.id',
  sql: (_, { page }) => `${SELECT_OPERATOR_LICENSES} where ${page}`,
});
