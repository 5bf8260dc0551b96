import { many } from '../database/index.ts';
import { defineList, filterBy, sortBy } from '../http/lists/index.ts';

/** An audit log entry as stored. */
export interface AuditEntryRow {
  organization_id: string;
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

const COLUMNS = `organization_id, id, action, actor_user_id, by_staff, credential_kind, credential_id, request_id, client_address,
      target_type, target_id, before, after, created_at`;

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
    select ${COLUMNS}
    from audit_entries where organization_id = ${organizationId} and ${page}`,
});

/** What kind of actor it was: the vendor acts as one of its staff, by a command on the server, or by a token of its programs. */
export const ACTOR_TYPES = ['user', 'staff', 'operator', 'operator_token', 'unknown'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];

/** The audit logs of all organizations, and of the installation itself. */
export const OPERATOR_AUDIT_LOG_LIST = defineList({
  name: 'list_operator_audit_entries',
  returns: many<AuditEntryRow>(),
  defaultSort: '-created_at',
  sorts: { created_at: sortBy.time('created_at') },
  filters: {
    organization_id: filterBy.text('organization_id'),
    actor: filterBy.text('coalesce(actor_user_id, credential_id)'),
    actor_type: filterBy.cases({
      user: 'actor_user_id is not null and not by_staff',
      staff: 'by_staff',
      operator: "credential_kind = 'operator' and credential_id is null",
      operator_token: "credential_kind = 'operator' and credential_id is not null",
      unknown: "actor_user_id is null and credential_kind <> 'operator'",
    } satisfies Record<ActorType, string>),
    action: filterBy.text('action'),
    ...filterBy.createdWithin('created_at'),
  },
  sql: (_, { page }) => `select ${COLUMNS} from audit_entries where ${page}`,
});
