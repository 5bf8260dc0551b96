import type { Queries } from '../database/index.ts';
import type { Admission } from './admit.ts';
import { entityTagOf, isNoneMatch, StoredDocument, sendDocument } from './documents/index.ts';
import { type ApiError, httpError, invalidRequest, notFound } from './errors.ts';
import type { Exchange } from './exchange.ts';
import type { IdempotencyRecords } from './idempotency.ts';
import { type ListPage, type PageRequest, parsePageRequest, signCursor, verifyCursor } from './lists/index.ts';
import { parseBody } from './parse-body.ts';
import type { Principal } from './principal.ts';
import { readQuery } from './read-query.ts';
import type { Answer, Answered, AuthorizedContext, Phase, Route, RouteInput } from './route.ts';
import { createRedaction } from './secret-fields.ts';
import { StreamedAnswer } from './streamed-answer.ts';
import { createCheck } from './validate.ts';

/** The dependencies of running a use case. */
export interface RouteTools {
  database: Queries;
  idempotency: IdempotencyRecords;
  cursorKey(): Buffer;
}

/** A request as parsed by Fastify. */
export interface Arrived {
  params: Readonly<Record<string, string>>;
  rawBody: Buffer | undefined;
  query: string;
  path: string;
}

export type RouteRunner = ReturnType<typeof createRouteRunner>;

/** Checks the input, runs the use case and sends the answer. Created once per route, so schemas are compiled once. */
export function createRouteRunner(tools: RouteTools, route: Route) {
  const checkBody = route.body === undefined ? undefined : createCheck(route.body);
  const redaction = createRedaction(route.response);
  const checkQuery = route.query === undefined ? undefined : createCheck(route.query);
  return async (exchange: Exchange, admission: Admission, arrived: Arrived): Promise<void> => {
    const { principal } = admission;
    const redact = principal?.acting === undefined ? undefined : redaction;
    const input = readInput(route, { body: checkBody, query: checkQuery }, arrived);
    if (route.list !== undefined) {
      verifyPage(tools.cursorKey(), ownerOf(route, principal), input, arrived);
    }
    const context = {
      requestId: exchange.requestId,
      database: tools.database,
      clientAddress: exchange.clientAddress,
      headers: exchange.request.headers,
      whenGone: () => exchange.whenGone(),
      ...admission,
    } as AuthorizedContext;
    const { answer, isReplay } = await run(route, tools, context, input, arrived);
    const counting = exchange.resource?.conclude(isReplay || isAboutEnded(answer) ? 'ended' : 'live');
    if (counting !== undefined) {
      await counting;
    }
    if ('items' in answer) {
      const binding = { owner: ownerOf(route, principal), path: arrived.path, request: input.page };
      sendPage(route, exchange, answer, redact, (next) => signCursor(tools.cursorKey(), binding, next));
    } else {
      await sendAnswer(route, exchange, answer, isReplay, redact);
    }
  };
}

function sendPage(
  route: Route,
  exchange: Exchange,
  { items, next }: ListPage<unknown>,
  redact: ((data: unknown) => unknown) | undefined,
  sign: (next: NonNullable<ListPage<unknown>['next']>) => string,
): void {
  const cursor = next === undefined ? null : sign(next);
  const shown = redact === undefined ? items : items.map(redact);
  exchange.sendData(route.status, shown, { has_more: cursor !== null, next_cursor: cursor });
}

/** Like a request about an ended resource, a replay changes nothing. */
function isAboutEnded(answer: Answer<unknown> | ListPage<unknown>): boolean {
  return 'data' in answer && answer.isAboutEnded === true;
}

async function sendAnswer(
  route: Route,
  exchange: Exchange,
  answer: Answer<unknown>,
  isReplay: boolean,
  redact: ((data: unknown) => unknown) | undefined,
): Promise<void> {
  const whole = route.present === undefined ? answer.data : await route.present(answer.data);
  const data = redact === undefined || whole instanceof StoredDocument ? whole : redact(whole);
  const headers = isReplay ? { ...answer.headers, 'idempotency-replayed': 'true' } : answer.headers;
  const status = answer.status ?? route.status;
  if (data instanceof StoredDocument) {
    await sendDocument(exchange, data);
  } else if (data instanceof StreamedAnswer) {
    await exchange.sendStream(status, data);
  } else if (route.raw === undefined) {
    exchange.sendData(status, data, undefined, headers);
  } else if (data === undefined) {
    exchange.send(status, undefined, '', headers);
  } else {
    sendRaw(exchange, status, route.raw, data, headers);
  }
}

/** Public, cacheable responses have an entity tag, so a client with the current one gets 304. */
function sendRaw(
  exchange: Exchange,
  status: number,
  contentType: string,
  data: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = typeof data === 'string' || Buffer.isBuffer(data) ? data : JSON.stringify(data);
  if (headers['cache-control']?.startsWith('public') !== true) {
    exchange.send(status, contentType, body, headers);
    return;
  }
  const tagged = { ...headers, etag: entityTagOf(body) };
  if (isNoneMatch(exchange.request.headers['if-none-match'], tagged.etag)) {
    exchange.send(304, undefined, '', tagged);
  } else {
    exchange.send(status, contentType, body, tagged);
  }
}

