import { type Answer, httpError, notFound, type RequestContext } from '../../http/index.ts';
import { newId } from '../../ids/index.ts';
import { hashToken, newToken, TOKEN_PREFIXES } from '../../security/index.ts';
import { licensingError } from '../errors.ts';
import { activatingAlias } from '../licenses/key-aliases.ts';
import { normalizeLicenseKey } from '../licenses/license-key.ts';
import { mostActivations } from '../licenses/policy-rules.ts';
import { lockLicense } from '../licenses/queries.ts';
import type { LicensingTools } from '../licensing-tools.ts';
import { HARDWARE_ID_FORMAT } from '../schemas.ts';
import { licenseRefusal } from '../seats/refusals.ts';
import {
  countActivations,
  insertActivation,
  type KeyedLicenseRow,
  listLicensesByKey,
  updateActivationToken,
} from './queries.ts';

export interface ActivationInput {
  license_key: string;
  hardware_id: string;
  name?: string;
}

/**
 * Activates a machine with a license key or a long alias: 201 with a token, or 200 with a new token for a machine that
 * is already activated. An unknown key and a license that is not activated by key get the same not_found, after the
 * same look-up. Throws invalid_hardware_id, the refusals of a license that is not in force, organization_suspended and
 * activation_limit_reached.
 */
export async function activateLicense(
  { database }: RequestContext,
  { clock }: Pick<LicensingTools, 'clock'>,
  input: ActivationInput,
): Promise<Answer<unknown>> {
  requireHardwareId(input.hardware_id);
  const found = await listLicensesByKey(database, {
    key: normalizeLicenseKey(input.license_key) ?? '',
    alias: activatingAlias(input.license_key) ?? '',
  });
  const license = found.find(({ activation }) => activation === 'key');
  if (license === undefined) {
    throw notFound('license');
  }
  requireInForce(license);
  const token = newToken(TOKEN_PREFIXES.activation);
  const place = { organizationId: license.organization_id, licenseId: license.id, hardwareId: input.hardware_id };
  const machine = { ...place, name: input.name ?? null, tokenHash: hashToken(token), at: clock.nowMs() };
  const { id, isNew } = await database.transaction(async (tx) => {
    // Activations of one license are serialized, so that no two use the last one.
    await lockLicense(tx, { organizationId: place.organizationId, id: place.licenseId });
    const again = await updateActivationToken(tx, machine);
    if (again !== undefined) {
      return { id: again.id, isNew: false };
    }
    requireRoom(license, (await countActivations(tx, place)).activations);
    const created = newId('activation');
    await insertActivation(tx, { ...machine, id: created });
    return { id: created, isNew: true };
  });
  return {
    status: isNew ? 201 : 200,
    data: { activation_token: token, activation_id: id, license_id: license.id, product: license.product },
  };
}

function requireRoom(license: KeyedLicenseRow, activations: number): void {
  const most = mostActivations(license.max_activations, license.max_seats, license.node_locked);
  if (activations >= most) {
    throw licensingError('activation_limit_reached', `The license is already activated on ${activations} machines.`, {
      max_activations: most,
    });
  }
}

function requireInForce(license: KeyedLicenseRow): void {
  if (license.is_organization_suspended) {
    throw httpError('organization_suspended', 'The organization is suspended. Contact the vendor.');
  }
  if (license.state !== 'active') {
    throw licenseRefusal(license.state, 0);
  }
  if (license.is_expired) {
    throw licenseRefusal('expired', license.expires_at_ms);
  }
}

function requireHardwareId(hardwareId: string): void {
  if (!HARDWARE_ID.test(hardwareId)) {
    throw licensingError('invalid_hardware_id', `hardware_id must match ${HARDWARE_ID_FORMAT}.`, {
      expected_format: HARDWARE_ID_FORMAT,
    });
  }
}

const HARDWARE_ID = new RegExp(`^${HARDWARE_ID_FORMAT}$`);
