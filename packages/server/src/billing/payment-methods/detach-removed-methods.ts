import type { Job, Nudge } from '../../jobs/index.ts';
import { type DetachingTools, detachMethod } from './attach-method.ts';
import { claimMethodsToDetach } from './queries.ts';

/** Detaches removed methods at the provider, and retries until it confirms. `removed` wakes the job. */
export function detachRemovedMethodsJob(tools: DetachingTools, removed: Nudge): Job {
  return {
    name: 'billing.detach-removed-methods',
    everyMs: 30_000,
    nudge: removed,
    run: async () => {
      const claimed = await claimMethodsToDetach(tools.database, { limit: PORTION });
      await Promise.all(claimed.map((method) => detachMethod(tools, method)));
      return claimed.length >= PORTION;
    },
  };
}

const PORTION = 10;
