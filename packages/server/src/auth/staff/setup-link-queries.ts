import { count, exists, maybeOne, one, statement } from '../../database/index.ts';

/** A one-time link for a new staff member, as read. */
export interface SetupLinkRow {
  /** Null for the link of a new installation. */
  user_id: string | null;
  expires_at: Date;
  is_spent: boolean;
  is_expired: boolean;
}

export const insertSetupLink = statement({
  name: 'insert_staff_setup_link',
  parameters: { hash: 'bytea', userId: 'text | null', ttlSeconds: 'integer' },
  returns: one<{ expires_at: Date }>(),
  sql: ({ hash, userId, ttlSeconds }) => `
    insert into staff_setup_links (token_hash, user_id, created_at, expires_at)
    select ${hash}, ${userId}, n.t, n.t + ${ttlSeconds} * interval '1 second' from (select clock_timestamp() as t) n
    returning expires_at`,
});

export const findSetupLink = statement({
  name: 'find_staff_setup_link',
  parameters: { hash: 'bytea' },
  returns: maybeOne<SetupLinkRow>(),
  sql: ({ hash }) => `
    select user_id, expires_at, spent_at is not null as is_spent, expires_at <= clock_timestamp() as is_expired
    from staff_setup_links where token_hash = ${hash}`,
});

/** Spends a valid link. Only one of several concurrent attempts succeeds. */
export const updateSetupLinkSpent = statement({
  name: 'update_staff_setup_link_spent',
  parameters: { hash: 'bytea' },
  returns: count(),
  sql: ({ hash }) => `
    update staff_setup_links set spent_at = clock_timestamp()
    where token_hash = ${hash} and spent_at is null and expires_at > clock_timestamp()`,
});

/** Whether a user was sent a link and has not used it. */
export const hasUnspentSetupLink = statement({
  name: 'has_unspent_staff_setup_link',
  parameters: { userId: 'text' },
  returns: exists(),
  sql: ({ userId }) => `select user_id from staff_setup_links where user_id = ${userId} and spent_at is null limit 1`,
});

/** Deletes all links of a user, used or not: a new one supersedes them. */
export const deleteSetupLinksOfUser = statement({
  name: 'delete_superseded_staff_setup_links',
  parameters: { userId: 'text' },
  sql: ({ userId }) => `delete from staff_setup_links where user_id = ${userId}`,
});

/** Deletes at most `limit` links that expired before this time; counts them. */
export const deleteForgottenSetupLinks = statement({
  name: 'delete_forgotten_staff_setup_links',
  parameters: { before: 'timestamptz', limit: 'integer' },
  returns: count(),
  sql: ({ before, limit }) => `
    delete from staff_setup_links where token_hash = any(array(
      select token_hash from staff_setup_links where expires_at < ${before}
      order by expires_at limit ${limit} for update skip locked
    ))`,
});
