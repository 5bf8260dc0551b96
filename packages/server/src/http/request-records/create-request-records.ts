import { Type } from 'typebox';
import { type Clock, isoTime } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { firstIdAt, idPattern } from '../../ids/index.ts';
import type { Job } from '../../jobs/index.ts';
import { ACCESS } from '../access.ts';
import { HTTP_ERRORS, notFound } from '../errors.ts';
import type { LogRequest } from '../log-request.ts';
import { defineRoute, type Route } from '../route.ts';
import { deleteOldRequestRecords, findRequestRecord, insertRequestRecords, type RequestRow } from './queries.ts';
import { type RecordedRequest, RequestRecorder } from './request-recorder.ts';

/** The records of requests in one environment. */
export interface RequestRecords {
  /** Notes an answered request, in memory. */
  note: LogRequest;
  routes: Route[];
  jobs: Job[];
  /** Writes the remaining records, if the database is available. */
  close(): Promise<void>;
}

/** Creates the request records: each error, and a sample of the rest, for some days. */
export function createRequestRecords(given: {
  database: Queries;
  clock: Clock;
  sample: number;
  retentionDays: number;
}): RequestRecords {
  const { database, clock, sample, retentionDays } = given;
  const recorder = new RequestRecorder(sample);
  const write = () => writeRecords(database, recorder);
  return {
    note: (exchange, route) => {
      const { requestId, request, response, principal } = exchange;
      if (recorder.wants(response.statusCode, principal !== undefined)) {
        recorder.add({
          id: requestId,
          atMs: exchange.arrivedAtMs,
          // HTTP/2 lets a client write anything here.
          method: KNOWN_METHOD.test(request.method ?? '') ? (request.method ?? '') : 'other',
          route: route ?? null,
          status: response.statusCode,
          code: exchange.errorCode ?? null,
          durationMs: Math.max(0, Math.round(clock.nowMs() - exchange.arrivedAtMs)),
          organizationId: principal?.organizationId || null,
          userId: principal?.userId ?? null,
        });
      }
    },
    routes: [requestRoute(database)],
    jobs: [
      { name: 'http.write-request-records', everyMs: WRITE_EVERY_MS, runsInEveryRole: true, run: write },
      ...retentionJob(database, clock, retentionDays),
    ],
    close: async () => {
      await write().catch(() => undefined);
    },
  };
}

const KNOWN_METHOD = /^[A-Z-]{1,20}$/;
const WRITE_EVERY_MS = 2_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const PORTION = 1_000;

async function writeRecords(database: Queries, recorder: RequestRecorder): Promise<false> {
  const waiting = recorder.take();
  if (waiting.length > 0) {
    try {
      await insertRequestRecords(database, { requests: waiting.map(rowOf) });
    } catch (error) {
      recorder.giveBack(waiting);
      throw error;
    }
  }
  return false;
}

function rowOf(request: RecordedRequest) {
  return {
    id: request.id,
    at_ms: request.atMs,
    method: request.method,
    route: request.route,
    status: request.status,
    code: request.code,
    duration_ms: request.durationMs,
    organization_id: request.organizationId,
    user_id: request.userId,
  };
}

function retentionJob(database: Queries, clock: Clock, days: number): Job[] {
  const run = async () => {
    const before = firstIdAt('request', clock.nowMs() - days * DAY_MS);
    return (await deleteOldRequestRecords(database, { before, limit: PORTION })) >= PORTION;
  };
  return days === 0 ? [] : [{ name: 'http.delete-old-request-records', everyMs: HOUR_MS, run }];
}

const Nullable = (what: string) => Type.Union([Type.String(), Type.Null()], { description: what });

const RequestRecord = Type.Object(
  {
    id: Type.String({ pattern: idPattern('request') }),
    at: Type.String({ format: 'date-time', description: 'When the request arrived.' }),
    method: Type.String(),
    route: Nullable('The endpoint, with its parameters in braces. Null if no endpoint matches the path.'),
    status: Type.Integer({ minimum: 100, maximum: 599 }),
    code: Nullable('The error code. Null if the request succeeded.'),
    duration_ms: Type.Integer({ minimum: 0 }),
    organization_id: Nullable('The organization that the caller acted in.'),
    user_id: Nullable('The caller: a user or an operator token. Null without a valid token.'),
  },
  { title: 'RequestRecord' },
);

function requestRoute(database: Queries): Route {
  return defineRoute({
    method: 'GET',
    path: '/v1/operator/requests/{request_id}',
    operationId: 'getRequestRecord',
    tag: 'Operator',
    summary: 'Get a request',
    description:
      'Returns the record of a request from the last 7 days by its `X-Request-Id`. All errors are recorded. Of the other requests, all are recorded while there are few, and a sample (`SEATHOLD_REQUEST_SAMPLE`) while there are many. A record appears within a few seconds.',
    access: ACCESS.staffRead,
    params: Type.Object({ request_id: Type.String() }),
    status: 200,
    response: RequestRecord,
    errors: { not_found: HTTP_ERRORS.not_found },
    example: {
      data: {
        id: 'req_01kagt2m8xg3q9wz5r7e6b4c1d',
        at: '2026-01-31T12:00:02.000Z',
        method: 'POST',
        route: '/v1/licenses/acquire',
        status: 409,
        code: 'no_seats_available',
        duration_ms: 4,
        organization_id: 'org_01k9m2v5x8e4bt3q6r7s8t9vwx',
        user_id: 'usr_01kagt2m8xf3q9wz5r7e6b4c1f',
      },
    },
    handle: async (_context, { params }) => {
      const found = await findRequestRecord(database, { id: params.request_id });
      if (found === undefined) {
        throw notFound('request');
      }
      return { data: present(found) };
    },
  });
}

function present({ at_ms: atMs, ...row }: RequestRow) {
  return { ...row, at: isoTime(atMs) };
}
