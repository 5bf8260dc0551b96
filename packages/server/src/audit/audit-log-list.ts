import { many } from '../database/index.ts';
import { defineList, filterBy, sortBy } from '../http/lists/index.ts';

/** An entry of the audit log as it is kept. */
export interface AuditEntryRow {
  id: string;
  action: string;
  actor_user_id: string | null;
  by_staff: boolean;
  credential_kind: string;
  credential_id: string | null;
  request_id: string | null;
  client_address: string | null;
  target_type: string;
  target_id: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  created_at: Date;
}

/** An organization's audit log. An entry's name is its action. */
export const AUDIT_LOG_LIST = defineList({
  name: 'list_audit_entries',
  parameters: { organizationId: 'text' },
  returns: many<AuditEntryRow>(),
  defaultSort: '-created_at',
  sorts: { created_at: sortBy.time('created_at'), name: sortBy.text('action') },
  filters: {
    action: filterBy.text('action'),
    actor_user_id: filterBy.text('actor_user_id'),
    target_id: filterBy.text('target_id'),
    ...filterBy.createdWithin('created_at'),
  },
  sql: ({ organizationId }, { page }) => `
    select id, action, actor_user_id, by_staff, credential_kind, credential_id, request_id, client_address, target_type, target_id,
      before, after, created_at
    from audit_entries where organization_id = ${organizationId} and ${page}`,
});
