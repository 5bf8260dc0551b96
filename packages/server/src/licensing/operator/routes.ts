import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { FEATURES_EXAMPLE, LICENSE_EXAMPLE, SESSION_EXAMPLE } from '../licenses/examples.ts';
import type { LicensingTools } from '../licensing-tools.ts';
import { changeOperatorLicense } from './change-operator-license.ts';
import { changeOperatorLicenseState } from './change-operator-license-state.ts';
import { getOperatorLicense } from './get-operator-license.ts';
import { issueOperatorLicense } from './issue-operator-license.ts';
import { listOperatorLicenses } from './list-operator-licenses.ts';
import { OPERATOR_LICENSE_LIST } from './operator-license-list.ts';
import {
  IssueBody,
  OperatorLicense,
  OperatorLicenseDetail,
  OptionalReasonBody,
  ReasonBody,
  TermsBody,
} from './schemas.ts';

const LicensePath = Type.Object({ license_id: Type.String() });
const { not_found, conflict, already_exists, validation_failed } = HTTP_ERRORS;
const POLICY_EXAMPLE = {
  activation: 'account',
  max_offline_seconds: 0,
  min_online_seats: 0,
  max_activations: 100,
  node_locked: false,
  heartbeat_interval: 30,
  session_timeout: 180,
  allowed_users: null,
};
const EXAMPLE = {
  ...LICENSE_EXAMPLE,
  available_seats: 9,
  features: FEATURES_EXAMPLE,
  organization_id: 'org_01k9m2v5x8e4bt3q6r7s8t9vwx',
  subscription_id: null,
  key_aliases: ['C7K2-1F9A-90BD'],
  external_id: 'crm-4711',
  metadata: { sold_by: 'Jane' },
  tier: 'pro',
  policy: POLICY_EXAMPLE,
  policy_overrides: { heartbeat_interval: 30 },
};

/** The license operations of the vendor's staff and programs, at /v1/operator. */
export function operatorLicenseRoutes(tools: LicensingTools): Route[] {
  return [...readRoutes(tools), ...termsRoutes(tools), ...stateRoutes(tools)];
}

function readRoutes({ settings }: LicensingTools): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/operator/licenses',
      operationId: 'listOperatorLicenses',
      tag: 'Operator',
      summary: 'List licenses across organizations',
      description:
        'Lists the licenses of all organizations. Filter by `key`, which can be an alias, or by `external_id` to find a specific license.',
      access: ACCESS.staffRead,
      list: OPERATOR_LICENSE_LIST,
      status: 200,
      response: OperatorLicense,
      errors: {},
      example: { data: [EXAMPLE] },
      handle: (context, { page }) => listOperatorLicenses(context, settings, page),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/operator/licenses/{license_id}',
      operationId: 'getOperatorLicense',
      tag: 'Operator',
      summary: 'Get a license of any organization',
      description:
        'Returns the license with `policy`, the rules in effect, and `policy_overrides`, the rules that the license sets itself. The rest of `policy` comes from its plan, its product, or the defaults. `sessions` are the sessions that hold a seat now.',
      access: ACCESS.staffRead,
      params: LicensePath,
      status: 200,
      response: OperatorLicenseDetail,
      errors: { not_found },
      example: { data: { ...EXAMPLE, sessions: [SESSION_EXAMPLE] } },
      handle: (context, { params }) => getOperatorLicense(context, settings, params.license_id),
    }),
  ];
}

function termsRoutes(tools: LicensingTools): Route[] {
  const { product, max_seats, expires_at } = EXAMPLE;
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/operator/licenses',
      operationId: 'issueOperatorLicense',
      tag: 'Operator',
      summary: 'Issue a license',
      description:
        'Issues a license to an organization, with all its seats free, and sends the event `license.created`. An unknown product or feature, or a value of the wrong type, is refused, and the message suggests the closest match.',
      access: ACCESS.staffSupport,
      body: IssueBody,
      status: 201,
      response: OperatorLicense,
      errors: { not_found, already_exists, validation_failed },
      example: {
        body: { organization_id: EXAMPLE.organization_id, product, max_seats, expires_at, external_id: 'crm-4711' },
        data: EXAMPLE,
      },
      handle: (context, { body }) => issueOperatorLicense(context, tools, body),
    }),
    defineRoute({
      method: 'PATCH',
      path: '/v1/operator/licenses/{license_id}',
      operationId: 'changeOperatorLicense',
      tag: 'Operator',
      summary: 'Change a license',
      description:
        'Changes the given fields and sends the event `license.updated`. `features` and `metadata` are replaced entirely. In `policy`, fields that you omit stay unchanged, and a field that is null is inherited again. If a subscription pays for the license, the subscription sets its seats, expiry, product, and features.',
      access: ACCESS.staffSupport,
      params: LicensePath,
      body: TermsBody,
      status: 200,
      response: OperatorLicense,
      errors: { not_found, conflict, already_exists, validation_failed },
      example: { body: { max_seats, policy: { heartbeat_interval: 30 } }, data: EXAMPLE },
      handle: (context, { params, body }) => changeOperatorLicense(context, tools, params.license_id, body),
    }),
  ];
}

function stateRoutes(tools: LicensingTools): Route[] {
  const shared = {
    method: 'POST',
    tag: 'Operator',
    params: LicensePath,
    status: 200,
    response: OperatorLicense,
  } as const;
  const reason = 'The invoice has not been paid for three months.';
  return [
    defineRoute({
      ...shared,
      path: '/v1/operator/licenses/{license_id}/suspend',
      operationId: 'suspendOperatorLicense',
      summary: 'Suspend a license',
      description: 'Refuses acquires and heartbeats of the license until it is reinstated. Sends `license.suspended`.',
      access: ACCESS.staffSupport,
      body: ReasonBody,
      errors: { not_found, conflict },
      example: { body: { reason }, data: { ...EXAMPLE, status: 'suspended' } },
      handle: (context, { params, body }) =>
        changeOperatorLicenseState(context, tools, params.license_id, { kind: 'suspend', ...body }),
    }),
    defineRoute({
      ...shared,
      path: '/v1/operator/licenses/{license_id}/reinstate',
      operationId: 'reinstateOperatorLicense',
      summary: 'Reinstate a license',
      description: 'Ends the suspension of a license. Sends `license.reinstated`.',
      access: ACCESS.staffSupport,
      body: OptionalReasonBody,
      errors: { not_found, conflict },
      example: { body: {}, data: EXAMPLE },
      handle: (context, { params, body }) =>
        changeOperatorLicenseState(context, tools, params.license_id, { kind: 'reinstate', ...body }),
    }),
    defineRoute({
      ...shared,
      path: '/v1/operator/licenses/{license_id}/revoke',
      operationId: 'revokeOperatorLicense',
      summary: 'Revoke a license',
      description: 'Refuses acquires and heartbeats of the license permanently. Sends `license.revoked`.',
      access: ACCESS.staffOwn,
      body: ReasonBody,
      errors: { not_found, conflict },
      example: { body: { reason }, data: { ...EXAMPLE, status: 'revoked' } },
      handle: (context, { params, body }) =>
        changeOperatorLicenseState(context, tools, params.license_id, { kind: 'revoke', ...body }),
    }),
  ];
}
