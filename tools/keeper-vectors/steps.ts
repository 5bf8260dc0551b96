import { EPOCH_MS, FEATURES, HARDWARE_ID, LICENSE_KEY, SESSION } from './tokens.ts';

/** One line of a script. */
export type Step = Readonly<Record<string, unknown>> & { readonly at: number };
type Body = Readonly<Record<string, unknown>>;

const IN_A_DAY = iso(86_400_000);

/** The time that is so many milliseconds after the start, as the API writes it. */
export function iso(milliseconds: number): string {
  return new Date(EPOCH_MS + milliseconds).toISOString();
}

export const OK = (data: Body, status = 200) => ({ answer: { status, data } });
export const REFUSED = (status: number, code: string, more: { details?: Body; headers?: Body } = {}) => ({
  answer: {
    status,
    error: { code, message: `It is ${code}.`, details: more.details ?? {} },
    ...headersOf(more.headers),
  },
});
export const RAW = (status: number, raw: string, headers?: Body) => ({
  answer: { status, raw, ...headersOf(headers) },
});
export const CUT = { fail: 'connection_failed' };
export const SILENCE = { fail: 'timed_out' };

function headersOf(headers: Body | undefined): Body {
  return headers === undefined ? {} : { headers };
}

/** What an acquire answers. */
export const SEAT = (token = '@token.valid', more: Body = {}): Body => ({
  session_id: SESSION,
  license_token: token,
  expires_at: IN_A_DAY,
  heartbeat_interval: 60,
  features: FEATURES,
  ...more,
});
export const KEPT = (more: Body = {}, session = SESSION): Body => ({
  session_id: session,
  status: 'active',
  next_heartbeat_due: IN_A_DAY,
  ...more,
});
export const PLACE = (position: number, more: Body = {}): Body => ({
  wait_id: 'wait_01kagt2m8xf3q9wz5r7e6b4c1h',
  position,
  expires_at: iso(600_000),
  poll_after_seconds: Math.min(position, 10),
  ...more,
});
export const GRANTED = (token = '@token.valid', more: Body = {}) => ({
  wait_id: PLACE(1).wait_id,
  status: 'granted',
  ...SEAT(token, more),
});

function request(at: number, method: string, path: string, more: Body = {}): Step {
  return { at, request: { method, path, ...more } };
}

const TOKEN = { token: 'token-1' };

export const acquire = (at: number, reply: Body = {}, body: Body = {}, token: Body = TOKEN): Step => ({
  ...request(at, 'POST', '/v1/licenses/acquire', {
    ...token,
    body: { license_key: LICENSE_KEY, hardware_id: HARDWARE_ID, ...body },
  }),
  ...reply,
});
export const activate = (at: number, reply: Body = {}): Step => ({
  ...request(at, 'POST', '/v1/licenses/activate', {
    token: null,
    body: { license_key: LICENSE_KEY, hardware_id: HARDWARE_ID },
  }),
  ...reply,
});
export const heartbeat = (at: number, reply: Body = {}, session = SESSION, token: Body = TOKEN): Step => ({
  ...request(at, 'POST', '/v1/licenses/heartbeat', { ...token, body: { session_id: session } }),
  ...reply,
});
export const release = (at: number, reply: Body = {}, session = SESSION): Step => ({
  ...request(at, 'POST', '/v1/licenses/release', { ...TOKEN, body: { session_id: session } }),
  ...reply,
});
export const poll = (at: number, reply: Body = {}, timeout = 25): Step => ({
  ...request(at, 'GET', `/v1/licenses/waits/${PLACE(1).wait_id}?timeout=${timeout}`, TOKEN),
  ...reply,
});
export const leave = (at: number, reply: Body = {}): Step => ({
  ...request(at, 'DELETE', `/v1/licenses/waits/${PLACE(1).wait_id}`, TOKEN),
  ...reply,
});
export const keys = (at: number, reply: Body = RAW(200, '@keys.first')): Step => ({
  ...request(at, 'GET', '/.well-known/jwks.json', { token: null }),
  ...reply,
});
export const list = (at: number, reply: Body = RAW(200, '@list.empty')): Step => ({
  ...request(at, 'GET', '/.well-known/license-revocations.jwt', { token: null }),
  ...reply,
});

export const granted = (at: number, reason: string, more: Body = {}): Step => ({
  at,
  event: { type: 'granted', reason, session_id: SESSION, expires_at: IN_A_DAY, features: FEATURES, ...more },
});
export const waiting = (at: number, position: number, expires_at = iso(600_000)): Step => ({
  at,
  event: { type: 'waiting', position, expires_at },
});
export const offline = (at: number, reason: string, expires_at = IN_A_DAY): Step => ({
  at,
  event: { type: 'offline', reason, expires_at },
});
export const lost = (at: number, reason: string, final: boolean): Step => ({
  at,
  event: { type: 'lost', reason, final },
});
export const result = (at: number, outcome: string): Step => ({ at, result: outcome });
export const call = (at: number, name: string, more: Body = {}): Step => ({ at, call: name, ...more });
export const ended = (at: number): Step => ({ at, ended: true });
export const until = (at: number, state: string): Step => ({ at, until: true, state });

/** The first steps of most scripts: a seat is granted at the start. */
export function start(data: Body = SEAT(), event: Body = {}, body: Body = {}): Step[] {
  return [acquire(0, OK(data, 201), body), keys(0), granted(0, 'acquired', event), result(0, 'granted'), list(0)];
}
