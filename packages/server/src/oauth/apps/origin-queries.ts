import { maybeOne, type Queries, statement } from '../../database/index.ts';

/** An app of any organization with a redirect URI of this origin. */
export const findAppOfOrigin = statement({
  name: 'find_app_of_origin',
  parameters: { origin: 'text' },
  returns: maybeOne<{ app_id: string }>(),
  sql: ({ origin }) => `select app_id from oauth_app_origins where origin = ${origin} limit 1`,
});

/** The redirect URIs of a grant's app, while both are live. */
export const findGrantRedirectUris = statement({
  name: 'find_grant_redirect_uris',
  parameters: { organizationId: 'text', grantId: 'text' },
  returns: maybeOne<{ redirect_uris: string[] }>(),
  sql: ({ organizationId, grantId }) => `
    select a.redirect_uris from oauth_grants g join oauth_apps a on a.id = g.app_id
    where g.organization_id = ${organizationId} and g.id = ${grantId} and g.ended_at is null and a.deleted_at is null`,
});

/** Replaces the origins of an app; a deleted app has none. */
export async function replaceAppOrigins(
  tx: Queries,
  app: { organizationId: string; appId: string; origins: readonly string[] },
): Promise<void> {
  await deleteOtherAppOrigins(tx, app);
  if (app.origins.length > 0) {
    await insertAppOrigins(tx, app);
  }
}

const deleteOtherAppOrigins = statement({
  name: 'delete_other_app_origins',
  parameters: { organizationId: 'text', appId: 'text', origins: 'text[]' },
  sql: ({ organizationId, appId, origins }) => `
    delete from oauth_app_origins
    where organization_id = ${organizationId} and app_id = ${appId} and not (origin = any(${origins}))`,
});

const insertAppOrigins = statement({
  name: 'insert_app_origins',
  parameters: { organizationId: 'text', appId: 'text', origins: 'text[]' },
  sql: ({ organizationId, appId, origins }) => `
    insert into oauth_app_origins (origin, organization_id, app_id)
    select o.origin, ${organizationId}, ${appId} from unnest(${origins}) as o (origin)
    on conflict (origin, organization_id, app_id) do nothing`,
});
