import type { Operations } from './generated/api-types.ts';
import type { List } from './pages.ts';

/** The name of an operation in openapi.json. */
export type OperationId = keyof Operations;

/** What the client needs to know about an operation at run time; the types have the rest, by its ID. */
export interface OperationRow {
  readonly id: OperationId;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its parameters in braces. */
  readonly path: string;
  /** Whether it needs a token, and so gets one. */
  readonly token?: true;
  /** Whether it supports an Idempotency-Key. */
  readonly keyed?: true;
  readonly body?: true;
  readonly query?: true;
  /** The body of a success: the envelope, a page of a list, JSON of another shape, bytes, or nothing. */
  readonly answer: 'data' | 'list' | 'json' | 'bytes' | 'nothing';
}

/** The arguments of an operation, after type checking. */
export interface Input {
  params?: Readonly<Record<string, unknown>> | undefined;
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
}

/** The methods of one resource by their names. */
export type ResourceRows = Readonly<Record<string, OperationRow>>;

/** Creates methods from rows. */
export type CreateResource = <Rows extends ResourceRows>(rows: Rows) => Resource<Rows>;

/** A resource: a method for each row, which takes the path's parameters, the body, the query and options, in that order. */
export type Resource<Rows extends ResourceRows> = {
  readonly [Name in keyof Rows]: Method<Operations[Rows[Name]['id']]>;
};

type Method<Operation extends Operations[OperationId]> = (
  ...values: [
    ...PathArguments<Operation['path']>,
    ...BodyArgument<Operation>,
    ...QueryArgument<Operation>,
    options?: CallOptions,
  ]
) => ResultOf<Operation>;

type PathArguments<Path extends string> = Path extends `${string}{${string}}${infer Rest}`
  ? [id: string, ...PathArguments<Rest>]
  : [];

type BodyArgument<Operation> = Operation extends { body: infer Body }
  ? Partial<Body> extends Body
    ? [body?: Body]
    : [body: Body]
  : [];

type QueryArgument<Operation> = Operation extends { query: infer Query }
  ? Partial<Query> extends Query
    ? [query?: Query]
    : [query: Query]
  : [];

/** The result of a call: a list if it has pages, otherwise a promise of `data`. */
export type ResultOf<Operation> = Operation extends { isList: true; data: ReadonlyArray<infer Item> }
  ? List<Item>
  : Operation extends { data: infer Data }
    ? Call<Data>
    : never;

/** A promise of `data` that can also give the whole response. */
export type Call<Data> = Promise<Data> & {
  /** The same call, not another one: `data` with the status, the headers and the request id of its answer. */
  withResponse(): Promise<ApiResponse<Data>>;
};

/** A successful answer. */
export interface ApiResponse<Data> {
  data: Data;
  status: number;
  /** Finds the request in the operator's log. */
  requestId: string | undefined;
  /** Whether the answer is that of an earlier request with the same Idempotency-Key. */
  isReplayed: boolean;
  headers: ResponseHeaders;
}

/** The headers of an answer; names in any case. */
export interface ResponseHeaders {
  get(name: string): string | null;
}

/** Options of a single call. */
export interface CallOptions {
  /**
   * 1 to 255 printable ASCII characters. With the same key and the same request, the service executes a POST or PATCH
   * once within 24 hours and repeats the first response. By default, the client creates a key per call, which covers
   * the retries of that call.
   */
  idempotencyKey?: string | undefined;
  /** Ends the call, its waits and its retries; the call rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds that one attempt may take, including its response body. */
  timeoutMs?: number | undefined;
  /** Attempts after the first. */
  maxRetries?: number | undefined;
  /** The organization that this call acts in. */
  organizationId?: string | undefined;
}

/** The methods of HTTP that the API uses. */
export type HttpMethod = Operations[OperationId]['method'];

/** The paths that have an operation with this method. */
export type PathOf<Method extends HttpMethod> = Extract<Operations[OperationId], { method: Method }>['path'];

/** The operation at a method and a path. */
export type OperationAt<Method extends HttpMethod, Path extends string> = Extract<
  Operations[OperationId],
  { method: Method; path: Path }
>;

/** The arguments of `request` besides method and path. */
export type RequestArguments<Operation> =
  Partial<InputOf<Operation>> extends InputOf<Operation>
    ? [input?: InputOf<Operation> & CallOptions]
    : [input: InputOf<Operation> & CallOptions];

/** The operation's `params`, `query` and `body`; optional parts may be omitted. */
type InputOf<Operation> = {
  [Name in InputName<Operation> as Partial<Operation[Name]> extends Operation[Name] ? never : Name]: Operation[Name];
} & {
  [Name in InputName<Operation> as Partial<Operation[Name]> extends Operation[Name] ? Name : never]?: Operation[Name];
};

type InputName<Operation> = keyof Operation & ('params' | 'query' | 'body');
