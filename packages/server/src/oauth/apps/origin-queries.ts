import type { Queries, Statement } from '../../database/index.ts';

/** Whether an app of any organization has a redirect URI of this origin. */
export async function hasAppOrigin(database: Queries, origin: string): Promise<boolean> {
  return (await database.query(FIND_APP_ORIGIN, [origin])).length > 0;
}

/** The redirect URIs of the app that a grant is for; none once the app or its grant is gone. */
export async function findGrantRedirectUris(
  database: Queries,
  organizationId: string,
  grantId: string,
): Promise<string[]> {
  return (await database.query(FIND_GRANT_REDIRECT_URIS, [organizationId, grantId]))[0]?.redirect_uris ?? [];
}

/** Writes the origins of an app in place of those it had; an app that is deleted has none. */
export async function replaceAppOrigins(
  tx: Queries,
  organizationId: string,
  appId: string,
  origins: readonly string[],
): Promise<void> {
  await tx.query(DELETE_APP_ORIGINS, [organizationId, appId, origins]);
  if (origins.length > 0) {
    await tx.query(INSERT_APP_ORIGINS, [organizationId, appId, origins]);
  }
}

const FIND_APP_ORIGIN: Statement<{ app_id: string }> = {
  name: 'find_app_origin',
  text: 'select app_id from oauth_app_origins where origin = $1 limit 1',
};

const FIND_GRANT_REDIRECT_URIS: Statement<{ redirect_uris: string[] }> = {
  name: 'find_grant_redirect_uris',
  text: `select a.redirect_uris from oauth_grants g join oauth_apps a on a.id = g.app_id
    where g.organization_id = $1 and g.id = $2 and g.ended_at is null and a.deleted_at is null`,
};

const DELETE_APP_ORIGINS: Statement<never> = {
  name: 'delete_app_origins',
  text: 'delete from oauth_app_origins where organization_id = $1 and app_id = $2 and not (origin = any($3::text[]))',
};

const INSERT_APP_ORIGINS: Statement<never> = {
  name: 'insert_app_origins',
  text: `insert into oauth_app_origins (origin, organization_id, app_id)
    select o.origin, $1, $2 from unnest($3::text[]) as o (origin)
    on conflict (origin, organization_id, app_id) do nothing`,
};
