import type { Clock } from '../clock/index.ts';
import type { Queries } from '../database/index.ts';
import { ASLEEP_MS, endOfRetention, type Job } from '../jobs/index.ts';
import { deleteForgottenInvitations } from '../organizations/index.ts';
import { deleteForgottenApiTokens, deleteForgottenOperatorTokens } from './account-deletion/forgetting-queries.ts';
import { answerResetRequests } from './accounts/answer-reset-requests.ts';
import { resetRequestsWait } from './accounts/reset-request-queries.ts';
import type { LastUse } from './api-tokens/last-use.ts';
import { recommendRotation, warnOfExpiringTokens } from './api-tokens/remind-owners.ts';
import type { AuthTools } from './auth-tools.ts';
import { deleteForgottenBearerTokens } from './bearer-tokens/queries.ts';
import {
  deleteForgottenLoginSessions,
  deleteForgottenRefreshTokens,
  deleteKeptAnswers,
  keptAnswersAreOver,
} from './login-sessions/queries.ts';
import { sendLockNoticesJob } from './login-sessions/send-lock-notices.ts';
import { deleteForgottenOneTimeTokens } from './one-time-tokens/queries.ts';
import { deleteForgottenPortalLinks } from './portal-links/queries.ts';
import { deleteForgottenSetupLinks } from './staff/setup-link-queries.ts';
import { deleteForgottenChallenges } from './two-factor/challenge-queries.ts';

/** The background jobs of this room. Expiry does not depend on them: tokens expire by comparison. */
export function authJobs(
  tools: Pick<AuthTools, 'database' | 'mailer' | 'baseUrl' | 'clock' | 'config'>,
  lastUse: LastUse,
): Job[] {
  const { database, mailer, clock, config } = tools;
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
      everyMs: ASLEEP_MS,
      due: { check: resetRequestsWait },
      run: () => answerResetRequests(database, tools),
    },
    sendLockNoticesJob(tools),
    {
      // Stored responses contain tokens. They are encrypted, but only deletion rules out decryption.
      name: 'auth.delete-kept-answers',
      everyMs: ASLEEP_MS,
      due: { check: keptAnswersAreOver },
      run: async () => (await deleteKeptAnswers(database, { limit: PORTION })) === PORTION,
    },
    ...forgettingJob(database, clock, config.retentionTokensDays),
  ];
}

/** Expired tokens are kept for this many days, to tell token_expired from invalid_token. */
function forgettingJob(database: Queries, clock: Clock, days: number): Job[] {
  const run = async () => {
    const portion = { before: endOfRetention(clock.nowMs(), days), limit: PORTION };
    const deleted = [
      await deleteForgottenBearerTokens(database, portion),
      await deleteForgottenRefreshTokens(database, portion),
      await deleteForgottenLoginSessions(database, portion),
      await deleteForgottenOneTimeTokens(database, portion),
      await deleteForgottenChallenges(database, portion),
      await deleteForgottenApiTokens(database, portion),
      await deleteForgottenOperatorTokens(database, portion),
      await deleteForgottenSetupLinks(database, portion),
      await deleteForgottenPortalLinks(database, portion),
      await deleteForgottenInvitations(database, portion),
    ];
    return deleted.includes(PORTION);
  };
  return days === 0 ? [] : [{ name: 'auth.delete-forgotten-tokens', everyMs: 60_000, run }];
}

const PORTION = 1_000;
