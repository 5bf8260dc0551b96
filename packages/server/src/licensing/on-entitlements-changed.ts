import { ENTITLEMENTS_CHANGED, type Entitlement } from '../billing/index.ts';
import type { Queries, Statement } from '../database/index.ts';
import { type Happening, type Reaction, reactTo } from '../events/index.ts';
import {
  INSERT_SUBSCRIBED_LICENSES,
  LOCK_LICENSES,
  UPDATE_SUBSCRIBED_LICENSES,
} from './licenses/entitlement-queries.ts';
import { newLicenseKey } from './licenses/license-key.ts';

/**
 * Makes the licenses of subscriptions what is paid for, in the transaction of the payment. Those that exist are locked first,
 * so that no seat is taken or ended meanwhile: what a transaction sees of seats and of their number always belongs together.
 * A license that the operator suspended or revoked stays so. One that has ended for good keeps no seats.
 */
export const ON_ENTITLEMENTS_CHANGED: Reaction = reactTo(ENTITLEMENTS_CHANGED, async (tx, object, happening) => {
  // What was said last of a license holds.
  const entitlements = [...new Map(object.entitlements.map((each) => [each.license_id, each])).values()];
  const ids = entitlements.map((each) => each.license_id);
  const locked = await tx.query(LOCK_LICENSES, [happening.organizationId, ids]);
  const known = new Set(locked.map((row) => row.license_id));
  const fresh = entitlements.filter((each) => !known.has(each.license_id));
  const keys = fresh.map(() => newLicenseKey());
  await write(tx, INSERT_SUBSCRIBED_LICENSES, happening, fresh, [keys]);
  await write(
    tx,
    UPDATE_SUBSCRIBED_LICENSES,
    happening,
    entitlements.filter((each) => known.has(each.license_id)),
  );
});

/** Writes all of them or fails: a license that is paid for and missing must not be committed. */
async function write(
  tx: Queries,
  statement: Statement<{ id: string }>,
  { organizationId, clockOffsetMs }: Happening,
  entitlements: readonly Entitlement[],
  further: ReadonlyArray<readonly string[]> = [],
): Promise<void> {
  if (entitlements.length === 0) {
    return;
  }
  const written = await tx.query(statement, [organizationId, clockOffsetMs, ...columns(entitlements), ...further]);
  if (written.length !== entitlements.length) {
    throw new Error(`${entitlements.length} licenses were to be written but ${written.length} were`);
  }
}

function columns(entitlements: readonly Entitlement[]): ReadonlyArray<readonly unknown[]> {
  return [
    entitlements.map((each) => each.license_id),
    entitlements.map((each) => each.subscription_id),
    entitlements.map((each) => each.product),
    entitlements.map((each) => each.max_seats),
    entitlements.map((each) => JSON.stringify(each.features)),
    entitlements.map((each) => each.expires_at),
    entitlements.map((each) => each.renews),
    entitlements.map((each) => each.heartbeat_interval_seconds),
    entitlements.map((each) => each.session_timeout_seconds),
    entitlements.map((each) => each.ended),
  ];
}
