import { many } from '../../database/index.ts';
import { defineList, filterBy, STAFF_ROLES, sortBy } from '../../http/index.ts';
import { OPERATOR_TOKEN_COLUMNS, type OperatorTokenRow } from './queries.ts';

/** The installation's operator tokens, including ended ones: few enough to be sorted on read. */
export const OPERATOR_TOKEN_LIST = defineList({
  name: 'list_operator_token_pages',
  parameters: {},
  returns: many<OperatorTokenRow>(),
  defaultSort: '-created_at',
  sorts: { created_at: sortBy.time('created_at'), name: sortBy.text('name') },
  filters: { role: filterBy.oneOf(STAFF_ROLES, 'role'), ...filterBy.createdWithin('created_at') },
  sql: (_parameters, { page }) => `select ${OPERATOR_TOKEN_COLUMNS} from operator_tokens where ${page}`,
});
