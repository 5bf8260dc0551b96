import type { Operations } from './generated/api-types.ts';
import type { List } from './pages.ts';

/** The name of an operation in openapi.json. */
export type OperationId = keyof Operations;

/** What the client has to know of an operation when it runs; the types know the rest by its id. */
export interface OperationRow {
  readonly id: OperationId;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its parameters in braces. */
  readonly path: string;
  /** Whether it needs a token, and so gets one. */
  readonly token?: true;
  /** Whether it heeds an Idempotency-Key. */
  readonly keyed?: true;
  readonly body?: true;
  readonly query?: true;
  /** What the body of a success is: the envelope, a page of a list, JSON of another shape, bytes, or nothing. */
  readonly answer: 'data' | 'list' | 'json' | 'bytes' | 'nothing';
}

/** What an operation is called with, once the types have been held against it. */
export interface Input {
  params?: Readonly<Record<string, unknown>> | undefined;
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
}

/** The methods of one resource by their names. */
export type ResourceRows = Readonly<Record<string, OperationRow>>;

/** Makes methods of rows. */
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

/** What a call returns: a list for what has pages, else a promise of `data`. */
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

/** What one call can do differently from the others of its client. */
export interface CallOptions {
  /**
   * 1 to 255 printable ASCII characters. With the same key and the same request, the service does a POST or PATCH once
   * within 24 hours and gives the first answer again. By default the client makes a key for each call, which serves the
   * retries of that call.
   */
  idempotencyKey?: string | undefined;
  /** Ends the call, its waits and its retries; the call rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds that one attempt may take, its answer's body included. */
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

/** What `request` takes beside method and path. */
export type RequestArguments<Operation> =
  Partial<InputOf<Operation>> extends InputOf<Operation>
    ? [input?: InputOf<Operation> & CallOptions]
    : [input: InputOf<Operation> & CallOptions];

/** The operation's `params`, `query` and `body`; what may be empty may be left out. */
type InputOf<Operation> = {
  [Name in InputName<Operation> as Partial<Operation[Name]> extends Operation[Name] ? never : Name]: Operation[Name];
} & {
  [Name in InputName<Operation> as Partial<Operation[Name]> extends Operation[Name] ? Name : never]?: Operation[Name];
};

type InputName<Operation> = keyof Operation & ('params' | 'query' | 'body');
