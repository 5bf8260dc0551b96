import { many } from '../../database/index.ts';
import { defineList, filterBy, sortBy } from '../../http/index.ts';
import { METHOD_COLUMNS, type MethodRow } from './queries.ts';

/** An organization's payment methods that are not removed. */
export const PAYMENT_METHOD_LIST = defineList({
  name: 'list_payment_methods',
  parameters: { organizationId: 'text' },
  returns: many<MethodRow>(),
  defaultSort: '-created_at',
  sorts: { created_at: sortBy.time('created_at') },
  filters: { type: filterBy.oneOf(['card'], 'type'), is_default: filterBy.flag('is_default') },
  sql: ({ organizationId }, { page }) => `
    select ${METHOD_COLUMNS} from payment_methods
    where organization_id = ${organizationId} and removed_at is null and ${page}`,
});
