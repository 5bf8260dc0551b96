import type { AuditActor } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { announcement, type Happening, type Outbox } from '../../events/index.ts';
import type { LICENSE_CREATED } from '../events.ts';
import type { LicenseResource } from '../schemas.ts';

/** What issuing and changing licenses needs, and who does it. */
export interface LicenseDesk {
  database: Queries;
  outbox: Outbox;
  by: Omit<AuditActor, 'organizationId'>;
}

/** Creates the event of a license change. */
export async function announceLicense(
  { outbox }: LicenseDesk,
  tx: Queries,
  { organizationId, clockOffsetMs }: Happening,
  event: typeof LICENSE_CREATED,
  license: LicenseResource,
): Promise<void> {
  await outbox.announce(tx, organizationId, clockOffsetMs, [
    announcement(event, { ...license, license_id: license.id }),
  ]);
}
