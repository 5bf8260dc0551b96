import type { Queries, Statement } from '../../database/index.ts';

/** An OAuth app as it is kept. */
export interface OauthAppRow {
  id: string;
  /** Null once its maker is no member any more. */
  created_by: string | null;
  name: string;
  redirect_uris: string[];
  scopes: string[];
  is_confidential: boolean;
  created_at: Date;
  updated_at: Date;
}

/** An OAuth app as the authorization server meets it, which knows only the client_id. */
export interface OauthClientRow {
  id: string;
  organization_id: string;
  organization_name: string;
  name: string;
  redirect_uris: string[];
  scopes: string[];
  is_confidential: boolean;
  secret_hashes: Buffer[];
}

/** Which apps a caller may see and change: all of the organization's, or those that one user made. */
export interface AppOwner {
  organizationId: string;
  /** Undefined: apps by any user. */
  createdBy: string | undefined;
}

/** The app of this client_id with the hashes of its secrets that live, unless it or its organization was deleted. */
export async function findOauthClientRow(database: Queries, appId: string): Promise<OauthClientRow | undefined> {
  return (await database.query(FIND_OAUTH_CLIENT, [appId]))[0];
}

/** Locks an organization, so that its apps can be counted and none is added meanwhile; returns how many it has. */
export async function lockAndCountOauthApps(tx: Queries, organizationId: string): Promise<number> {
  await tx.query(LOCK_ORGANIZATION_FOR_APP, [organizationId]);
  // A statement of its own: one that waited for the lock would count what was there before the wait.
  return (await tx.query(COUNT_OAUTH_APPS, [organizationId]))[0]?.count ?? 0;
}

/** The apps that an organization has, at most a hundred. */
export async function listOauthAppIds(tx: Queries, organizationId: string): Promise<string[]> {
  return (await tx.query(LIST_OAUTH_APP_IDS, [organizationId])).map((row) => row.id);
}

/** Writes an app. */
export async function insertOauthApp(
  tx: Queries,
  app: {
    organizationId: string;
    id: string;
    createdBy: string;
    name: string;
    redirectUris: readonly string[];
    scopes: readonly string[];
    isConfidential: boolean;
  },
): Promise<OauthAppRow | undefined> {
  const { organizationId, id, createdBy, name, redirectUris, scopes, isConfidential } = app;
  const values = [organizationId, id, createdBy, name, redirectUris, scopes, isConfidential];
  return (await tx.query(INSERT_OAUTH_APP, values))[0];
}

/** An app, or undefined when there is none that this owner may see. */
export async function findOauthApp(database: Queries, owner: AppOwner, id: string): Promise<OauthAppRow | undefined> {
  return (await database.query(FIND_OAUTH_APP, [owner.organizationId, id, owner.createdBy ?? null]))[0];
}

/** The same, locked until the transaction ends against every other change, and against new grants. */
export async function lockOauthApp(tx: Queries, owner: AppOwner, id: string): Promise<OauthAppRow | undefined> {
  return (await tx.query(LOCK_OAUTH_APP, [owner.organizationId, id, owner.createdBy ?? null]))[0];
}

/** The apps that a user registered, in any organization, each locked as by `lockOauthApp`. */
export async function lockOauthAppsOfCreator(
  tx: Queries,
  userId: string,
): Promise<Array<OauthAppRow & { organization_id: string }>> {
  return tx.query(LOCK_OAUTH_APPS_OF_CREATOR, [userId]);
}

/** Takes from a user the apps that they made in an organization; returns which. The apps stay the organization's. */
export async function clearCreatorOfApps(tx: Queries, organizationId: string, userId: string): Promise<string[]> {
  return (await tx.query(CLEAR_MAKER_OF_APPS, [organizationId, userId])).map((row) => row.id);
}

/** Writes what may change of an app that the transaction has locked. */
export async function updateOauthApp(
  tx: Queries,
  organizationId: string,
  app: { id: string; name: string; redirectUris: readonly string[]; scopes: readonly string[] },
): Promise<OauthAppRow | undefined> {
  return (await tx.query(UPDATE_OAUTH_APP, [organizationId, app.id, app.name, app.redirectUris, app.scopes]))[0];
}

