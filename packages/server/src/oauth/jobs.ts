import { endOfRetention, type Job } from '../jobs/index.ts';
import { deleteForgottenClientSecrets } from './apps/secret-queries.ts';
import { deleteForgottenApps } from './erasure-queries.ts';
import { deleteForgottenGrants } from './grants/queries.ts';
import type { OauthTools } from './oauth-tools.ts';
import { deleteExpiredArtifacts } from './provider/artifact-queries.ts';

/** The background jobs of this room. */
export function oauthJobs({ database, clock, config }: Pick<OauthTools, 'database' | 'clock' | 'config'>): Job[] {
  const days = config.retentionTokensDays;
  const sweep = async () => {
    const portion = { before: endOfRetention(clock.nowMs(), days), limit: PORTION };
    const deleted = [
      await deleteForgottenGrants(database, portion),
      await deleteForgottenClientSecrets(database, portion),
      await deleteForgottenApps(database, portion),
    ];
    return deleted.includes(PORTION);
  };
  return [
    {
      name: 'oauth.delete-expired-artifacts',
      everyMs: 60_000,
      run: async () => (await deleteExpiredArtifacts(database, { limit: PORTION })) === PORTION,
    },
    ...(days === 0 ? [] : [{ name: 'oauth.delete-forgotten-grants', everyMs: 60_000, run: sweep }]),
  ];
}

const PORTION = 1_000;
