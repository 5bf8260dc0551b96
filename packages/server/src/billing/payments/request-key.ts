import { createHmac } from 'node:crypto';
import type { Queries } from '../../database/index.ts';
import { type AuthorizedContext, keyReused } from '../../http/index.ts';
import type { MasterKey } from '../../security/index.ts';
import { type ClaimedPayment, findPaymentOfRequest } from './queries.ts';

/** A request that carries an Idempotency-Key, as payments remember it: keyed hashes of whose it is and of what it asks. */
export interface RequestKey {
  key: Buffer;
  hash: Buffer;
}

/**
 * By this a repeated request finds the payment that its first run began, when that ended between the charge and the answer.
 * Undefined without an Idempotency-Key.
 */
export function requestKeyOf(
  masterKey: MasterKey,
  context: AuthorizedContext,
  route: string,
  content: unknown,
): RequestKey | undefined {
  const header = context.headers['idempotency-key'];
  if (typeof header !== 'string') {
    return undefined;
  }
  const secret = masterKey.deriveKey('payment-requests');
  const digest = (value: unknown) => createHmac('sha256', secret).update(JSON.stringify(value)).digest();
  return { key: digest([context.principal.userId, route, header]), hash: digest(content) };
}

/** The payment that this request began before. Throws idempotency_key_reused when another request had the key. */
export async function findBegun(
  tx: Queries,
  organizationId: string,
  request: RequestKey | undefined,
): Promise<ClaimedPayment | undefined> {
  const begun = request === undefined ? undefined : await findPaymentOfRequest(tx, organizationId, request.key);
  if (begun !== undefined && request !== undefined && begun.payment.requestHash?.equals(request.hash) !== true) {
    throw keyReused();
  }
  return begun;
}