/** What a bare {id} in a path represents: /v1/api-tokens/{id} is an api_token. */
function resourceOf(path: string): string {
  const collection = path.split('/').at(-2) ?? 'resource';
  return collection.replaceAll('-', '_').replace(/s$/, '');
}

type Check = ReturnType<typeof createCheck> | undefined;

function readInput(route: Route, checks: { body: Check; query: Check }, arrived: Arrived): RouteInput {
  for (const name in arrived.params) {
    const value = arrived.params[name] ?? '';
    // A key is a name chosen by people, so it may contain spaces and any letters; IDs are one word.
    const isWellFormed = name === 'key' ? /^[^\p{Cc}\p{Cs}]{1,128}$/u.test(value) : /^[\x21-\x7e]{1,128}$/.test(value);
    if (!isWellFormed) {
      throw notFound(name.replace(/_?id$|^key$/, '') || resourceOf(route.path));
    }
  }
  return {
    params: arrived.params,
    body: readBody(route, checks.body, arrived.rawBody),
    query:
      route.query === undefined || checks.query === undefined
        ? undefined
        : readQuery(route.query, arrived.query, checks.query),
    rawBody: (route.takesRawBody === true ? arrived.rawBody : undefined) ?? NO_BODY,
    page: readPage(route, arrived.query),
  };
}

const NO_BODY = Buffer.alloc(0);

function readPage(route: Route, text: string): PageRequest {
  if (route.list !== undefined) {
    return parsePageRequest(route.list, new URLSearchParams(text));
  }
  if (route.query !== undefined) {
    return NO_PAGE;
  }
  const [unknown] = text === '' ? [] : new URLSearchParams(text).keys();
  if (unknown !== undefined) {
    throw invalidRequest(unknown, 'unknown', `Unknown query parameter: ${unknown}.`);
  }
  return NO_PAGE;
}

const NO_PAGE: PageRequest = { limit: 0, sort: '', descending: false, after: undefined, filters: {} };

function readBody(route: Route, checkBody: Check, rawBody: Buffer | undefined): unknown {
  if (route.takesRawBody === true) {
    return undefined;
  }
  const isEmpty = rawBody === undefined || rawBody.length === 0;
  if (checkBody === undefined) {
    // A route without a body accepts an empty object, because many clients send one.
    const body = isEmpty || route.method === 'GET' || route.method === 'DELETE' ? {} : parseBody(rawBody);
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    if (!isObject || Object.keys(body).length > 0) {
      throw invalidRequest('', 'unknown', 'This endpoint does not accept a request body.');
    }
    return undefined;
  }
  // A missing body is equivalent to an empty one: it is valid if no field is required; otherwise a field is missing.
  const body = isEmpty ? {} : parseBody(rawBody);
  const fault: ApiError | undefined = checkBody(body);
  if (fault !== undefined) {
    throw fault;
  }
  return body;
}

/** The owner of the list, so that another owner's cursor is not valid for it. */
function ownerOf(route: Route, principal: Principal | undefined): string {
  return (route.list?.isOfUser === true ? principal?.userId : principal?.organizationId) ?? '';
}

function verifyPage(key: Buffer, owner: string, input: RouteInput, arrived: Arrived): void {
  const cursor = new URLSearchParams(arrived.query).get('cursor');
  if (cursor !== null) {
    const binding = { owner, path: arrived.path, request: input.page };
    input.page.after = verifyCursor(key, binding, cursor);
  }
}

async function run(route: Route, tools: RouteTools, context: AuthorizedContext, input: RouteInput, arrived: Arrived) {
  const key = readIdempotencyKey(route, context);
  const runOnce = <Next extends { kind: string }>(phase: Phase<Next>) => {
    const { organizationId, userId } = context.principal;
    const content = JSON.stringify([arrived.path, input.body ?? null], sortKeys);
    const request = { organizationId, userId, route: `${route.method} ${route.path}`, key: key ?? '', content };
    return tools.idempotency.runOnce(request, phase);
  };
  if (route.opensTransaction === true) {
    let isReplay = false;
    const once = async <Next extends { kind: string }>(phase: Phase<Next>) => {
      if (key === undefined) {
        return context.database.transaction(phase);
      }
      const done = await runOnce(phase);
      isReplay = done.isReplay;
      return done.ended;
    };
    const answer = await route.handle({ ...context, once }, input);
    return { answer, isReplay };
  }
  if (key === undefined) {
    return { answer: await route.handle(context, input), isReplay: false };
  }
  const { ended, isReplay } = await runOnce(async (tx): Promise<Answered> => {
    const answer = await route.handle({ ...context, database: tx }, input);
    if ('items' in answer) {
      throw httpError('internal_error', 'Lists are not kept.');
    }
    return { kind: 'answered', answer };
  });
  return { answer: ended.answer, isReplay };
}

/** A replacer: equal objects are serialized identically, regardless of the order of their members. */
function sortKeys(_key: string, value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;
}

/** The key under which the response is stored; undefined if there is none, or the route does not store responses. */
function readIdempotencyKey(route: Route, context: AuthorizedContext): string | undefined {
  const key = context.headers['idempotency-key'];
  const isKept = route.access.kind !== 'public' && (route.method === 'POST' || route.method === 'PATCH');
  if (typeof key !== 'string' || !isKept) {
    return undefined;
  }
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    throw invalidRequest('Idempotency-Key', 'length', 'Idempotency-Key must be 1 to 255 printable characters.');
  }
  return key;
}
