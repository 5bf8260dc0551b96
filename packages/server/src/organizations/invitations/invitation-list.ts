import { many } from '../../database/index.ts';
import { defineList, filterBy, ROLES, sortBy } from '../../http/index.ts';
import { INVITATION_COLUMNS, type InvitationRow, IS_OPEN } from './queries.ts';

/** An organization's invitations. An invitation's name is the address that it was sent to. */
export const INVITATION_LIST = defineList({
  name: 'list_invitations',
  parameters: { organizationId: 'text' },
  returns: many<InvitationRow>(),
  defaultSort: '-created_at',
  sorts: { created_at: sortBy.time('created_at'), name: sortBy.text('email'), email: sortBy.text('email') },
  filters: {
    // The clock is in a subselect, so that it is read once, not for every row.
    status: filterBy.cases({
      pending: `${IS_OPEN} and expires_at > (select clock_timestamp())`,
      accepted: 'accepted_at is not null',
      expired: `${IS_OPEN} and expires_at <= (select clock_timestamp())`,
      revoked: 'accepted_at is null and revoked_at is not null',
    }),
    role: filterBy.oneOf(ROLES, 'role'),
    ...filterBy.createdWithin('created_at'),
  },
  sql: ({ organizationId }, { page }) =>
    `select ${INVITATION_COLUMNS} from invitations where organization_id = ${organizationId} and ${page}`,
});
