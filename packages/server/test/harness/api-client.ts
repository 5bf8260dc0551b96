import { randomBytes } from 'node:crypto';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { Route } from '../../src/http/index.ts';
import { SecretWatch } from './secret-watch.ts';

/** A response, with its whole body. */
export interface ApiAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields it expects, and fails if they are missing.
  body: any;
}

/** A person in an organization, with a session token. */
export interface Member {
  userId: string;
  organizationId: string;
  email: string;
  password: string;
  accessToken: string;
  refreshToken: string;
}

export interface CallOptions {
  token?: string | undefined;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** Calls an app and checks that every response is what its route promises: envelope, schema, headers. */
export class ApiClient {
  readonly baseUrl: string;
  readonly secrets: SecretWatch;
  readonly #routes: ReadonlyArray<{ method: string; pattern: RegExp; route: Route }>;

  constructor(baseUrl: string, routes: readonly Route[], secrets = new SecretWatch()) {
    this.baseUrl = baseUrl;
    this.secrets = secrets;
    this.#routes = routes.map((route) => ({
      method: route.method,
      // Fixed segments win over parameters, as in the router.
      pattern: new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      route,
    }));
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<ApiAnswer> {
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: {
        ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body === undefined
        ? {}
        : { body: typeof options.body === 'string' ? options.body : JSON.stringify(options.body) }),
    });
    const text = await readText(response);
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    const answer = { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    this.#check(method, path, answer);
    if (response.ok) {
      this.secrets.noteBody(options.body);
      this.secrets.noteBody(answer.body);
    }
    return answer;
  }

  get(path: string, token?: string, headers?: Record<string, string>): Promise<ApiAnswer> {
    return this.call('GET', path, { token, ...(headers === undefined ? {} : { headers }) });
  }

  post(path: string, token: string | undefined, body: unknown, headers?: Record<string, string>): Promise<ApiAnswer> {
    return this.call('POST', path, { token, body, ...(headers === undefined ? {} : { headers }) });
  }

  async register(name = 'Ada Test'): Promise<Member> {
    const email = `${randomBytes(8).toString('hex')}@example.com`;
    const password = randomBytes(12).toString('base64url');
    const registered = await this.post('/v1/auth/register', undefined, { email, password, name });
    const { access_token: accessToken, refresh_token: refreshToken, user } = registered.body.data;
    const me = await this.get('/v1/me', accessToken);
    return {
      userId: user.id,
      organizationId: me.body.data.organization.id,
      email,
      password,
      accessToken,
      refreshToken,
    };
  }

  #check(method: string, path: string, answer: ApiAnswer): void {
    const complain = (what: string) => {
      throw new Error(`${method} ${path} answered ${answer.status} ${JSON.stringify(answer.body)}: ${what}`);
    };
    const missing = EVERY_ANSWER.find((header) => answer.headers.get(header) === null);
    if (missing !== undefined) {
      complain(`the header ${missing} is missing`);
    }
    const [pathname = ''] = path.split('?');
    const matches = this.#routes.filter((each) => each.method === method && each.pattern.test(pathname));
    const match = matches.find((each) => !each.route.path.includes('{')) ?? matches[0];
    if (answer.status >= 400) {
      if (typeof answer.body?.error?.code !== 'string' || !/^req_/.test(answer.body?.meta?.request_id ?? '')) {
        complain('it is not the error envelope');
      }
      return;
    }
    const promised = promisedBody(match?.route, answer.status);
    if (promised !== undefined) {
      const validator = validatorOf(promised);
      const items = match?.route.list === undefined ? [answer.body?.data] : answer.body?.data;
      const wrong = items.find((item: unknown) => !validator.Check(item));
      if (wrong !== undefined) {
        complain(`the schema says otherwise: ${JSON.stringify(validator.Errors(wrong)[0])}`);
      }
    }
  }
}

/** The body. Of a stream, which does not end by itself, only the first chunk. */
async function readText(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') {
    return response.text();
  }
  const reader = response.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return Buffer.from(first?.value ?? []).toString();
}

/** Compiled when the first response is checked, once for all apps of a process. */
const validators = new WeakMap<TSchema, Validator>();

/** The schema of a response. A request that is only accepted (202) has its own. */
function promisedBody(route: Route | undefined, status: number): TSchema | undefined {
  if (route === undefined || route.raw !== undefined || status === 204) {
    return undefined;
  }
  return status === 202 && route.accepted !== undefined ? route.accepted.response : route.response;
}

function validatorOf(schema: TSchema): Validator {
  const validator = validators.get(schema) ?? Compile(schema);
  validators.set(schema, validator);
  return validator;
}

const EVERY_ANSWER = [
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'strict-transport-security',
  'x-content-type-options',
  'cache-control',
];
