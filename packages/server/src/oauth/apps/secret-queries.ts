import { count, many, statement } from '../../database/index.ts';

/** A live client secret as shown by its app: never the secret itself. */
export interface ClientSecretRow {
  app_id: string;
  created_at: Date;
  /** Null for the newest. */
  expires_at: Date | null;
}

/** The live secrets of many apps of one organization, the newest first. */
export const listLiveClientSecrets = statement({
  name: 'list_live_client_secrets',
  parameters: { organizationId: 'text', appIds: 'text[]' },
  returns: many<ClientSecretRow>(),
  sql: ({ organizationId, appIds }) => `
    select app_id, created_at, expires_at from oauth_client_secrets
    where organization_id = ${organizationId} and app_id = any(${appIds})
      and (expires_at is null or expires_at > clock_timestamp())
    order by app_id, expires_at desc nulls first`,
});

/** Inserts the secret of an app that the transaction has locked or just inserted. */
export const insertClientSecret = statement({
  name: 'insert_client_secret',
  parameters: { organizationId: 'text', appId: 'text', secretHash: 'bytea' },
  sql: ({ organizationId, appId, secretHash }) => `
    insert into oauth_client_secrets (organization_id, app_id, secret_hash, created_at)
    values (${organizationId}, ${appId}, ${secretHash}, clock_timestamp())`,
});

/**
 * Lets the newest secret of a locked app expire after this many seconds, and ends one that was already about to expire.
 * The clock is truncated to stored milliseconds, because a rounded time could be in the future.
 */
export const updateClientSecretsExpiry = statement({
  name: 'update_client_secrets_expiry',
  parameters: { organizationId: 'text', appId: 'text', overlapSeconds: 'integer' },
  sql: ({ organizationId, appId, overlapSeconds }) => `
    update oauth_client_secrets set
      expires_at = case when expires_at is null then n.t + ${overlapSeconds} * interval '1 second' else n.t end
    from (select date_trunc('milliseconds', clock_timestamp()) as t) n
    where organization_id = ${organizationId} and app_id = ${appId} and (expires_at is null or expires_at > n.t)`,
});

/**
 * Deletes about `limit` secrets that expired before this time; counts them. They are selected by a range of expiries,
 * because selecting by key would read the whole table.
 */
export const deleteForgottenClientSecrets = statement({
  name: 'delete_forgotten_client_secrets',
  parameters: { before: 'timestamptz', limit: 'integer' },
  returns: count(),
  sql: ({ before, limit }) => `
    with oldest as materialized (
      select expires_at from oauth_client_secrets where expires_at < ${before} order by expires_at limit ${limit}
    )
    delete from oauth_client_secrets
    where expires_at between (select min(expires_at) from oldest) and (select max(expires_at) from oldest)`,
});
