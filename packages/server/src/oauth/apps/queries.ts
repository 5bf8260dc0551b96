import { many, maybeOne, one, statement } from '../../database/index.ts';

/** An OAuth app as stored. */
export interface OauthAppRow {
  id: string;
  /** Null once its creator is no longer a member. */
  created_by: string | null;
  name: string;
  redirect_uris: string[];
  scopes: string[];
  is_confidential: boolean;
  device_flow: boolean;
  created_at: Date;
  updated_at: Date;
}

/** An OAuth app for the authorization server, which only knows the client_id. */
export interface OauthClientRow {
  id: string;
  organization_id: string;
  organization_name: string;
  name: string;
  redirect_uris: string[];
  scopes: string[];
  is_confidential: boolean;
  device_flow: boolean;
  secret_hashes: Buffer[];
}

/** The apps that a caller may see and change: all of the organization's, or those that one user registered. */
export interface AppOwner {
  organizationId: string;
  /** Null: apps by any user. */
  createdBy: string | null;
}

export const OAUTH_APP_COLUMNS =
  'id, created_by, name, redirect_uris, scopes, is_confidential, device_flow, created_at, updated_at';

/** The app with this client_id and the hashes of its live secrets, unless it or its organization was deleted. */
export const findOauthClientRow = statement({
  name: 'find_oauth_client',
  parameters: { appId: 'text' },
  returns: maybeOne<OauthClientRow>(),
  sql: ({ appId }) => `
    select a.id, a.organization_id, o.name as organization_name, a.name, a.redirect_uris, a.scopes, a.is_confidential,
      a.device_flow,
      array(select s.secret_hash from oauth_client_secrets s
        where s.organization_id = a.organization_id and s.app_id = a.id
          and (s.expires_at is null or s.expires_at > clock_timestamp())
        order by s.created_at desc) as secret_hashes
    from oauth_apps a join organizations o on o.id = a.organization_id
    where a.id = ${appId} and a.deleted_at is null and o.deleted_at is null`,
});

/** How many apps an organization has. If its row was locked by an earlier statement, the count stays valid. */
export const countOauthApps = statement({
  name: 'count_oauth_apps',
  parameters: { organizationId: 'text' },
  returns: one<{ count: number }>(),
  sql: ({ organizationId }) => `
    select count(*)::integer as count from oauth_apps where organization_id = ${organizationId} and deleted_at is null`,
});

/** The apps that an organization has, at most a hundred. */
export const listOauthAppIds = statement({
  name: 'list_oauth_app_ids',
  parameters: { organizationId: 'text' },
  returns: many<{ id: string }>(),
  sql: ({ organizationId }) => `
    select id from oauth_apps where organization_id = ${organizationId} and deleted_at is null order by created_at, id`,
});

export const insertOauthApp = statement({
  name: 'insert_oauth_app',
  parameters: {
    organizationId: 'text',
    id: 'text',
    createdBy: 'text',
    name: 'text',
    redirectUris: 'text[]',
    scopes: 'text[]',
    isConfidential: 'boolean',
    hasDeviceFlow: 'boolean',
  },
  returns: one<OauthAppRow>(),
  sql: ({ organizationId, id, createdBy, name, redirectUris, scopes, isConfidential, hasDeviceFlow }) => `
    insert into oauth_apps
      (organization_id, id, created_by, name, redirect_uris, scopes, is_confidential, device_flow, created_at, updated_at)
    select ${organizationId}, ${id}, ${createdBy}, ${name}, ${redirectUris}, ${scopes}, ${isConfidential}, ${hasDeviceFlow},
      n.t, n.t
    from (select clock_timestamp() as t) n
    returning ${OAUTH_APP_COLUMNS}`,
});

/** An app that this owner may see. */
export const findOauthApp = statement({
  name: 'find_oauth_app',
  parameters: { organizationId: 'text', createdBy: 'text | null', id: 'text' },
  returns: maybeOne<OauthAppRow>(),
  sql: selectOauthApp,
});

/** Locks an app that this owner may see until the transaction ends, against every other change and against new grants. */
export const lockOauthApp = statement({
  name: 'lock_oauth_app',
  parameters: { organizationId: 'text', createdBy: 'text | null', id: 'text' },
  returns: maybeOne<OauthAppRow>(),
  sql: (app) => `${selectOauthApp(app)} for no key update`,
});

function selectOauthApp({ organizationId, createdBy, id }: Record<keyof AppOwner | 'id', string>): string {
  return `select ${OAUTH_APP_COLUMNS} from oauth_apps
    where organization_id = ${organizationId} and id = ${id} and deleted_at is null
      and (${createdBy} is null or created_by = ${createdBy})`;
}

/** Locks the apps that a user registered, in any organization, as `lockOauthApp` does. */
export const lockOauthAppsOfCreator = statement({
  name: 'lock_oauth_apps_of_creator',
  parameters: { userId: 'text' },
  returns: many<OauthAppRow & { organization_id: string }>(),
  sql: ({ userId }) => `
    select organization_id, ${OAUTH_APP_COLUMNS} from oauth_apps where created_by = ${userId} and deleted_at is null
    order by id for no key update`,
});

/** Clears the creator of the apps that a user registered in an organization. The apps stay with the organization. */
export const updateAppsLeftByCreator = statement({
  name: 'update_oauth_apps_left_by_creator',
  parameters: { organizationId: 'text', userId: 'text' },
  returns: many<{ id: string }>(),
  sql: ({ organizationId, userId }) => `
    update oauth_apps set created_by = null, updated_at = clock_timestamp()
    where organization_id = ${organizationId} and created_by = ${userId} and deleted_at is null returning id`,
});

/** Updates the mutable fields of an app that the transaction has locked. */
export const updateLockedOauthApp = statement({
  name: 'update_oauth_app',
  parameters: {
    organizationId: 'text',
    id: 'text',
    name: 'text',
    redirectUris: 'text[]',
    scopes: 'text[]',
    hasDeviceFlow: 'boolean',
  },
  returns: one<OauthAppRow>(),
  sql: ({ organizationId, id, name, redirectUris, scopes, hasDeviceFlow }) => `
    update oauth_apps set name = ${name}, redirect_uris = ${redirectUris}, scopes = ${scopes},
      device_flow = ${hasDeviceFlow}, updated_at = clock_timestamp()
    where organization_id = ${organizationId} and id = ${id} returning ${OAUTH_APP_COLUMNS}`,
});

/** Marks an app that the transaction has locked as deleted. The row stays, because the history names it. */
export const updateOauthAppDeleted = statement({
  name: 'update_oauth_app_deleted',
  parameters: { organizationId: 'text', id: 'text' },
  sql: ({ organizationId, id }) => `
    update oauth_apps set deleted_at = n.t, updated_at = n.t from (select clock_timestamp() as t) n
    where organization_id = ${organizationId} and id = ${id}`,
});
