import { OPERATOR_COMMAND } from '../audit/index.ts';
import { createOutbox } from '../events/index.ts';
import { httpError, notFound } from '../http/index.ts';
import {
  changeLicense,
  createLicensing,
  issueLicense,
  type LicenseChange,
  type LicenseTerms,
} from '../licensing/index.ts';
import { findOrganizationId } from '../organizations/index.ts';
import type { Installation } from './connect-installation.ts';
import { createLicenseChangeTools } from './create-license-change-tools.ts';

/** Terms given by the operator: the organization is an ID or the email address of one of its admins. */
export type OperatorTerms = Omit<LicenseTerms, 'organizationId'> & { organization: string };

/** Issues a license. Throws not_found for an unknown organization, and validation_failed for features that the product lacks. */
export async function operatorIssueLicense(installation: Installation, terms: OperatorTerms) {
  const { organization, ...rest } = terms;
  const interval = terms.heartbeatIntervalSeconds ?? installation.config.heartbeatIntervalSeconds;
  const timeout = terms.sessionTimeoutSeconds ?? installation.config.seatTimeoutSeconds;
  if (timeout <= interval) {
    throw httpError(
      'validation_failed',
      `The session timeout (${timeout} s) must be longer than the heartbeat interval (${interval} s).`,
      { details: { field: 'session_timeout', reason: 'min' } },
    );
  }
  const organizationId = await findOrganizationId(installation.database, organization);
  if (organizationId === undefined) {
    throw notFound('organization');
  }
  return issueLicense(createLicenseChangeTools(installation), { ...rest, organizationId });
}

/** Suspends, reinstates, revokes, extends or resizes a license. */
export async function operatorChangeLicense(installation: Installation, id: string, change: LicenseChange) {
  return changeLicense(createLicenseChangeTools(installation), id, change);
}

/** Makes a new key sign license tokens; returns its ID. Existing tokens stay valid. */
export async function rotateLicenseKey(installation: Installation): Promise<string> {
  const { config, database, masterKey } = installation;
  const settings = { ...config, baseUrl: config.baseUrl ?? '' };
  return createLicensing({ database, outbox: createOutbox([]), masterKey, settings }).rotateSigningKey(
    OPERATOR_COMMAND,
  );
}
