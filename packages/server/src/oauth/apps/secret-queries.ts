import type { Queries, Statement } from '../../database/index.ts';

/** A client secret that lives, as its app shows it: never the secret. */
export interface ClientSecretRow {
  app_id: string;
  created_at: Date;
  /** Null for the newest. */
  expires_at: Date | null;
}

/** The secrets that live of many apps of one organization, the newest first. */
export async function listLiveClientSecrets(
  database: Queries,
  organizationId: string,
  appIds: readonly string[],
): Promise<ClientSecretRow[]> {
  return database.query(LIST_LIVE_CLIENT_SECRETS, [organizationId, appIds]);
}

/** Writes the secret of an app that the transaction has locked or just made. */
export async function insertClientSecret(
  tx: Queries,
  organizationId: string,
  appId: string,
  secretHash: Buffer,
): Promise<void> {
  await tx.query(INSERT_CLIENT_SECRET, [organizationId, appId, secretHash]);
}

/** Lets the newest secret of a locked app live for so many seconds more, and ends one that was on its way out at once. */
export async function retireClientSecrets(
  tx: Queries,
  organizationId: string,
  appId: string,
  overlapSeconds: number,
): Promise<void> {
  await tx.query(RETIRE_CLIENT_SECRETS, [organizationId, appId, overlapSeconds]);
}

/** Deletes about `limit` secrets that expired before this time; returns how many. */
export async function deleteForgottenClientSecrets(database: Queries, before: Date, limit: number): Promise<number> {
  return (await database.query(DELETE_FORGOTTEN_CLIENT_SECRETS, [limit, before])).length;
}

const LIST_LIVE_CLIENT_SECRETS: Statement<ClientSecretRow> = {
  name: 'list_live_client_secrets',
  text: `select app_id, created_at, expires_at from oauth_client_secrets
    where organization_id = $1 and app_id = any($2::text[])
      and (expires_at is null or expires_at > clock_timestamp())
    order by app_id, expires_at desc nulls first`,
};

const INSERT_CLIENT_SECRET: Statement<never> = {
  name: 'insert_client_secret',
  text: `insert into oauth_client_secrets (organization_id, app_id, secret_hash, created_at)
    values ($1, $2, $3, clock_timestamp())`,
};

/** Cut to the millisecond that is kept, or else the time would be rounded and could lie in the future. */
const RETIRE_CLIENT_SECRETS: Statement<never> = {
  name: 'retire_client_secrets',
  text: `update oauth_client_secrets set
      expires_at = case when expires_at is null then n.t + $3::integer * interval '1 second' else n.t end
    from (select date_trunc('milliseconds', clock_timestamp()) as t) n
    where organization_id = $1 and app_id = $2 and (expires_at is null or expires_at > n.t)`,
};

/** The oldest by their range of ends: naming them by their keys would read the whole table. */
const DELETE_FORGOTTEN_CLIENT_SECRETS: Statement<{ app_id: string }> = {
  name: 'delete_forgotten_client_secrets',
  text: `with oldest as materialized (
      select expires_at from oauth_client_secrets
      where expires_at < $2::timestamptz order by expires_at limit $1
    )
    delete from oauth_client_secrets
    where expires_at between (select min(expires_at) from oldest) and (select max(expires_at) from oldest)
    returning app_id`,
};
