import { many } from '../../database/index.ts';
import { defineList, filterBy, STAFF_ROLES, sortBy } from '../../http/index.ts';
import { STAFF_COLUMNS, STAFF_TABLES, type StaffRow } from './queries.ts';

/** The vendor's staff: few enough to be sorted on read. */
export const STAFF_LIST = defineList({
  name: 'list_staff',
  parameters: {},
  returns: many<StaffRow>(),
  defaultSort: '-created_at',
  sorts: { created_at: sortBy.time('s.created_at'), email: sortBy.text('u.email'), name: sortBy.text('u.name') },
  filters: { role: filterBy.oneOf(STAFF_ROLES, 's.role'), ...filterBy.createdWithin('s.created_at') },
  id: 's.user_id',
  sql: (_parameters, { page }) => `select ${STAFF_COLUMNS} from ${STAFF_TABLES} where ${page}`,
});
