import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { LICENSING_ERRORS } from '../errors.ts';
import { LICENSE_EXAMPLE, SESSION_EXAMPLE } from '../licenses/examples.ts';
import type { LicensingTools } from '../licensing-tools.ts';
import { activateLicense } from './activate-license.ts';
import { ACTIVATION_LIST } from './activation-list.ts';
import { countedKey } from './counted-key.ts';
import { listActivations } from './list-activations.ts';
import { removeActivation } from './remove-activation.ts';
import { Activated, Activation, ActivationBody } from './schemas.ts';

const { license_expired, license_suspended, license_revoked, activation_limit_reached, invalid_hardware_id } =
  LICENSING_ERRORS;
const { not_found, organization_suspended } = HTTP_ERRORS;

const EXAMPLE = {
  id: 'act_01kagt2m8xf3q9wz5r7e6b4c1j',
  license_id: LICENSE_EXAMPLE.id,
  hardware_id: SESSION_EXAMPLE.hardware_id,
  name: 'Render node 12',
  created_at: '2026-01-31T09:00:00.000Z',
  activated_at: '2026-01-31T09:00:00.000Z',
};

/** The endpoints for machines with a license key and no account. */
export function activationRoutes(tools: LicensingTools): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/licenses/activate',
      operationId: 'activateLicense',
      tag: 'Licenses',
      summary: 'Activate a machine with a license key',
      description:
        'Works for licenses whose policy has `activation: "key"`, with the key of the license or an alias of at least 16 letters and digits. Returns 201 with a token that can acquire, keep, and release a seat of this license on this machine. If the machine is already activated, returns 200 with a new token, and the old one stops working.',
      access: ACCESS.public,
      limit: 'activate',
      countedAccount: countedKey,
      body: ActivationBody,
      status: 201,
      alsoStatus: 200,
      response: Activated,
      errors: {
        not_found,
        organization_suspended,
        license_expired,
        license_suspended,
        license_revoked,
        activation_limit_reached,
        invalid_hardware_id,
      },
      example: {
        body: { license_key: LICENSE_EXAMPLE.key, hardware_id: EXAMPLE.hardware_id, name: EXAMPLE.name },
        data: {
          activation_token: `svc_act_${'3dKp8Z'.repeat(7)}`,
          activation_id: EXAMPLE.id,
          license_id: EXAMPLE.license_id,
          product: LICENSE_EXAMPLE.product,
        },
      },
      handle: (context, { body }) => activateLicense(context, tools, body),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/licenses/{license_id}/activations',
      operationId: 'listActivations',
      tag: 'Licenses',
      summary: 'List the activations of a license',
      description: 'Lists the machines that were activated with the license key.',
      access: ACCESS.readLicenses,
      params: Type.Object({ license_id: Type.String() }),
      list: ACTIVATION_LIST,
      status: 200,
      response: Activation,
      errors: { not_found },
      example: { data: [EXAMPLE] },
      handle: (context, { params, page }) => listActivations(context, params.license_id, page),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/licenses/{license_id}/activations/{activation_id}',
      operationId: 'deleteActivation',
      tag: 'Licenses',
      summary: 'Revoke an activation',
      description: 'Its token stops working, and any seat that the machine holds is freed immediately.',
      access: ACCESS.manageActivations,
      params: Type.Object({ license_id: Type.String(), activation_id: Type.String() }),
      status: 204,
      errors: { not_found },
      handle: (context, { params }) => removeActivation(context, tools, params.license_id, params.activation_id),
    }),
  ];
}
