import { staffActorOf } from '../../audit/index.ts';
import { type Answer, type AuthorizedContext, notFound } from '../../http/index.ts';
import { changeLicense } from '../licenses/change-license.ts';
import { findLicenseOwner } from '../licenses/queries.ts';
import type { LicensingTools } from '../licensing-tools.ts';
import { requireOperatorLicense } from './change-operator-license.ts';
import { presentOperatorLicense } from './present-operator-license.ts';

/** Suspends, reinstates or revokes a license, and records why. Throws not_found, or conflict if its state does not allow it. */
export async function changeOperatorLicenseState(
  context: AuthorizedContext,
  { outbox, settings }: LicensingTools,
  id: string,
  change: { kind: 'suspend' | 'reinstate' | 'revoke'; reason?: string | undefined },
): Promise<Answer<unknown>> {
  const owner = await findLicenseOwner(context.database, { id });
  if (owner === undefined) {
    throw notFound('license');
  }
  const by = staffActorOf(context, owner.organization_id);
  await changeLicense({ database: context.database, outbox, by }, id, change);
  return { data: presentOperatorLicense(await requireOperatorLicense(context.database, id), settings) };
}
