import { Type } from 'typebox';
import { ACCESS, defineRoute, type Route } from '../../http/index.ts';
import { SeatRefusal } from '../schemas.ts';
import { REFUSAL_EXAMPLE } from './example.ts';
import { listRefusals } from './list-refusals.ts';
import { REFUSAL_LIST } from './refusal-list.ts';

/** The endpoints for who was refused a seat. */
export function refusalRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/licenses/{license_id}/refusals',
      operationId: 'listLicenseRefusals',
      tag: 'Licenses',
      summary: 'List the refusals of a license',
      description:
        'Refused acquires, counted for each user, machine, error code and minute. A refusal is listed within a few seconds and kept for 30 days.',
      access: ACCESS.readLicenses,
      params: Type.Object({ license_id: Type.String() }),
      list: REFUSAL_LIST,
      status: 200,
      response: SeatRefusal,
      errors: {},
      example: { data: [REFUSAL_EXAMPLE] },
      handle: (context, { params, page }) => listRefusals(context, params.license_id, page),
    }),
  ];
}
