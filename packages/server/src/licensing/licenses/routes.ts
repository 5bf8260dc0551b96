import { Type } from 'typebox';
import { ACCESS, defineRoute, type Route } from '../../http/index.ts';
import { License, LicenseDetail, LicenseSeat, SessionRecord } from '../schemas.ts';
import { SEAT_LIST } from '../sessions/seat-list.ts';
import { SESSION_LIST } from '../sessions/session-list.ts';
import { FEATURES_EXAMPLE, LICENSE_EXAMPLE, SESSION_EXAMPLE } from './examples.ts';
import { getLicense } from './get-license.ts';
import { LICENSE_LIST } from './license-list.ts';
import { listLicenses } from './list-licenses.ts';
import { listSeats } from './list-seats.ts';
import { listSessions } from './list-sessions.ts';

const LicensePath = Type.Object({ license_id: Type.String() });

const SESSION_RECORD_EXAMPLE = {
  ...SESSION_EXAMPLE,
  license_id: LICENSE_EXAMPLE.id,
  status: 'active',
  ended_at: null,
  released_by: null,
  metadata: { hostname: 'workstation-7', client_version: '4.2.0' },
};

/** The endpoints for reading licenses and their seats. */
export function licenseRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/licenses',
      operationId: 'listLicenses',
      tag: 'Licenses',
      summary: 'List licenses',
      description: 'Lists the licenses of the organization with the number of seats in use.',
      access: ACCESS.readLicenses,
      list: LICENSE_LIST,
      status: 200,
      response: License,
      errors: {},
      example: { data: [LICENSE_EXAMPLE] },
      handle: (context, { page }) => listLicenses(context, page),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/licenses/{license_id}',
      operationId: 'getLicense',
      tag: 'Licenses',
      summary: 'Get a license',
      description: 'Returns the license with its features and the sessions that hold a seat now.',
      access: ACCESS.readLicenses,
      params: LicensePath,
      status: 200,
      response: LicenseDetail,
      errors: {},
      example: {
        data: { ...LICENSE_EXAMPLE, available_seats: 9, features: FEATURES_EXAMPLE, sessions: [SESSION_EXAMPLE] },
      },
      handle: (context, { params }) => getLicense(context, params.license_id),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/licenses/{license_id}/sessions',
      operationId: 'listLicenseSessions',
      tag: 'Licenses',
      summary: 'List the sessions of a license',
      description: 'Lists current and past sessions: who used which machine, from when to when.',
      access: ACCESS.readLicenses,
      params: LicensePath,
      list: SESSION_LIST,
      status: 200,
      response: SessionRecord,
      errors: {},
      example: { data: [SESSION_RECORD_EXAMPLE] },
      handle: (context, { params, page }) => listSessions(context, params.license_id, page),
    }),
    seatsRoute(),
  ];
}

function seatsRoute(): Route {
  return defineRoute({
    method: 'GET',
    path: '/v1/licenses/{license_id}/seats',
    operationId: 'listLicenseSeats',
    tag: 'Licenses',
    summary: 'List the seats of a license',
    description:
      'Lists every seat from 1 to max_seats, with the active session that holds it. If max_seats was lowered while more sessions were active, the sessions beyond it are not included. List them with `GET /v1/licenses/{license_id}/sessions?status=active`.',
    access: ACCESS.readLicenses,
    params: LicensePath,
    list: SEAT_LIST,
    status: 200,
    response: LicenseSeat,
    errors: {},
    example: {
      data: [
        { slot: 1, session: SESSION_EXAMPLE },
        { slot: 2, session: null },
      ],
    },
    handle: (context, { params, page }) => listSeats(context, params.license_id, page),
  });
}
