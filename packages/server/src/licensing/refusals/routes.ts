import { Type } from 'typebox';
import { ACCESS, defineRoute, type Route } from '../../http/index.ts';
import { OperatorRefusal, SeatRefusal } from '../schemas.ts';
import { REFUSAL_EXAMPLE } from './example.ts';
import { listRefusals } from './list-refusals.ts';
import { OPERATOR_REFUSAL_LIST } from './operator-refusal-list.ts';
import { presentRefusal } from './present-refusal.ts';
import { REFUSAL_LIST } from './refusal-list.ts';

/** The endpoints for refused acquires. */
export function refusalRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/licenses/{license_id}/refusals',
      operationId: 'listLicenseRefusals',
      tag: 'Licenses',
      summary: 'List the refusals of a license',
      description:
        'Lists refused acquires, counted by user, machine, error code, and minute. A refusal appears within a few seconds and is kept for 30 days.',
      access: ACCESS.readLicenses,
      params: Type.Object({ license_id: Type.String() }),
      list: REFUSAL_LIST,
      status: 200,
      response: SeatRefusal,
      errors: {},
      example: { data: [REFUSAL_EXAMPLE] },
      handle: (context, { params, page }) => listRefusals(context, params.license_id, page),
    }),
    OPERATOR_REFUSALS,
  ];
}

const OPERATOR_REFUSALS = defineRoute({
  method: 'GET',
  path: '/v1/operator/refusals',
  operationId: 'listRefusals',
  tag: 'Operator',
  summary: 'List the refusals of all organizations',
  description: 'Lists refused acquires of all licenses, counted by user, machine, error code, and minute.',
  access: ACCESS.staffRead,
  list: OPERATOR_REFUSAL_LIST,
  status: 200,
  response: OperatorRefusal,
  errors: {},
  example: {
    data: [
      {
        ...REFUSAL_EXAMPLE,
        organization_id: 'org_01k9m2v5x8e4bt3q6r7s8t9vwx',
        license_id: 'lic_01kagt2m8xf3q9wz5r7e6b4c1e',
      },
    ],
  },
  handle: (context, { page }) =>
    OPERATOR_REFUSAL_LIST.getPage(context.database, page, {}, (row) => ({
      ...presentRefusal(row),
      organization_id: row.organization_id,
      license_id: row.license_id,
    })),
});
