import { actorOf } from '../../audit/index.ts';
import { type AuthorizedContext, notFound } from '../../http/index.ts';
import { appsOf } from './app-rules.ts';
import { endOauthApp } from './end-oauth-app.ts';
import { lockOauthApp } from './queries.ts';

/** Deletes an app that the caller may change: its secrets, its grants and all their tokens end. Throws `not_found`. */
export async function deleteOauthApp(context: AuthorizedContext, id: string): Promise<void> {
  await context.database.transaction(async (tx) => {
    const row = await lockOauthApp(tx, { ...appsOf(context.principal), id });
    if (row === undefined) {
      throw notFound('oauth_app');
    }
    await endOauthApp(tx, actorOf(context), row);
  });
}
