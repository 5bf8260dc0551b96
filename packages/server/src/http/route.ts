import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TObject, TSchema } from 'typebox';
import type { Queries } from '../database/index.ts';
import type { Access } from './access.ts';
import type { ApiError, ErrorDefinition } from './errors.ts';
import type { ListDefinition, ListPage, PageRequest } from './lists/index.ts';
import type { Principal, UncheckedToken } from './principal.ts';
import type { EndpointLimit } from './rate-limit/index.ts';
import type { CountedResource } from './resource-count.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What every use case gets besides its input. */
export interface RequestContext {
  requestId: string;
  /** The database, or the transaction that an Idempotency-Key opened around the use case. */
  database: Queries;
  clientAddress: string;
  headers: IncomingHttpHeaders;
}

/** The same for routes that require a token. */
export interface AuthorizedContext extends RequestContext {
  principal: Principal;
  /** Aborts when the client has disconnected and no longer waits for the response. */
  whenGone(): AbortSignal;
  /** Set if the route checks the token itself. */
  token?: UncheckedToken;
  /** For responses that stay open: throws the refusal if the request would no longer be admitted. */
  confirm?(): Promise<void>;
  /** Set if the route opens its transactions itself; see `runPhase`. */
  once?<Next extends { kind: string }>(phase: Phase<Next>): Promise<Answered | Next>;
}

/** The result of a use case: the payload of `data` and, if it differs from the route's, the status. */
export interface Answer<Data> {
  status?: number;
  data: Data;
  headers?: Readonly<Record<string, string>>;
  /** If requests are counted under their resource: it had ended before this one. */
  isAboutEnded?: boolean;
}

/** A refusal whose transaction still commits, for example to count a wrong code. It is thrown after the commit. */
export interface Refusal {
  refusal: ApiError;
}

/**
 * The part of a use case that runs in a transaction. It may run again, so it has no side effects besides its
 * statements.
 */
export type Effect = (tx: Queries) => Promise<Answer<unknown> | Refusal>;

/** The same for a use case with several transactions: it answers, or returns how to continue. */
export type Phase<Next extends { kind: string } = never> = (tx: Queries) => Promise<Answered | Next>;

/** The use case has ended. */
export interface Answered {
  kind: 'answered';
  answer: Answer<unknown>;
}

/** One endpoint: how the server handles it and how the API reference describes it. */
export interface Route {
  method: Method;
  /** With parameters in braces, for example /v1/licenses/{license_id}. */
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  /** A limit of the endpoint besides the tier's (service.md "Endpoint-specific limits"). */
  limit?: EndpointLimit;
  /** The minimum of that limit for a user, for example based on the organization's seats. */
  limitAtLeast?(principal: Principal): number | Promise<number>;
  /** Counts the requests under their resource instead of their user. */
  countedResource?: CountedResource;
  /**
   * Scripts of every site may read the response: it is public, or contains only what the script's own token may see.
   */
  isForAnyOrigin?: boolean;
  /** A public route that counts a request with a valid token under its owner, not under the client's address. */
  countsOwner?: boolean;
  /** Counted and reported but never refused: probes must reach the service. */
  neverRefused?: boolean;
  /** The use case checks the token in its own statement, through `context.token`; see UncheckedToken. */
  checksToken?: boolean;
  /** The response continues until its client disconnects, so the use case periodically checks whether it still may. */
  staysOpen?: boolean;
  /** It waits for more than the database, for example for the payment provider, and bounds that wait itself. */
  hasOwnBound?: boolean;
  /**
   * The use case does something outside the transaction of its effect, and runs the effect by `runEffect`: a password
   * is hashed before a connection is held, and a wrong one is counted although the request is refused.
   */
  opensTransaction?: boolean;
  /** The path parameter that names the organization which the request acts in, instead of X-Organization-Id. */
  organizationParam?: string;
  /**
   * The URL to which the service then sends events, as an OpenAPI runtime expression. The API reference describes them.
   */
  callbackUrl?: string;
  /** Left out of the API reference. */
  isInternal?: boolean;
  /** The account that a password attempt is also counted under, by the token or by the unchecked body. */
  countedAccount?(rawBody: Buffer | undefined, principal: Principal | undefined): string | undefined;
  params?: TObject;
  body?: TSchema;
  /** The use case gets the body as raw bytes, which a signature covers, and parses it itself; `body` is not set. */
  takesRawBody?: boolean;
  /** The bytes may also be YAML. `body` is then only for the API reference, and is not checked. */
  takesYaml?: boolean;
  /** Query parameters of a route that is not a list: texts and integers. */
  query?: TObject;
  list?: ListDefinition;
  /** The status of success, and the schema of `data` (of its items where `list` is given). */
  status: number;
  /** Further statuses of success with the same payload, for example 200 where 201 is the rule. */
  alsoStatus?: number;
  /** The response of 202, if the request can be accepted before it is complete. */
  accepted?: { response: TSchema; example: unknown };
  response?: TSchema;
  /** The room's own codes that the route can return, and shared ones worth naming. */
  errors: Readonly<Record<string, ErrorDefinition>>;
  /** An example body and data for the API reference. */
  example?: { body?: unknown; data?: unknown };
  /** The use case, with everything it reads already checked. */
  handle(context: AuthorizedContext, input: RouteInput): Promise<Answer<unknown> | ListPage<unknown>>;
  /**
   * Converts the committed result to the response, for example by signing; runs again when a stored response is
   * replayed.
   */
  present?(data: unknown): Promise<unknown>;
  /** The content type of a raw response without envelope (PDF, keys). Without data it has no body, like a 304. */
  raw?: string;
  /** Further content types that a raw answer can have. */
  alsoRaw?: readonly string[];
}

export interface RouteInput {
  params: Readonly<Record<string, string>>;
  body: unknown;
  query: unknown;
  /** Empty unless the route takes it. */
  rawBody: Buffer;
  page: PageRequest;
}

/** Types a route's use case by its schemas; the check at the border makes the types true. */
export function defineRoute<
  const A extends Access,
  Params extends TObject,
  Body extends TSchema,
  Query extends TObject,
  Result = unknown,
>(
  route: Omit<Route, 'access' | 'params' | 'body' | 'query' | 'handle' | 'present'> & {
    access: A;
    params?: Params;
    body?: Body;
    query?: Query;
    handle(
      context: A extends { kind: 'public' } ? RequestContext : AuthorizedContext,
      input: {
        params: Static<Params>;
        body: Static<Body>;
        query: Static<Query>;
        rawBody: Buffer;
        page: PageRequest;
      },
    ): Promise<Answer<Result> | ListPage<Result>>;
    present?(data: Result): Promise<unknown>;
  },
): Route {
  // The one place where the schema-given types meet the untyped request; serve-routes checks before it calls.
  return route as unknown as Route;
}
