import type { Job, Nudge } from '../../jobs/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import {
  claimMethodsToDetach,
  findMethodToDetach,
  type MethodToDetach,
  updateDetachedMethod,
} from './detach-queries.ts';

type DetachingTools = Pick<BillingTools, 'database' | 'provider' | 'log'>;

/** Detaches removed methods at the provider, and retries until it confirms. `removed` wakes the job. */
export function detachRemovedMethodsJob(tools: DetachingTools, removed: Nudge): Job {
  return {
    name: 'billing.detach-removed-methods',
    everyMs: 30_000,
    nudge: removed,
    run: async () => {
      const claimed = await claimMethodsToDetach(tools.database, { limit: PORTION });
      await Promise.all(claimed.map((method) => detach(tools, method)));
      return claimed.length >= PORTION;
    },
  };
}

/**
 * Detaches a method at once if it was removed here and is still attached at the provider; returns false for any other. If the
 * provider does not answer, the job tries again.
 */
export async function detachIfRemoved(tools: DetachingTools, organizationId: string, ref: string): Promise<boolean> {
  const method = await findMethodToDetach(tools.database, { organizationId, ref });
  if (method === undefined) {
    return false;
  }
  await detach(tools, method);
  return true;
}

const PORTION = 10;

async function detach({ database, provider, log }: DetachingTools, method: MethodToDetach): Promise<void> {
  // A method of another provider waits until that provider is configured again.
  if (provider?.name !== method.provider) {
    return;
  }
  const outcome = await provider.detachMethod({ customerRef: method.customer_ref, methodRef: method.provider_ref });
  if (outcome.kind === 'unknown') {
    log.warn({ payment_method: method.id, reason: outcome.reason }, 'a payment method could not be detached yet');
    return;
  }
  await updateDetachedMethod(database, { organizationId: method.organization_id, id: method.id });
}
