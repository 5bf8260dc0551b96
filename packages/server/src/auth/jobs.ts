import type { Job } from '../jobs/index.ts';
import type { LastUse } from './api-tokens/last-use.ts';
import { recommendRotation, warnOfExpiringTokens } from './api-tokens/remind-owners.ts';
import type { AuthDeps } from './auth-tools.ts';
import { deleteForgottenBearerTokens } from './bearer-tokens/queries.ts';
import {
  deleteForgottenLoginSessions,
  deleteForgottenRefreshTokens,
  deleteKeptAnswers,
} from './login-sessions/queries.ts';
import { lockJob } from './login-sessions/tell-of-locks.ts';
import { deleteForgottenClientSecrets } from './oauth-apps/secret-queries.ts';
import { deleteForgottenGrants } from './oauth-grants/queries.ts';
import { deleteForgottenOneTimeTokens } from './one-time-tokens/queries.ts';
import { answerResetRequests } from './password-reset/answer-reset-requests.ts';
import { deleteForgottenChallenges } from './two-factor/challenge-queries.ts';

/** What this room does in the background. Nothing here decides anything: tokens expire by comparison. */
export function authJobs(tools: Pick<AuthDeps, 'database' | 'mailer' | 'authUrl'>, lastUse: LastUse): Job[] {
  const { database, mailer } = tools;
  return [
    {
      name: 'auth.write-last-use',
      everyMs: 60_000,
      runsInEveryRole: true,
      run: () => lastUse.write(database),
    },
    {
      name: 'auth.warn-of-expiring-tokens',
      everyMs: 60_000,
      run: () => warnOfExpiringTokens(database, mailer),
    },
    {
      name: 'auth.recommend-rotation',
      everyMs: 60_000,
      run: () => recommendRotation(database, mailer),
    },
    {
      name: 'auth.answer-reset-requests',
      everyMs: 500,
      run: () => answerResetRequests(database, tools),
    },
    lockJob(tools),
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
          await deleteForgottenOneTimeTokens(database, PORTION),
          await deleteForgottenChallenges(database, PORTION),
          await deleteForgottenGrants(database, PORTION),
          await deleteForgottenClientSecrets(database, PORTION),
        ];
        return deleted.includes(PORTION);
      },
    },
  ];
}

const PORTION = 1_000;
