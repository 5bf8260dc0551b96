import { isoTime } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { notFound } from '../../http/index.ts';
import { findOrganizationClock } from '../../organizations/index.ts';

/** An organization's clock as the API shows it. Throws not_found if it was deleted. */
export async function getClock(
  database: Queries,
  organizationId: string,
): Promise<{ now: string; offset_seconds: number }> {
  const clock = await findOrganizationClock(database, organizationId);
  if (clock === undefined) {
    throw notFound('organization');
  }
  return { now: isoTime(clock.nowMs), offset_seconds: clock.offsetMs / 1_000 };
}
