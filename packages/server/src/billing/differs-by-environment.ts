import type { Config } from '../config/index.ts';
import type { BillingRoomTools } from './create-billing.ts';

/** The dependencies of this room that differ between production and the sandbox. */
export function differsByEnvironment(
  { maxSubscriptions, maxSeats, sandboxMaxSubscriptions, sandboxMaxSeats }: Config,
  isSandbox: boolean,
): Pick<BillingRoomTools, 'caps' | 'invoiceWatermark'> {
  return isSandbox
    ? { caps: { maxSubscriptions: sandboxMaxSubscriptions, maxSeats: sandboxMaxSeats }, invoiceWatermark: 'TEST' }
    : { caps: { maxSubscriptions, maxSeats }, invoiceWatermark: '' };
}
