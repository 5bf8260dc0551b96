import { ago, hash, id, inLargest, ORGANIZATIONS, organizationOf, USERS, userOf } from './seed-values.ts';

const APPS = 20_000;
const ARTIFACTS = inLargest(300_000);
const GRANTS_OF_THE_BUSIEST = 500;

/** The organization of the n-th app. None has more than a hundred live apps, so that none has a large share of them. */
const organizationOfApp = `case when n % 30 = 0 then :organization else ${id('org', `n % ${ORGANIZATIONS}`)} end`;

/** Rows that logins, the second factor, OAuth and mail leave behind. */
export const SEED_OF_ACCOUNTS: readonly string[] = [
  `insert into login_challenges (token_hash, user_id, created_at, expires_at, attempts, spent_at)
    select ${hash('challenge', 'n')}, ${userOf('n')}, ${ago('n * 30')}, ${ago('n * 30 - 300')}, 1,
      case when n % 100 <> 1 then ${ago('n * 30')} end from generate_series(0, ${USERS - 1}) n`,
  `insert into two_factor_secrets (user_id, secret, created_at, enabled_at, last_time_step)
    select ${id('usr', 'n')}, '\\x00', ${ago('n')}, case when n % 10 <> 0 then ${ago('n')} end, 1
    from generate_series(0, ${USERS / 2 - 1}) n`,
  `insert into staff_members (user_id, role, created_at)
    select ${id('usr', 'n * 100')}, 'support', ${ago('n')} from generate_series(0, 29) n`,
  `insert into recovery_codes (user_id, code_hash, created_at, used_at)
    select ${id('usr', 'n')}, ${hash('recovery', 'n * 10 + c')}, ${ago('n')}, case when c = 0 then ${ago('n')} end
    from generate_series(0, ${USERS / 10 - 1}) n, generate_series(0, 9) c`,
  `insert into oauth_apps (organization_id, id, created_by, name, redirect_uris, scopes, is_confidential, created_at, updated_at, deleted_at)
    select ${organizationOfApp}, ${id('app', 'n')}, ${userOf('n')}, 'App ' || n, '{https://app.example}', '{read:profile}',
      n % 2 = 0, ${ago('n * 60')}, ${ago('n * 60')}, case when n % 30 = 0 and n % 200 <> 0 then ${ago('n * 30')} end
    from generate_series(0, ${APPS - 1}) n`,
  `insert into oauth_app_origins (origin, organization_id, app_id)
    select 'https://app-' || n % 10 || '-of-' || n || '.example', organization_id, id
    from (select organization_id, id, row_number() over (order by id) as n from oauth_apps where deleted_at is null) a`,
  // The second-newest has ended, or ends soon.
  `insert into oauth_client_secrets (organization_id, app_id, secret_hash, created_at, expires_at)
    select ${organizationOfApp}, ${id('app', 'n')}, ${hash('client secret', 'n * 2 + s')}, ${ago('n * 60')},
      case when s = 1 then ${ago('n * 10 - 86400')} end
    from generate_series(0, ${APPS - 1}) n, generate_series(0, 1) s`,
  `insert into oauth_grants (organization_id, id, user_id, app_id, scopes, created_at, updated_at, ended_at)
    select ${organizationOf('n')}, ${id('grant', 'n')}, ${id('usr', 'n')}, ${id('app', `n % ${APPS}`)}, '{read:profile}',
      ${ago('n * 60')}, ${ago('n * 60')}, case when n % 3 = 1 then ${ago('n * 30')} end
    from generate_series(0, ${USERS - 1}) n`,
  `insert into oauth_grants (organization_id, id, user_id, app_id, scopes, created_at, updated_at)
    select :organization, ${id('grant', '1000000 + n')}, :user, ${id('app', 'n')}, '{read:profile}', ${ago('n * 60')}, ${ago('n * 60')}
    from generate_series(0, ${GRANTS_OF_THE_BUSIEST - 1}) n`,
  // Tokens and codes have a grant, browser logins a name in the list. What is still in progress has neither.
  `insert into oauth_artifacts (model, id_hash, payload, user_id, grant_key, uid_hash, public_id, last_seen_at, created_at, expires_at, consumed_at)
    select m.model, ${hash('artifact', 'n')}, '\\x00', case when m.model <> 'Interaction' then ${userOf('n / 5')} end,
      case when n % 5 < 3 then ${id('grant', `n % ${USERS}`)} end, ${hash('uid', 'n / 3')},
      case when m.model = 'Session' then ${id('login', '5000000 + n')} end, case when m.model = 'Session' then ${ago('n * 5')} end,
      ${ago('n * 5')}, ${ago('n * 5 - 1200000')}, case when n % 5 = 1 then ${ago('n * 5')} end
    from generate_series(0, ${ARTIFACTS - 1}) n cross join lateral (
      select (array['AccessToken', 'AuthorizationCode', 'RefreshToken', 'Session', 'Interaction'])[1 + n % 5] as model) m`,
  `insert into bearer_tokens (token_hash, kind, user_id, organization_id, source_id, scopes, created_at, expires_at)
    select ${hash('oauth access', 'n')}, 'oauth', ${id('usr', 'n')}, ${organizationOf('n')}, ${id('grant', 'n')}, '{read:profile}',
      ${ago('n * 30')}, ${ago('n * 30 - 3600')} from generate_series(0, ${USERS - 1}) n`,
  `insert into portal_links (link_hash, id, organization_id, user_id, created_at, expires_at, exchanged_at, session_hash, session_expires_at)
    select ${hash('portal link', 'n')}, ${id('plink', 'n')}, ${organizationOf('n')}, ${userOf('n')}, ${ago('n * 30')}, ${ago('n * 30 - 900')},
      case when n % 3 <> 0 then ${ago('n * 30 - 60')} end, case when n % 3 <> 0 then ${hash('portal session', 'n')} end,
      case when n % 3 <> 0 then ${ago('n * 30 - 3660')} end
    from generate_series(0, ${USERS - 1}) n`,
  // A receiver that is down: its waiting deliveries are due later, and most were given up.
  `insert into outgoing_mails (id, recipient, kind, content, created_at, due_at, attempts, gave_up_at, last_error)
    select ${id('mail', 'n')}, 'user' || n || '@example.com', 'login', case when n % 10 = 0 then '\\x00'::bytea end, ${ago('n * 30')},
      ${ago('n * 30 - 3000000')}, 3, case when n % 10 <> 0 then ${ago('n * 30')} end, 'away'
    from generate_series(0, ${USERS / 2 - 1}) n`,
  `insert into mail_counts (recipient, kind, queued_at, last_queued_at)
    select 'user' || n || '@example.com', 'login', array[${ago('n')}], ${ago('n')} from generate_series(0, ${USERS - 1}) n`,
];
