import type { Config } from '../config/index.ts';
import type { BillingDeps } from './open-billing.ts';

/** What this room is opened with that differs between production and the sandbox. */
export function differsByEnvironment(
  { maxSubscriptions, maxSeats, sandboxMaxSubscriptions, sandboxMaxSeats }: Config,
  isSandbox: boolean,
): Pick<BillingDeps, 'caps' | 'invoiceWatermark'> {
  return isSandbox
    ? { caps: { maxSubscriptions: sandboxMaxSubscriptions, maxSeats: sandboxMaxSeats }, invoiceWatermark: 'TEST' }
    : { caps: { maxSubscriptions, maxSeats }, invoiceWatermark: '' };
}