/** Marks an app that the transaction has locked as deleted. The row stays, since the history names it. */
export async function markOauthAppDeleted(tx: Queries, organizationId: string, id: string): Promise<void> {
  await tx.query(MARK_OAUTH_APP_DELETED, [organizationId, id]);
}

export const OAUTH_APP_COLUMNS = 'id, created_by, name, redirect_uris, scopes, is_confidential, created_at, updated_at';

const FIND_OAUTH_CLIENT: Statement<OauthClientRow> = {
  name: 'find_oauth_client',
  text: `select a.id, a.organization_id, o.name as organization_name, a.name, a.redirect_uris, a.scopes,
      a.is_confidential,
      array(select s.secret_hash from oauth_client_secrets s
        where s.organization_id = a.organization_id and s.app_id = a.id
          and (s.expires_at is null or s.expires_at > clock_timestamp())
        order by s.created_at desc) as secret_hashes
    from oauth_apps a join organizations o on o.id = a.organization_id
    where a.id = $1 and a.deleted_at is null and o.deleted_at is null`,
};

/** Weaker than `for update`, which would also keep rows from being written that only refer to the organization. */
const LOCK_ORGANIZATION_FOR_APP: Statement<{ id: string }> = {
  name: 'lock_organization_for_app',
  text: 'select id from organizations where id = $1 for no key update',
};

const LIST_OAUTH_APP_IDS: Statement<{ id: string }> = {
  name: 'list_oauth_app_ids',
  text: 'select id from oauth_apps where organization_id = $1 and deleted_at is null order by created_at, id',
};

const COUNT_OAUTH_APPS: Statement<{ count: number }> = {
  name: 'count_oauth_apps',
  text: 'select count(*) as count from oauth_apps where organization_id = $1 and deleted_at is null',
};

const INSERT_OAUTH_APP: Statement<OauthAppRow> = {
  name: 'insert_oauth_app',
  text: `insert into oauth_apps
      (organization_id, id, created_by, name, redirect_uris, scopes, is_confidential, created_at, updated_at)
    select $1, $2, $3, $4, $5, $6, $7, n.t, n.t from (select clock_timestamp() as t) n
    returning ${OAUTH_APP_COLUMNS}`,
};

const FIND_OAUTH_APP: Statement<OauthAppRow> = {
  name: 'find_oauth_app',
  text: `select ${OAUTH_APP_COLUMNS} from oauth_apps
    where organization_id = $1 and id = $2 and deleted_at is null and ($3::text is null or created_by = $3)`,
};

const LOCK_OAUTH_APP: Statement<OauthAppRow> = {
  name: 'lock_oauth_app',
  text: `${FIND_OAUTH_APP.text} for no key update`,
};

const LOCK_OAUTH_APPS_OF_CREATOR: Statement<OauthAppRow & { organization_id: string }> = {
  name: 'lock_oauth_apps_of_creator',
  text: `select organization_id, ${OAUTH_APP_COLUMNS} from oauth_apps where created_by = $1 and deleted_at is null
    order by id for no key update`,
};

const UPDATE_OAUTH_APP: Statement<OauthAppRow> = {
  name: 'update_oauth_app',
  text: `update oauth_apps set name = $3, redirect_uris = $4, scopes = $5, updated_at = clock_timestamp()
    where organization_id = $1 and id = $2 returning ${OAUTH_APP_COLUMNS}`,
};

const CLEAR_MAKER_OF_APPS: Statement<{ id: string }> = {
  name: 'clear_maker_of_oauth_apps',
  text: `update oauth_apps set created_by = null, updated_at = clock_timestamp()
    where organization_id = $1 and created_by = $2 and deleted_at is null returning id`,
};

const MARK_OAUTH_APP_DELETED: Statement<never> = {
  name: 'mark_oauth_app_deleted',
  text: `update oauth_apps set deleted_at = n.t, updated_at = n.t from (select clock_timestamp() as t) n
    where organization_id = $1 and id = $2`,
};
