import { isSameKey, keysIn, type PersonErasure, type Queries, type Statement } from '../database/index.ts';
import { INSTALLATION } from './record-audit.ts';

/** Takes a person out of the audit log: the identifier stays, and what was done; name, address and IP address go. */
export const AUDIT_ERASURES: readonly PersonErasure[] = [
  erasure('user', () => ERASE_ADDRESSES_OF_ACTOR),
  erasure('user', () => ERASE_DETAILS_OF_PERSON),
  erasure('email', () => ERASE_DETAILS_BY_EMAIL),
];

function erasure(by: 'user' | 'email', statement: () => Statement<{ id: string }>): PersonErasure {
  return {
    table: 'audit_entries',
    erase: async (database, { userId, email }, limit) =>
      (await database.query(statement(), [by === 'user' ? userId : email, limit])).length,
  };
}

/** The fields that identify a person in what the API shows of a user, a member and an invitation. */
const PERSONAL = `'{email,name,avatar_url,user_agent,client_address}'::text[]`;

/** Things that belong only to the user who created them, and may be named after them. */
const OWN = `a.target_type in ('api_token', 'login_session', 'oauth_grant')`;

const KEY = ['organization_id', 'id'];

/** Along an index of what is still to be erased. $1 the actor, $2 how many at most. */
const ERASE_ADDRESSES_OF_ACTOR: Statement<{ id: string }> = {
  name: 'erase_audit_addresses_of_actor',
  text: `with found as materialized (
      select organization_id, id from audit_entries a
      where actor_user_id = $1 and (client_address is not null or (${OWN} and (before is not null or after is not null)))
      order by organization_id, id limit $2
    )
    update audit_entries a set client_address = null, before = case when ${OWN} then null else a.before end,
      after = case when ${OWN} then null else a.after end
    from ${keysIn('found', KEY)}
    where a.actor_user_id = $1 and ${isSameKey('a', KEY)} returning a.id`,
};

/** $1 the user that an entry is about, $2 how many at most. */
const ERASE_DETAILS_OF_PERSON: Statement<{ id: string }> = {
  name: 'erase_audit_details_of_person',
  text: `with found as materialized (
      select organization_id, id from audit_entries
      where target_id = $1 and target_type in ('user', 'member')
        and (before ?| ${PERSONAL} or after ?| ${PERSONAL}) order by organization_id, id limit $2
    )
    update audit_entries a set before = a.before - ${PERSONAL}, after = a.after - ${PERSONAL}
    from ${keysIn('found', KEY)}
    where a.target_id = $1 and a.target_type in ('user', 'member') and ${isSameKey('a', KEY)} returning a.id`,
};

/** $1 the address that an entry is about, as an invitation's is; $2 how many at most. */
const ERASE_DETAILS_BY_EMAIL: Statement<{ id: string }> = {
  name: 'erase_audit_details_by_email',
  text: `with found as materialized (
      select organization_id, id from audit_entries
      where coalesce(after ->> 'email', before ->> 'email') is not null
        and coalesce(after ->> 'email', before ->> 'email') = $1 order by organization_id, id limit $2
    )
    update audit_entries a set before = a.before - ${PERSONAL}, after = a.after - ${PERSONAL}
    from ${keysIn('found', KEY)}
    where coalesce(a.after ->> 'email', a.before ->> 'email') = $1 and ${isSameKey('a', KEY)} returning a.id`,
};

/**
 * Takes the people out of the log of a deleted organization, at most `limit` entries at a time; returns how many were changed.
 * Who did what to which thing stays, by identifiers.
 */
export async function eraseAuditDetailsOfOrganization(
  database: Queries,
  organizationId: string,
  limit: number,
): Promise<number> {
  return (await database.query(ERASE_AUDIT_DETAILS_OF_ORGANIZATION, [organizationId, limit])).length;
}

const ERASE_AUDIT_DETAILS_OF_ORGANIZATION: Statement<{ id: string }> = {
  name: 'erase_audit_details_of_organization',
  text: `with found as materialized (
      select id from audit_entries where organization_id = $1
        and (before is not null or after is not null or client_address is not null) order by id limit $2
    )
    update audit_entries a set before = null, after = null, client_address = null from ${keysIn('found', ['id'])}
    where a.organization_id = $1 and a.id = k.id returning a.id`,
};

/** The next logs in the order of their keys, the installation's among them, and whether each has entries of before `$3`. */
export const LIST_AUDIT_AGES: Statement<{ organization_id: string; is_over: boolean }> = {
  name: 'list_audit_ages',
  text: `select o.id as organization_id, exists (
        select from audit_entries where organization_id = o.id and created_at < $3
      ) as is_over
    from (
      (select id from organizations where id > $1 order by id limit $2)
      union all
      (select own.id from (values ('${INSTALLATION}'::text)) own (id) where own.id > $1)
    ) o order by o.id limit $2`,
};

/** $1 organization, $2 entries of before this time, $3 how many at most, the oldest first. */
export const DELETE_OLD_AUDIT_ENTRIES: Statement<{ id: string }> = {
  name: 'delete_old_audit_entries',
  text: `delete from audit_entries where organization_id = $1 and id = any(array(
      select id from audit_entries where organization_id = $1 and created_at < $2 order by created_at, id limit $3
    )) returning id`,
};
