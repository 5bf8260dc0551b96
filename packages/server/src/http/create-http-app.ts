import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from '../clock/index.ts';
import type { Queries } from '../database/index.ts';
import type { Logger } from '../log/index.ts';
import type { Network } from '../networks/index.ts';
import type { MasterKey } from '../security/index.ts';
import { tracing } from '../tracing/index.ts';
import { admit } from './admit.ts';
import type { SessionCookies } from './browser/index.ts';
import { answerOptions, exposeAnswer, type OriginDirectory } from './cors/index.ts';
import { count, type Gatekeeper } from './count.ts';
import { type Deadlines, requireTime } from './deadlines.ts';
import { type ApiError, httpError } from './errors.ts';
import { Exchange, rateLimited } from './exchange.ts';
import { IdempotencyRecords } from './idempotency.ts';
import { KnownPaths, ROUTER_OPTIONS } from './known-paths.ts';
import type { LogRequest } from './log-request.ts';
import type { Metrics } from './metrics.ts';
import { clientAddress } from './rate-limit/index.ts';
import { lacksParam, NO_PARAMS, paramsOf, splitUrl } from './read-path.ts';
import { isTypeOfNothing, JSON_BODY, METHODS_WITHOUT_BODY, requireTakenType, YAML_BODY } from './require-taken-type.ts';
import type { Route } from './route.ts';
import { createRouteRunner, type RouteRunner } from './run-route.ts';
import { tracedRequest } from './traced-request.ts';
import { MAX_BODY_BYTES, translate, unknownRoute } from './translate-error.ts';

/** The dependencies of the HTTP layer. */
export interface HttpTools extends Gatekeeper {
  log: Logger;
  clock: Clock;
  database: Queries;
  masterKey: MasterKey;
  metrics: Metrics;
  trustedProxies: readonly Network[];
  origins: OriginDirectory;
  cookies: SessionCookies;
  deadlines: Deadlines;
  logRequest?: LogRequest;
}

/** Builds the application from a table of routes. It does not listen: `app.routing` takes requests from a listener. */
export function createHttpApp(tools: HttpTools, routes: readonly Route[]): FastifyInstance {
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    exposeHeadRoutes: false,
    routerOptions: ROUTER_OPTIONS,
    frameworkErrors: (error, request, reply) => void fail(tools, request, reply, error),
    // Nothing listens through Fastify; the listener hands its requests to app.routing.
    serverFactory: (handler) => createServer(handler),
    forceCloseConnections: false,
  });
  app.removeAllContentTypeParsers();
  // The body stays bytes until the request is admitted: a caller without permission is refused regardless of the
  // content.
  app.addContentTypeParser([JSON_BODY, YAML_BODY], { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  for (const method of METHODS_WITHOUT_BODY) {
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
  // For an unknown path, the missing route is reported before any fault of the body.
  app.setErrorHandler((error, request, reply) => {
    void fail(tools, request, reply, request.is404 ? unknownRoute() : error);
  });
  const unusual = new KnownPaths();
  app.setNotFoundHandler((request, reply) => {
    const refuse = unusual.find(request.raw.url ?? '');
    if (refuse === undefined) {
      void fail(tools, request, reply, unknownRoute());
    } else {
      refuse(request, reply);
    }
  });
  for (const route of routes) {
    serveRoute(app, tools, route);
  }
  serveOtherMethods(app, tools, routes, unusual);
  return app;
}

function serveRoute(app: FastifyInstance, tools: HttpTools, route: Route): void {
  const routeTools = {
    database: tools.database,
    idempotency: new IdempotencyRecords(tools.database, tools.masterKey),
    cursorKey: () => tools.masterKey.deriveKey('cursors'),
  };
  const run = createRouteRunner(routeTools, route);
  const handler = (request: FastifyRequest, reply: FastifyReply) => {
    if (lacksParam(request)) {
      void fail(tools, request, reply, unknownRoute());
      return;
    }
    reply.hijack();
    void serve(tools, request, reply, route, run);
  };
  // Faults in the body of a DELETE matter only if the route declares one.
  const looksAway = route.method === 'DELETE' && route.body === undefined;
  const recover = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    looksAway || isTypeOfNothing(error, request.raw) ? handler(request, reply) : fail(tools, request, reply, error);
  app.route({
    method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { route },
    handler,
    errorHandler: (error, request, reply) => void recover(error, request, reply),
  });
}

async function serve(
  tools: HttpTools,
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route,
  run: RouteRunner,
): Promise<void> {
  const exchange = createExchange(tools, request.raw, reply.raw);
  const traces = tracing();
  return traces === undefined
    ? answer(tools, exchange, request, route, run)
    : traces.traceRequest(tracedRequest(tools.trustedProxies, exchange, route), () =>
        answer(tools, exchange, request, route, run),
      );
}

async function answer(tools: HttpTools, exchange: Exchange, request: FastifyRequest, route: Route, run: RouteRunner) {
  let isExposed = false;
  const hasNoDeadline = route.hasOwnBound === true || route.staysOpen === true;
  const place = hasNoDeadline ? undefined : limitTime(tools, exchange, route);
  try {
    const rawBody = Buffer.isBuffer(request.body) ? request.body : undefined;
    const params = route.params === undefined ? NO_PARAMS : paramsOf(request);
    const admission = await admit(tools, exchange, route, params, rawBody);
    requireTakenType(request.headers, route);
    const exposing = exposeAnswer(tools.origins, exchange, route, admission.principal);
    isExposed = true;
    if (exposing !== undefined) {
      await exposing;
    }
    requireTime(exchange);
    const [path = '', query = ''] = splitUrl(request.raw.url ?? '');
    await run(exchange, admission, { params, rawBody, query, path });
  } catch (error) {
    await (isExposed ? undefined : exposeRefusal(tools, exchange, route));
    await sendFailure(tools, exchange, error, route);
  } finally {
    if (place !== undefined) {
      tools.deadlines.stop(place);
    }
    tools.metrics.observe(route, exchange.response.statusCode, tools.clock.nowMs() - exchange.arrivedAtMs);
    tools.logRequest?.(exchange, route.path);
  }
}

/** Answers 503 when the request's time is up. */
function limitTime(tools: HttpTools, exchange: Exchange, route: Route | undefined) {
  return tools.deadlines.start(exchange, (failure) => void sendFailure(tools, exchange, failure, route));
}

/** Faults that Fastify finds itself: bad URLs, oversize bodies, wrong media types. Still admitted and counted first. */
async function fail(tools: HttpTools, request: FastifyRequest, reply: FastifyReply, found: unknown): Promise<void> {
  reply.hijack();
  const exchange = createExchange(tools, request.raw, reply.raw);
  const isUnknown = lacksParam(request);
  const route = isUnknown ? undefined : request.routeOptions?.config?.route;
  const error = isUnknown ? unknownRoute() : found;
  const place = limitTime(tools, exchange, route);
  try {
    await (route === undefined
      ? count(tools, exchange, undefined)
      : admit(tools, exchange, route, paramsOf(request), undefined));
    throw error;
  } catch (failure) {
    await (route === undefined ? undefined : exposeRefusal(tools, exchange, route));
    await sendFailure(tools, exchange, failure, route);
  } finally {
    tools.deadlines.stop(place);
    tools.logRequest?.(exchange, route?.path);
  }
}

/** A refusal before the caller is known: failing to decide who may read it must not fail the request. */
async function exposeRefusal(tools: HttpTools, exchange: Exchange, route: Route): Promise<void> {
  await exposeAnswer(tools.origins, exchange, route, undefined)?.catch(() => undefined);
}

/** OPTIONS of a known path returns the allowed methods and answers CORS preflights; any other method is 405. */
function serveOtherMethods(
  app: FastifyInstance,
  tools: HttpTools,
  routes: readonly Route[],
  unusual: KnownPaths,
): void {
  const usual = [...new Set(['GET', 'HEAD', 'OPTIONS', ...routes.map(({ method }) => method)])];
  for (const [path, known] of Map.groupBy(routes, (route) => route.path.replaceAll(/\{\w+\}/g, ':id'))) {
    const served = known.flatMap((route) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]));
    const allow = [...served, 'OPTIONS'].join(', ');
    const refuse = (request: FastifyRequest, reply: FastifyReply) => {
      const error = httpError('method_not_allowed', `${request.method} is not allowed on this path.`, {
        headers: { allow },
      });
      void fail(tools, request, reply, error);
    };
    const answer = (request: FastifyRequest, reply: FastifyReply) => {
      if (request.method === 'OPTIONS' && !lacksParam(request)) {
        void serveOptions(tools, request, reply, known, allow);
      } else {
        refuse(request, reply);
      }
    };
    const url = (known[0]?.path ?? path).replaceAll(/\{(\w+)\}/g, ':$1');
    app.route({
      method: usual.filter((method) => !served.includes(method)),
      url,
      handler: answer,
      errorHandler: (_error, request, reply) => answer(request, reply),
    });
    unusual.add(url, refuse);
  }
}

