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

/** The same where the route asks for a token. */
export interface AuthorizedContext extends RequestContext {
  principal: Principal;
  /** Aborts when the client has gone away: nobody waits for the answer any more. */
  whenGone(): AbortSignal;
  /** Where the route checks the token itself. */
  token?: UncheckedToken;
  /** Where the answer stays open: throws the refusal if the request would not be let in any more. */
  confirm?(): Promise<void>;
  /** Where the route opens its transactions itself; see `runPhase`. */
  once?<Next extends { kind: string }>(phase: Phase<Next>): Promise<Answered | Next>;
}

/** What a use case answers: the payload of `data` and, where it is not the route's own, the status. */
export interface Answer<Data> {
  status?: number;
  data: Data;
  headers?: Readonly<Record<string, string>>;
  /** Where requests are counted under what they are about: it had ended before this one. */
  isAboutEnded?: boolean;
}

/** A refusal whose transaction still commits, for example to count a wrong code. It is thrown after the commit. */
export interface Refusal {
  refusal: ApiError;
}

/** What a use case does in a transaction. It may run again, so it has no side effects besides its statements. */
export type Effect = (tx: Queries) => Promise<Answer<unknown> | Refusal>;

/** The same for a use case of several transactions: it answers, or says how to continue. */
export type Phase<Next extends { kind: string } = never> = (tx: Queries) => Promise<Answered | Next>;

/** The use case has ended. */
export interface Answered {
  kind: 'answered';
  answer: Answer<unknown>;
}

/** One endpoint, whole: what the server does with it and what the API reference says of it. */
export interface Route {
  method: Method;
  /** With parameters in braces, for example /v1/licenses/{license_id}. */
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  /** A limit of the endpoint's own besides the tier's (service.md "Endpoint-specific limits"). */
  limit?: EndpointLimit;
  /** What that limit is at least for a user, for example because of the seats that the organization has. */
  limitAtLeast?(principal: Principal): number | Promise<number>;
  /** Counts the requests under what they are about instead of their user. */
  countedResource?: CountedResource;
  /** Scripts of every site may read the answer: it is public, or it is only what the script's own token may see. */
  isForAnyOrigin?: boolean;
  /** A public route that counts a request with a good token under its owner, not under the client's address. */
  countsOwner?: boolean;
  /** Counted and reported but never refused: probes must reach the service. */
  neverRefused?: boolean;
  /** The use case checks the token in its own statement, through `context.token`; see UncheckedToken. */
  checksToken?: boolean;
  /** The answer continues until its client leaves, so the use case asks from time to time whether it still may. */
  staysOpen?: boolean;
  /** It waits for more than the database, for example for the payment provider, and ends that wait itself. */
  hasOwnBound?: boolean;
  /**
   * The use case does something outside the transaction of its effect, and runs the effect by `runEffect`: a password is
   * hashed before a connection is held, and a wrong one counts although the request is refused.
   */
  opensTransaction?: boolean;
  /** The path parameter that names the organization which the request acts in, instead of X-Organization-Id. */
  organizationParam?: string;
  /** Where the service sends events from then on, as an OpenAPI runtime expression. The API reference describes them. */
  callbackUrl?: string;
  /** Left out of the API reference. */
  isInternal?: boolean;
  /** The account that a try at a password is counted under as well, by the token or by the body before it is checked. */
  countedAccount?(rawBody: Buffer | undefined, principal: Principal | undefined): string | undefined;
  params?: TObject;
  body?: TSchema;
  /** The use case gets the body as its bytes, which a signature covers, and reads it itself; `body` is not given then. */
  takesRawBody?: boolean;
  /** The bytes may be YAML, too. `body` is then what the API reference says of them, and is not checked. */
  takesYaml?: boolean;
  /** Query parameters of a route that is no list: texts and integers. */
  query?: TObject;
  list?: ListDefinition;
  /** The status of success, and the schema of `data` (of its items where `list` is given). */
  status: number;
  /** Further statuses of success with the same payload, for example 200 where 201 is the rule. */
  alsoStatus?: number;
  /** What 202 answers, where the request can be accepted without being done yet. */
  accepted?: { response: TSchema; example: unknown };
  response?: TSchema;
  /** Codes of the room's own that the route can answer, and shared ones worth naming. */
  errors: Readonly<Record<string, ErrorDefinition>>;
  /** An example body and data for the API reference. */
  example?: { body?: unknown; data?: unknown };
  /** The use case, with everything it reads already checked. */
  handle(context: AuthorizedContext, input: RouteInput): Promise<Answer<unknown> | ListPage<unknown>>;
  /** Turns the committed result into what is sent, for example by signing; runs again when a kept answer is replayed. */
  present?(data: unknown): Promise<unknown>;
  /** A raw answer without envelope (PDF, keys): the content type. Without data it has no body, as a 304 has none. */
  raw?: string;
  /** Further content types that a raw answer can have. */
  alsoRaw?: readonly string[];
}

export interface RouteInput {
  params: Readonly<Record<string, string>>;
  body: unknown;
  query: unknown;
  /** Empty but where the route takes it. */
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
