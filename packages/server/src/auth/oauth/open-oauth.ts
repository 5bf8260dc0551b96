import type { Mount } from '../../http/index.ts';
import type { Job } from '../../jobs/index.ts';
import { createOauthMount } from './endpoints.ts';
import type { OauthTools } from './oauth-tools.ts';
import { deleteExpiredArtifacts } from './provider/artifact-queries.ts';
import { makeProvider } from './provider/make-provider.ts';

/** Opens the authorization server of one environment: what it serves and what it does in the background. */
export function openOauth(tools: OauthTools): { mount: Mount; jobs: Job[] } {
  return {
    mount: createOauthMount(tools, makeProvider(tools)),
    jobs: [
      {
        name: 'auth.delete-expired-oauth-artifacts',
        everyMs: 60_000,
        run: async () => (await deleteExpiredArtifacts(tools.database, PORTION)) === PORTION,
      },
    ],
  };
}

const PORTION = 1_000;
