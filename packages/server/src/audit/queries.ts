import type { Statement } from '../database/index.ts';

/** One entry in the logs of many organizations: $1 organizations, $2 identifiers in the same order, the rest as below. */
export const INSERT_AUDIT_ENTRY_IN_EACH: Statement<never> = {
  name: 'insert_audit_entry_in_each',
  text: `insert into audit_entries (organization_id, id, action, actor_user_id, credential_kind, credential_id,
      request_id, client_address, target_type, target_id, before, after, created_at)
    select e.organization_id, e.id, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, n.t
    from unnest($1::text[], $2::text[]) as e (organization_id, id), (select clock_timestamp() as t) n`,
};

export const INSERT_AUDIT_ENTRY: Statement<never> = {
  name: 'insert_audit_entry',
  text: `insert into audit_entries (organization_id, id, action, actor_user_id, credential_kind, credential_id,
      request_id, client_address, target_type, target_id, before, after, created_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, clock_timestamp())`,
};
