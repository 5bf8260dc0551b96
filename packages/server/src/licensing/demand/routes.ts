import { Type } from 'typebox';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { LicenseDemand } from '../schemas.ts';
import { getDemand } from './get-demand.ts';

const DemandParameters = Type.Object({
  from: Type.Optional(
    Type.String({
      maxLength: 64,
      published: { format: 'date-time' },
      description: 'Rounded down to a whole hour or day. Defaults to 7 days before `to`. At most 92 days ago.',
    }),
  ),
  to: Type.Optional(
    Type.String({
      maxLength: 64,
      published: { format: 'date-time' },
      description: 'Rounded up to a whole hour or day. Defaults to now.',
    }),
  ),
  interval: Type.Optional(
    Type.Enum(['hour', 'day'], {
      description: '`hour`, the default, covers up to 31 days, and `day` up to 92 days. Days are in UTC.',
    }),
  ),
});

/** The endpoint for the demand for seats of a license. */
export function demandRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/licenses/{license_id}/demand',
      operationId: 'getLicenseDemand',
      tag: 'Licenses',
      summary: 'Get the demand for seats of a license',
      description:
        'Returns the seats in use and the refused acquires by hour or day, and how many seats would have been enough. Refusals are kept for 30 days.',
      access: ACCESS.readLicenses,
      params: Type.Object({ license_id: Type.String() }),
      query: DemandParameters,
      status: 200,
      response: LicenseDemand,
      errors: { validation_failed: HTTP_ERRORS.validation_failed },
      example: {
        data: {
          points: [
            { at: '2026-01-31T09:00:00.000Z', peak: 8, refused: 0, waiting_peak: 0 },
            { at: '2026-01-31T10:00:00.000Z', peak: 10, refused: 14, waiting_peak: 3 },
          ],
          suggested_seats: 13,
        },
      },
      handle: (context, { params, query }) => getDemand(context, params.license_id, query),
    }),
  ];
}
