import type { Queries } from '../database/index.ts';
import type { Job } from '../jobs/index.ts';
import type { LastUse } from './api-tokens/last-use.ts';
import { deleteForgottenBearerTokens } from './bearer-tokens/queries.ts';
import {
  deleteForgottenLoginSessions,
  deleteForgottenRefreshTokens,
  deleteKeptAnswers,
} from './login-sessions/queries.ts';

/** What this room does in the background. Nothing here decides anything: tokens expire by comparison. */
export function authJobs(database: Queries, lastUse: LastUse): Job[] {
  return [
    {
      name: 'auth.write-last-use',
      everyMs: 60_000,
      run: () => lastUse.write(database),
    },
    {
      // Kept answers hold tokens. They are encrypted, but what is gone cannot be opened.
      name: 'auth.delete-kept-answers',
      everyMs: 2_000,
      run: async () => (await deleteKeptAnswers(database, PORTION)) === PORTION,
    },
    {
      // Expired tokens are remembered for 30 days, so that token_expired can be told from invalid_token.
      name: 'auth.delete-forgotten-tokens',
      everyMs: 60_000,
      run: async () => {
        const deleted = [
          await deleteForgottenBearerTokens(database, PORTION),
          await deleteForgottenRefreshTokens(database, PORTION),
          await deleteForgottenLoginSessions(database, PORTION),
        ];
        return deleted.includes(PORTION);
      },
    },
  ];
}

const PORTION = 1_000;
