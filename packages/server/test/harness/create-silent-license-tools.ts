import { OPERATOR_COMMAND } from '../../src/audit/index.ts';
import type { Queries } from '../../src/database/index.ts';
import type { LicenseChangeTools } from '../../src/licensing/index.ts';

/** Issues and changes licenses without an event, for tests in which licenses were there before anything happens. */
export function createSilentLicenseTools(database: Queries): LicenseChangeTools {
  return { database, outbox: { announce: async () => undefined }, by: OPERATOR_COMMAND };
}
