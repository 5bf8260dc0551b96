import type { Job, Nudge } from '../../jobs/index.ts';
import type { BillingTools } from '../billing-tools.ts';
import { endDetaching, findMethodToDetach, type MethodToDetach, takeMethodsToDetach } from './detach-queries.ts';

type DetachingTools = Pick<BillingTools, 'database' | 'provider' | 'log'>;

/** Unties removed methods at the provider, again and again until it said that they are. `removed` wakes it. */
export function detachRemovedMethodsJob(tools: DetachingTools, removed: Nudge): Job {
  return {
    name: 'billing.detach-removed-methods',
    everyMs: 30_000,
    nudge: removed,
    run: async () => {
      const taken = await takeMethodsToDetach(tools.database, PORTION);
      await Promise.all(taken.map((method) => detach(tools, method)));
      return taken.length >= PORTION;
    },
  };
}

/**
 * Unties a method at once that was removed here and is tied still; answers false for any other. What gives no answer now is
 * left to the job.
 */
export async function detachIfRemoved(tools: DetachingTools, organizationId: string, ref: string): Promise<boolean> {
  const method = await findMethodToDetach(tools.database, organizationId, ref);
  if (method === undefined) {
    return false;
  }
  await detach(tools, method);
  return true;
}

const PORTION = 10;

async function detach({ database, provider, log }: DetachingTools, method: MethodToDetach): Promise<void> {
  // What another provider holds waits until that one is configured again.
  if (provider?.name !== method.provider) {
    return;
  }
  const outcome = await provider.detachMethod({ customerRef: method.customer_ref, methodRef: method.provider_ref });
  if (outcome.kind === 'unknown') {
    log.warn({ payment_method: method.id, reason: outcome.reason }, 'a payment method could not be detached yet');
    return;
  }
  await endDetaching(database, method);
}
