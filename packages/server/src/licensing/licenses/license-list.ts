import { isoTime } from '../../clock/index.ts';
import { many, wallTimeOnce } from '../../database/index.ts';
import { defineList, filterBy, sortBy } from '../../http/index.ts';
import { NEVER, presentExpiry } from './license-rules.ts';
import { type ListedLicenseRow, selectLicenses } from './queries.ts';

/** An organization's licenses. */
export const LICENSE_LIST = defineList({
  name: 'list_licenses',
  parameters: { organizationId: 'text', clockOffsetMs: 'bigint' },
  returns: many<ListedLicenseRow>(),
  defaultSort: '-created_at',
  sorts: {
    created_at: sortBy.time('l.created_at', (row: ListedLicenseRow) => isoTime(row.created_at_ms)),
    expires_at: sortBy.time('l.expires_at', (row: ListedLicenseRow) => presentExpiry(row.expires_at_ms) ?? NEVER),
    product: sortBy.text('l.product'),
  },
  filters: ({ clockOffsetMs }) => ({
    status: filterBy.cases({
      active: `l.state = 'active' and l.expires_at > ${wallTimeOnce(clockOffsetMs)}`,
      suspended: "l.state = 'suspended'",
      expired: `l.state = 'active' and l.expires_at <= ${wallTimeOnce(clockOffsetMs)}`,
      revoked: "l.state = 'revoked'",
    }),
    product: filterBy.text('l.product'),
    expires_before: filterBy.before('l.expires_at'),
    ...filterBy.createdWithin('l.created_at'),
  }),
  id: 'l.id',
  sql: (placeholders, { page }) => `${selectLicenses(placeholders)} and ${page}`,
});
