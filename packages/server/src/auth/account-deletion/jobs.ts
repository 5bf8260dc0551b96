import type { Job } from '../../jobs/index.ts';
import type { AuthTools } from '../auth-tools.ts';
import { deleteAbandonedOrganizationsJob } from './delete-abandoned-organizations.ts';
import { deleteUnverifiedUsersJob } from './delete-unverified-users.ts';
import { eraseUsersJob } from './erase-users.ts';
import { AUTH_ERASURES } from './queries.ts';

/** Erases the remaining data of deleted accounts, and deletes unused accounts and organizations of the sandbox. */
export function forgettingJobs(tools: AuthTools): Job[] {
  const { database, config, forgetting, isSandbox = false } = tools;
  if (forgetting === undefined) {
    return [];
  }
  const ending = { ...tools, ...forgetting };
  return [
    eraseUsersJob(database, [...forgetting.erasures, ...AUTH_ERASURES]),
    ...deleteUnverifiedUsersJob(ending, config.retentionUnverifiedUsersDays),
    ...(isSandbox ? deleteAbandonedOrganizationsJob(ending, config.retentionSandboxOrganizationsDays) : []),
  ];
}
