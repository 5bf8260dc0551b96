import { count, type Queries, statement } from '../../database/index.ts';

/**
 * Ends a browser's login and the interactions that began with it. Returns false if it has ended or belongs to another
 * user.
 */
export async function deleteBrowserLogin(tx: Queries, userId: string, id: string): Promise<boolean> {
  return (await deleteBrowserLoginById(tx, { userId, id })) > 0;
}

/** Ends a user's logins at the authorization server, and the authorizations that are in progress with them. */
export async function deleteBrowserLoginsOfUser(tx: Queries, userId: string): Promise<void> {
  // In the same order as when a single login ends.
  for (const model of ['Session', 'Interaction']) {
    await deleteBrowserArtifactsOfUser(tx, { userId, model });
  }
}

const deleteBrowserLoginById = statement({
  name: 'delete_browser_login',
  parameters: { userId: 'text', id: 'text' },
  returns: count(),
  sql: ({ userId, id }) => `with gone as (
      delete from oauth_artifacts where user_id = ${userId} and public_id = ${id} and expires_at > clock_timestamp()
      returning model, uid_hash
    ), begun as (
      delete from oauth_artifacts where model = 'Interaction' and uid_hash = any(array(select uid_hash from gone))
    )
    select model from gone`,
});

const deleteBrowserArtifactsOfUser = statement({
  name: 'delete_browser_artifacts_of_user',
  parameters: { userId: 'text', model: 'text' },
  sql: ({ userId, model }) => `delete from oauth_artifacts where user_id = ${userId} and model = ${model}`,
});
