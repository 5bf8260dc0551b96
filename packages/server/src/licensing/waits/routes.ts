import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { LICENSING_ERRORS } from '../errors.ts';
import type { LicensingTools } from '../licensing-tools.ts';
import { Acquired } from '../schemas.ts';
import { countByWait } from './count-by-wait.ts';
import { getWait, presentWait } from './get-wait.ts';
import { leaveWait } from './leave-wait.ts';
import { defineSeatWait, WaitParameters, WaitQuery } from './schemas.ts';

const { session_timeout, session_released, license_expired, license_suspended, license_revoked, user_not_allowed } =
  LICENSING_ERRORS;

export const PLACE_EXAMPLE = {
  wait_id: 'wait_01kagt2m8xf3q9wz5r7e6b4c1h',
  position: 3,
  expires_at: '2026-01-31T12:10:00.000Z',
  poll_after_seconds: 3,
};

/** The endpoints for machines that wait for a seat. */
export function waitRoutes(tools: LicensingTools): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/licenses/waits/{wait_id}',
      operationId: 'getSeatWait',
      tag: 'Seats',
      summary: 'Wait for a seat',
      description:
        'Returns as soon as it is your turn, or after `timeout` seconds. Seats are given strictly in the order of the waiting list. A free seat is reserved for the first program in the list for 30 seconds: its next request takes the seat and returns what an acquire returns, with the status `granted`. If the program sends no request in that time, its wait is `expired` and the seat goes to the next program.',
      access: ACCESS.useSeats,
      staysOpen: true,
      countedResource: countByWait(tools),
      params: WaitParameters,
      query: WaitQuery,
      status: 200,
      response: defineSeatWait(Acquired),
      errors: {
        session_timeout,
        session_released,
        license_expired,
        license_suspended,
        license_revoked,
        user_not_allowed,
        service_unavailable: HTTP_ERRORS.service_unavailable,
      },
      example: { data: { ...PLACE_EXAMPLE, status: 'waiting' } },
      handle: (context, { params, query }) => getWait(context, tools, params.wait_id, query.timeout ?? 0),
      present: (state) => presentWait(tools, state),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/licenses/waits/{wait_id}',
      operationId: 'leaveSeatWait',
      tag: 'Seats',
      summary: 'Leave the waiting list',
      description: 'A wait that already has a seat cannot be left. Release the session instead.',
      access: ACCESS.useSeats,
      params: WaitParameters,
      status: 204,
      errors: { conflict: HTTP_ERRORS.conflict },
      handle: (context, { params }) => leaveWait(context, tools, params.wait_id),
    }),
  ];
}
