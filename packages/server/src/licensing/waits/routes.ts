import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { LICENSING_ERRORS } from '../errors.ts';
import type { LicensingTools } from '../licensing-tools.ts';
import { Acquired } from '../schemas.ts';
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
      summary: 'Wait for a seat in line',
      description:
        'Answers as soon as it is the turn of the wait, or after `timeout` seconds. Seats go strictly in the order of the line. A free seat is kept for 30 seconds for the program that is first in line: this request takes it, and then returns what an acquire returns, with the status `granted`. A wait whose program does not ask within that time is `expired`, and the seat goes to the next.',
      access: ACCESS.useSeats,
      staysOpen: true,
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
      summary: 'Leave the line',
      description: 'A wait that has got its seat cannot be left: release the session instead.',
      access: ACCESS.useSeats,
      params: WaitParameters,
      status: 204,
      errors: { conflict: HTTP_ERRORS.conflict },
      handle: (context, { params }) => leaveWait(context, tools, params.wait_id),
    }),
  ];
}
