import { count, one, statement } from '../../database/index.ts';

const KEY = { organizationId: 'text', endpointId: 'text' } as const;

/** Writes the secret that signs from now on, without an end; the endpoint's lock is held. */
export const insertSecret = statement({
  name: 'insert_secret',
  parameters: { ...KEY, id: 'text', encrypted: 'bytea' },
  sql: ({ organizationId, endpointId, id, encrypted }) =>
    `insert into webhook_secrets (organization_id, endpoint_id, id, secret, created_at)
    values (${organizationId}, ${endpointId}, ${id}, ${encrypted}, clock_timestamp())`,
});

/**
 * Lets the endpoint's secrets sign for at most this long, except those that end sooner; its lock is held. Truncated to
 * the column's milliseconds: if rounded up, a secret that ends immediately would sign for a moment more.
 */
export const updateSecretEnds = statement({
  name: 'end_secrets',
  parameters: { ...KEY, overlapSeconds: 'float8' },
  sql: ({ organizationId, endpointId, overlapSeconds }) => `update webhook_secrets s set ends_at = n.t
    from (select date_trunc('milliseconds', clock_timestamp()) + ${overlapSeconds} * interval '1 second' as t) n
    where s.organization_id = ${organizationId} and s.endpoint_id = ${endpointId}
      and (s.ends_at is null or s.ends_at > n.t)`,
});

/** Deletes all of the endpoint's secrets but the newest `kept`, and those that have ended; its lock is held. */
export const deleteOldSecrets = statement({
  name: 'delete_old_secrets',
  parameters: { ...KEY, kept: 'integer' },
  sql: ({ organizationId, endpointId, kept }) => `delete from webhook_secrets
    where organization_id = ${organizationId} and endpoint_id = ${endpointId} and (
      ends_at <= (select clock_timestamp()) or id in (
        select id from webhook_secrets where organization_id = ${organizationId} and endpoint_id = ${endpointId}
        order by created_at desc, id desc offset ${kept}
      )
    )`,
});

/** When the last of the previous secrets stops signing; null if only the current one signs. */
export const findOverlapEnd = statement({
  name: 'find_overlap_end',
  parameters: KEY,
  returns: one<{ ends_at: Date | null }>(),
  sql: ({ organizationId, endpointId }) => `select max(ends_at) as ends_at from webhook_secrets
    where organization_id = ${organizationId} and endpoint_id = ${endpointId} and ends_at > (select clock_timestamp())`,
});

/**
 * Deletes about `limit` secrets that have ended, of any endpoint. Counts them. Selected by an inclusive range of ends,
 * because selecting by key would read the whole table.
 */
export const deleteEndedSecrets = statement({
  name: 'delete_ended_secrets',
  parameters: { limit: 'integer' },
  returns: count(),
  sql: ({ limit }) => `with ended as materialized (
      select ends_at from webhook_secrets where ends_at <= (select clock_timestamp()) order by ends_at limit ${limit}
    )
    delete from webhook_secrets
    where ends_at between (select min(ends_at) from ended) and (select max(ends_at) from ended)`,
});
