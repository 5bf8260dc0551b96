import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../clock/index.ts';
import type { Logger } from '../log/index.ts';
import type { Network } from '../networks/index.ts';
import { preflightHeaders } from './cors/index.ts';
import { count, countFile, type Gatekeeper } from './count.ts';
import { createExchange } from './create-http-app.ts';
import { type Deadlines, requireTime } from './deadlines.ts';
import { type ApiError, httpError } from './errors.ts';
import { type Exchange, rateLimited } from './exchange.ts';
import type { LogRequest } from './log-request.ts';
import type { Metrics } from './metrics.ts';
import type { EndpointLimit } from './rate-limit/index.ts';
import { readForm } from './read-form.ts';
import { translate } from './translate-error.ts';

/** An endpoint alongside the API: a page, or one whose responses are defined by another standard. */
export interface MountedEndpoint {
  /** Its path for the metrics, with parameters in braces. */
  path: string;
  methods: readonly string[];
  /** Scripts of every site may read its responses. */
  isForAnyOrigin?: boolean;
  /**
   * A file or page without data. Counted separately from API requests and never refused, because one page needs many
   * files.
   */
  isFile?: boolean;
  /** An additional limit for POST, besides that of the address. */
  limit?: EndpointLimit;
  /** Whether a POST contains a form, which is then read before the request is counted. */
  takesForm?: boolean;
  /** The account that a POST is also counted under. */
  countedAccount?(form: URLSearchParams): string | undefined;
  handle(exchange: Exchange, form: URLSearchParams): Promise<void>;
  /** Answers refusals before `handle`, and errors thrown by it, in the endpoint's own format. */
  refuse(exchange: Exchange, error: ApiError): void;
}

/** Finds the endpoint of a path; undefined if the path belongs to the API. Always the same object for one endpoint. */
export type Mount = (path: string, request: IncomingMessage) => MountedEndpoint | undefined;

/** The dependencies of serving a mount. */
export interface MountTools extends Gatekeeper {
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  trustedProxies: readonly Network[];
  deadlines: Deadlines;
  logRequest?: LogRequest;
}

/** Serves a mount's requests: counts them, and sets the common headers. Returns false for other requests. */
export function createMountServer(
  tools: MountTools,
  mount: Mount,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const url = request.url ?? '';
    const mark = url.indexOf('?');
    const endpoint = mount(mark === -1 ? url : url.slice(0, mark), request);
    if (endpoint === undefined) {
      return false;
    }
    void serve(tools, endpoint, createExchange(tools, request, response));
    return true;
  };
}

async function serve(tools: MountTools, endpoint: MountedEndpoint, exchange: Exchange): Promise<void> {
  const { method = 'GET' } = exchange.request;
  const place = tools.deadlines.start(exchange, (failure) => void fail(tools, endpoint, exchange, failure));
  try {
    if (endpoint.isForAnyOrigin === true) {
      exchange.exposeTo('*');
    }
    const form = await admit(tools, endpoint, exchange, method);
    requireTime(exchange);
    const isOwnOptions = method === 'OPTIONS' && !endpoint.methods.includes(method);
    await (isOwnOptions ? answerOptions(endpoint, exchange) : endpoint.handle(exchange, form));
  } catch (error) {
    await fail(tools, endpoint, exchange, error);
  } finally {
    tools.deadlines.stop(place);
    tools.metrics.observe(endpointWith(endpoint, method), exchange.response.statusCode, elapsedMs(tools, exchange));
    tools.logRequest?.(exchange, endpoint.path);
  }
}

/** As in the API, a request is counted before it is refused for any other reason. */
async function admit(
  tools: MountTools,
  endpoint: MountedEndpoint,
  exchange: Exchange,
  method: string,
): Promise<URLSearchParams> {
  const isForm = method === 'POST' && endpoint.takesForm === true && endpoint.methods.includes(method);
  const form = isForm ? await readForm(exchange.request) : new URLSearchParams();
  const limit = method === 'POST' ? endpoint.limit : undefined;
  const account = isForm ? endpoint.countedAccount?.(form) : undefined;
  await (endpoint.isFile === true ? countFile(tools, exchange) : count(tools, exchange, undefined, { limit, account }));
  if (exchange.decision?.allowed === false) {
    throw rateLimited();
  }
  if (method !== 'OPTIONS' && !endpoint.methods.includes(method)) {
    throw httpError('method_not_allowed', `${method} is not allowed on this path.`, {
      headers: { allow: allowOf(endpoint) },
    });
  }
  return form;
}

function answerOptions(endpoint: MountedEndpoint, exchange: Exchange): void {
  const allow = allowOf(endpoint);
  exchange.send(204, undefined, '', { allow, ...(endpoint.isForAnyOrigin === true ? preflightHeaders(allow) : {}) });
}

function allowOf({ methods }: MountedEndpoint): string {
  return [...new Set([...methods, 'OPTIONS'])].join(', ');
}

async function fail(tools: MountTools, endpoint: MountedEndpoint, exchange: Exchange, error: unknown): Promise<void> {
  const failure = translate(error);
  exchange.errorCode ??= failure.code;
  if (exchange.decision === undefined) {
    await count(tools, exchange, undefined);
  }
  if (failure.status >= 500) {
    const level = failure.code === 'internal_error' ? 'error' : 'warn';
    tools.log[level](
      { err: error, request_id: exchange.requestId, method: exchange.request.method, route: endpoint.path },
      failure.message,
    );
  }
  endpoint.refuse(exchange, failure);
}

const labels = new WeakMap<MountedEndpoint, Map<string, { path: string; method: string }>>();

/**
 * The metrics keep their counters by object, so each pair of endpoint and method is one object; unusual methods share
 * one.
 */
function endpointWith(endpoint: MountedEndpoint, method: string): { path: string; method: string } {
  const known = endpoint.methods.includes(method) ? method : 'other';
  const ofEndpoint = labels.get(endpoint) ?? new Map<string, { path: string; method: string }>();
  labels.set(endpoint, ofEndpoint);
  const label = ofEndpoint.get(known) ?? { path: endpoint.path, method: known };
  ofEndpoint.set(known, label);
  return label;
}

function elapsedMs(tools: MountTools, exchange: Exchange): number {
  return tools.clock.nowMs() - exchange.arrivedAtMs;
}
