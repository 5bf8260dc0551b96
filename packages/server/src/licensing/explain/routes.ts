import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { LICENSE_EXAMPLE, SESSION_EXAMPLE } from '../licenses/examples.ts';
import { REFUSAL_EXAMPLE } from '../refusals/example.ts';
import { explainSeat } from './explain-seat.ts';
import { ExplainParameters, Explanation } from './schemas.ts';

const HOLDER = { ...SESSION_EXAMPLE, user_id: 'usr_01kagt2m8xf3q9wz5r7e6b4c1g', user: null };

/** The endpoint that explains to staff why a user can or cannot get a seat. */
export function explainRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/operator/explain',
      operationId: 'explainSeat',
      tag: 'Operator',
      summary: 'Explain why a user cannot get a seat',
      description:
        'Shows how an acquire by this user on another machine would be decided now, without taking a seat, together with the machines that hold the seats and the last refusals. Send `email` or `user_id`, and `license_key` or `license_id`.',
      access: ACCESS.staffRead,
      query: ExplainParameters,
      status: 200,
      response: Explanation,
      errors: { not_found: HTTP_ERRORS.not_found },
      example: {
        data: {
          can_acquire: false,
          reasons: [
            {
              code: 'no_seats_available',
              message: 'The only seat is in use.',
              since: SESSION_EXAMPLE.started_at,
              holders: [HOLDER],
            },
          ],
          user: { ...SESSION_EXAMPLE.user, role: 'member' },
          license: {
            ...LICENSE_EXAMPLE,
            max_seats: 1,
            active_seats: 1,
            organization_id: 'org_01k9m2v5x8e4bt3q6r7s8t9vwx',
          },
          sessions: [],
          refusals: [REFUSAL_EXAMPLE],
        },
      },
      handle: (context, { query }) => explainSeat(context, query),
    }),
  ];
}
