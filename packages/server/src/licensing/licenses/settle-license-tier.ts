import type { Queries } from '../../database/index.ts';
import { setLicenseTier } from '../../organizations/index.ts';
import { FIND_BEST_LICENSE_TIER } from './queries.ts';

/**
 * Gives an organization the tier of its best license. The caller has locked it before it wrote a license, so that of two
 * changes the second to be committed has seen the first.
 */
export async function settleLicenseTier(tx: Queries, organizationId: string): Promise<void> {
  const [best] = await tx.query(FIND_BEST_LICENSE_TIER, [organizationId]);
  await setLicenseTier(tx, organizationId, best?.tier);
}
