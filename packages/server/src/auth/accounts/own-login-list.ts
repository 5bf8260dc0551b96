import { many } from '../../database/index.ts';
import { defineList, filterBy, sortBy } from '../../http/index.ts';

/**
 * A live login: at the API, with the expiry of its current refresh token or of its cookie, or of a browser at the
 * authorization server.
 */
export interface OwnLoginRow {
  id: string;
  kind: OwnLoginKind;
  /** Null for a browser, which acts in no organization. */
  organization_id: string | null;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  client_address: string | null;
  user_agent: string | null;
}

export type OwnLoginKind = 'api' | 'browser' | 'dashboard';

/**
 * A user's logins that have not ended. Each of the two kinds is read by its own index, at most one page. A login at the
 * API has one unused refresh token or one cookie, which never outlives it.
 */
export const OWN_LOGIN_LIST = defineList({
  name: 'list_own_logins',
  parameters: { userId: 'text' },
  returns: many<OwnLoginRow>(),
  isOfUser: true,
  defaultSort: '-created_at',
  sorts: { created_at: sortBy.time('created_at') },
  filters: filterBy.createdWithin('created_at'),
  sql: ({ userId }, { page, ordered }) => `
    select * from (
      select * from (
        select l.id, case when l.by_cookie then 'dashboard' else 'api' end as kind, l.organization_id, l.created_at,
          l.last_seen_at, coalesce(r.expires_at, c.expires_at) as expires_at, l.client_address, l.user_agent
        from login_sessions l
        left join refresh_tokens r on r.user_id = l.user_id and r.login_session_id = l.id
          and r.used_at is null and r.expires_at > clock_timestamp()
        left join bearer_tokens c on l.by_cookie and c.user_id = l.user_id and c.source_id = l.id
          and c.revoked_at is null and c.expires_at > clock_timestamp()
        where l.user_id = ${userId} and l.ended_at is null and coalesce(r.expires_at, c.expires_at) is not null
      ) of_api where ${page}
    ) api
    union all
    select * from (
      select * from (
        select public_id as id, 'browser' as kind, null::text as organization_id, created_at, last_seen_at, expires_at,
          client_address, user_agent
        from oauth_artifacts
        where user_id = ${userId} and public_id is not null and expires_at > clock_timestamp()
      ) of_browser where ${page}
    ) browser
    ${ordered}`,
});
