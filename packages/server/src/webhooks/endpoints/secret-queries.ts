import type { Queries, Statement } from '../../database/index.ts';
import type { EndpointKey } from '../delivering/delivering.ts';

/** Writes the secret that signs from now on and has no end; the endpoint's lock is held. `sealed` is encrypted. */
export async function insertSecret(tx: Queries, key: EndpointKey, id: string, sealed: Buffer): Promise<void> {
  await tx.query(INSERT_SECRET, [key.organization_id, key.endpoint_id, id, sealed]);
}

/** Lets the endpoint's secrets sign for no longer than this, those that end sooner excepted; its lock is held. */
export async function endSecrets(tx: Queries, key: EndpointKey, overlapSeconds: number): Promise<void> {
  await tx.query(END_SECRETS, [key.organization_id, key.endpoint_id, overlapSeconds]);
}

/** Deletes all of the endpoint's secrets but the newest `kept`, and those that have ended; its lock is held. */
export async function deleteOldSecrets(tx: Queries, key: EndpointKey, kept: number): Promise<void> {
  await tx.query(DELETE_OLD_SECRETS, [key.organization_id, key.endpoint_id, kept]);
}

/** When the last of the secrets before the present one stops signing; null when only the present one signs. */
export async function findOverlapEnd(database: Queries, key: EndpointKey): Promise<Date | null> {
  return (await database.query(FIND_OVERLAP_END, [key.organization_id, key.endpoint_id]))[0]?.ends_at ?? null;
}

/** Deletes secrets that have ended, of whichever endpoint and about `limit` at a time; answers how many. */
export async function deleteEndedSecrets(database: Queries, limit: number): Promise<number> {
  return (await database.query(DELETE_ENDED_SECRETS, [limit])).length;
}

const INSERT_SECRET: Statement<never> = {
  name: 'insert_secret',
  text: `insert into webhook_secrets (organization_id, endpoint_id, id, secret, created_at)
    values ($1, $2, $3, $4, clock_timestamp())`,
};

/** Cut to the millisecond that the column keeps: rounded up, what ends at once would sign for a moment more. */
const END_SECRETS: Statement<never> = {
  name: 'end_secrets',
  text: `update webhook_secrets s set ends_at = n.t
    from (select date_trunc('milliseconds', clock_timestamp()) + $3 * interval '1 second' as t) n
    where s.organization_id = $1 and s.endpoint_id = $2 and (s.ends_at is null or s.ends_at > n.t)`,
};

const DELETE_OLD_SECRETS: Statement<never> = {
  name: 'delete_old_secrets',
  text: `delete from webhook_secrets where organization_id = $1 and endpoint_id = $2 and (
      ends_at <= (select clock_timestamp()) or id in (
        select id from webhook_secrets where organization_id = $1 and endpoint_id = $2
        order by created_at desc, id desc offset $3
      )
    )`,
};

const FIND_OVERLAP_END: Statement<{ ends_at: Date | null }> = {
  name: 'find_overlap_end',
  text: `select max(ends_at) as ends_at from webhook_secrets
    where organization_id = $1 and endpoint_id = $2 and ends_at > (select clock_timestamp())`,
};

/** The first by their range of ends, both included: naming them by their keys would read the whole table. */
const DELETE_ENDED_SECRETS: Statement<{ id: string }> = {
  name: 'delete_ended_secrets',
  text: `with ended as materialized (
      select ends_at from webhook_secrets where ends_at <= (select clock_timestamp()) order by ends_at limit $1
    )
    delete from webhook_secrets
    where ends_at between (select min(ends_at) from ended) and (select max(ends_at) from ended)
    returning id`,
};
