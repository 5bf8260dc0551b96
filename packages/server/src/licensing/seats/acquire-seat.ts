import type { Answer, AuthorizedContext } from '../../http/index.ts';
import { notFound } from '../../http/index.ts';
import { signLicenseToken } from '../license-tokens/license-token.ts';
import { normalizeLicenseKey } from '../licenses/license-key.ts';
import { checkProject } from '../project-usage/check-project.ts';
import type { LicensingState } from '../state.ts';
import { checkAcquire } from './check-acquire.ts';
import type { SeatGrant } from './seat-items.ts';
import { takeSeats } from './take-seats.ts';

export interface AcquireInput {
  license_key: string;
  hardware_id: string;
  metadata?: unknown;
}

/**
 * Takes a seat: 201 for a new session, 200 for the one that this machine holds already. Refused with not_found,
 * license_expired, license_suspended, license_revoked, no_seats_available, or validation_failed for its project.
 */
export async function acquireSeat(
  state: LicensingState,
  context: AuthorizedContext,
  input: AcquireInput,
): Promise<Answer<SeatGrant>> {
  checkAcquire(input);
  const key = normalizeLicenseKey(input.license_key);
  if (key === undefined) {
    throw notFound('license');
  }
  await checkProject(state, context, input.metadata);
  const { organizationId, userId, clockOffsetMs } = context.principal;
  const request = { key, userId, hardwareId: input.hardware_id, metadata: input.metadata ?? null };
  const item = { request, clockOffsetMs };
  // Alone in the transaction that an Idempotency-Key opened, or else together with whoever asks at the same moment.
  const outcome = context.database.inTransaction
    ? (await takeSeats(state, context.database, organizationId, [item]))[0]
    : await state.acquires.submit(organizationId, item);
  if (outcome === undefined || 'refusal' in outcome) {
    const refusal = outcome?.refusal ?? notFound('license');
    state.countRefusal?.(refusal.code);
    throw refusal;
  }
  return { status: outcome.isNew ? 201 : 200, data: outcome.grant };
}

/** After the commit: the grant with its token signed. A kept grant signed again gives the same bytes. */
export async function presentGrant(state: LicensingState, grant: SeatGrant): Promise<unknown> {
  const { token, ...shown } = grant;
  const key = await state.signingKeys.byId(token.keyId);
  return { ...shown, license_token: await signLicenseToken(key.privateKey, token) };
}
