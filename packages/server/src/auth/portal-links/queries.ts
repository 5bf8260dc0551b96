import { count, maybeOne, one, statement } from '../../database/index.ts';
import type { Principal, Role } from '../../http/index.ts';

export const insertPortalLink = statement({
  name: 'insert_portal_link',
  parameters: { hash: 'bytea', id: 'text', organizationId: 'text', userId: 'text', ttlSeconds: 'integer' },
  returns: one<{ expires_at: Date }>(),
  sql: ({ hash, id, organizationId, userId, ttlSeconds }) => `
    insert into portal_links (link_hash, id, organization_id, user_id, created_at, expires_at)
    select ${hash}, ${id}, ${organizationId}, ${userId}, n.t, n.t + ${ttlSeconds} * interval '1 second'
    from (select clock_timestamp() as t) n
    returning expires_at`,
});

/** Exchanges a valid link for a session. Only one of several concurrent attempts succeeds. */
export const updatePortalLinkExchanged = statement({
  name: 'update_portal_link_exchanged',
  parameters: { hash: 'bytea', sessionHash: 'bytea', ttlSeconds: 'integer' },
  returns: maybeOne<{ id: string; organization_id: string; user_id: string; session_expires_at: Date }>(),
  sql: ({ hash, sessionHash, ttlSeconds }) => `
    update portal_links set exchanged_at = n.t, session_hash = ${sessionHash},
      session_expires_at = n.t + ${ttlSeconds} * interval '1 second'
    from (select clock_timestamp() as t) n
    where link_hash = ${hash} and exchanged_at is null and expires_at > n.t
    returning id, organization_id, user_id, session_expires_at`,
});

/** A link as read. */
export const findPortalLink = statement({
  name: 'find_portal_link',
  parameters: { hash: 'bytea' },
  returns: maybeOne<{ expires_at: Date; is_spent: boolean }>(),
  sql: ({ hash }) => `
    select expires_at, exchanged_at is not null as is_spent
    from portal_links where link_hash = ${hash}`,
});

/** What the token of a portal's session represents. */
export interface PortalSessionRow {
  id: string;
  organization_id: string;
  user_id: string;
  session_expires_at: Date;
  is_expired: boolean;
  /** Null when the creator of the link has left the organization. */
  role: Role | null;
  tier: Principal['tier'];
  clock_offset_ms: number;
  is_suspended: boolean;
}

export const findPortalSession = statement({
  name: 'find_portal_session',
  parameters: { sessionHash: 'bytea' },
  returns: maybeOne<PortalSessionRow>(),
  sql: ({ sessionHash }) => `
    select p.id, p.organization_id, p.user_id, p.session_expires_at,
      p.session_expires_at <= clock_timestamp() as is_expired,
      m.role, o.tier, o.clock_offset_ms, o.suspended_at is not null as is_suspended
    from portal_links p
    join organizations o on o.id = p.organization_id and o.deleted_at is null
    left join memberships m on m.organization_id = p.organization_id and m.user_id = p.user_id
    where p.session_hash = ${sessionHash}`,
});

/** Deletes the link or session of a secret that was sent unencrypted. Counts it. */
export const deleteLeakedPortalLink = statement({
  name: 'delete_leaked_portal_link',
  parameters: { hash: 'bytea' },
  returns: count(),
  sql: ({ hash }) => `delete from portal_links where link_hash = ${hash} or session_hash = ${hash}`,
});

/** Deletes at most `limit` links that expired before this time; counts them. Their sessions have ended by then. */
export const deleteForgottenPortalLinks = statement({
  name: 'delete_forgotten_portal_links',
  parameters: { before: 'timestamptz', limit: 'integer' },
  returns: count(),
  sql: ({ before, limit }) => `
    delete from portal_links where link_hash = any(array(
      select link_hash from portal_links where expires_at < ${before}
      order by expires_at limit ${limit} for update skip locked
    ))`,
});