async function serveOptions(
  tools: HttpTools,
  request: FastifyRequest,
  reply: FastifyReply,
  known: readonly Route[],
  allow: string,
): Promise<void> {
  reply.hijack();
  const exchange = createExchange(tools, request.raw, reply.raw);
  try {
    await count(tools, exchange, undefined);
    if (exchange.decision?.allowed === false) {
      throw rateLimited();
    }
    await answerOptions(tools.origins, exchange, known, allow);
  } catch (error) {
    await sendFailure(tools, exchange, error, undefined);
  } finally {
    tools.logRequest?.(exchange, known[0]?.path);
  }
}

/** The exchange of a request that has just arrived. */
export function createExchange(
  tools: Pick<HttpTools, 'clock' | 'trustedProxies'>,
  request: IncomingMessage,
  response: ServerResponse,
): Exchange {
  const forwarded = request.headers['x-forwarded-for'];
  const address = clientAddress(
    request.socket.remoteAddress ?? '',
    typeof forwarded === 'string' ? forwarded : undefined,
    tools.trustedProxies,
  );
  return new Exchange(request, response, tools.clock.nowMs(), address);
}

/** Even a failure of admission itself (the database is down) must have the rate-limit headers. */
async function sendFailure(
  tools: HttpTools,
  exchange: Exchange,
  error: unknown,
  route: Route | undefined,
): Promise<void> {
  const failure = await countFailure(tools, exchange, translate(error));
  if (failure.status >= 500) {
    const level = failure.code === 'internal_error' ? 'error' : 'warn';
    // The path from the route table: what the client sent may contain a secret.
    tools.log[level](
      { err: error, request_id: exchange.requestId, method: exchange.request.method, route: route?.path },
      failure.message,
    );
  }
  exchange.sendError(failure);
}

/** Counts a request that failed before it was counted; returns the error for the client, which may be 429. */
async function countFailure(tools: HttpTools, exchange: Exchange, first: ApiError): Promise<ApiError> {
  let failure = first;
  try {
    // Without a valid token, the request counts for the address.
    if (failure.status !== 401) {
      await exchange.resource?.concludeFailure(failure);
    }
  } catch (error) {
    failure = translate(error);
  }
  if (exchange.decision === undefined) {
    await count(tools, exchange, undefined);
  }
  return failure;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: Route;
  }
}
