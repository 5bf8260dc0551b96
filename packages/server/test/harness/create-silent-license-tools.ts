import { OPERATOR_COMMAND } from '../../src/audit/index.ts';
import type { Queries } from '../../src/database/index.ts';
import type { LicenseChangeTools } from '../../src/licensing/index.ts';

/** Issues and changes licenses without events, for tests in which licenses exist from the start. */
export function createSilentLicenseTools(database: Queries): LicenseChangeTools {
  return { database, outbox: { announce: async () => undefined }, by: OPERATOR_COMMAND };
}
