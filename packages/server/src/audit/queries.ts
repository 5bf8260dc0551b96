import { maybeOne, type Placeholders, recordset, statement } from '../database/index.ts';

/** What an entry contains, apart from its organization. */
const ENTRY = {
  action: 'text',
  actorUserId: 'text | null',
  byStaff: 'boolean',
  credentialKind: 'text',
  credentialId: 'text | null',
  requestId: 'text | null',
  clientAddress: 'text | null',
  targetType: 'text',
  targetId: 'text',
  before: 'jsonb | null',
  after: 'jsonb | null',
} as const;

const COLUMNS = `organization_id, id, action, actor_user_id, by_staff, credential_kind, credential_id, request_id,
  client_address, target_type, target_id, before, after, created_at`;

const valuesOf = (entry: Placeholders<typeof ENTRY>) => `${entry.action}, ${entry.actorUserId}, ${entry.byStaff},
  ${entry.credentialKind}, ${entry.credentialId}, ${entry.requestId}, ${entry.clientAddress}, ${entry.targetType}, ${entry.targetId},
  ${entry.before}, ${entry.after}`;

export const insertAuditEntry = statement({
  name: 'insert_audit_entry',
  parameters: { organizationId: 'text', id: 'text', ...ENTRY },
  sql: ({ organizationId, id, ...entry }) => `
    insert into audit_entries (${COLUMNS}) values (${organizationId}, ${id}, ${valuesOf(entry)}, clock_timestamp())`,
});

/** The same entry in the logs of many organizations. */
export const insertAuditEntryInEach = statement({
  name: 'insert_audit_entry_in_each',
  parameters: { logs: recordset({ organization_id: 'text', id: 'text' }), ...ENTRY },
  sql: ({ logs, ...entry }) => `
    insert into audit_entries (${COLUMNS})
    select logs.organization_id, logs.id, ${valuesOf(entry)}, n.t
    from ${logs}, (select clock_timestamp() as t) n`,
});

/** When a resource was last changed, by the log of its organization; undefined if the log no longer has the entry. */
export const findLatestAct = statement({
  name: 'find_latest_audit_entry',
  parameters: { organizationId: 'text', targetId: 'text', action: 'text' },
  returns: maybeOne<{ at: Date }>(),
  sql: ({ organizationId, targetId, action }) => `
    select created_at as at from audit_entries
    where organization_id = ${organizationId} and target_id = ${targetId} and action = ${action}
    order by created_at desc limit 1`,
});
