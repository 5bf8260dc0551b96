import { randomBytes } from 'node:crypto';
import type { LoadPlan } from '../rig/load-plan.ts';

/** What one connection says next, and what it makes of the answers. */
export interface Talk {
  next(): string;
  /** The status of every answer, where it is no success. */
  readonly status?: number;
  /** Takes an answer's body; true when that completes one of what is counted. */
  take(body: string): boolean;
}

export function isExpected({ status: expected }: Talk, status: number): boolean {
  return expected === undefined ? status < 300 : status === expected;
}

/** How the connections of a plan talk: called once for each. */
export function prepareTalks(plan: LoadPlan): () => Talk {
  switch (plan.kind) {
    case 'heartbeats':
      return roundRobin(
        plan.sessions.map(
          ({ sessionId, token }) =>
            () =>
              post('heartbeat', token, { session_id: sessionId }),
        ),
      );
    case 'me':
      return roundRobin(plan.tokens.map((token) => () => `GET /v1/me HTTP/1.1\r\n${headers(token)}\r\n`));
    case 'gets':
      return roundRobin(
        plan.tokens.map((token) => () => `GET ${plan.path} HTTP/1.1\r\n${token === null ? HOST : headers(token)}\r\n`),
      );
    case 'logins':
      return roundRobin(plan.accounts.map((account) => () => logIn(account)));
    case 'refusals':
      return () => askInVain(plan);
    case 'seats':
      return () => takeAndRelease(plan.licenses);
  }
}

/** All connections share one turn, so that every request is another one's. */
function roundRobin(requests: ReadonlyArray<() => string>): () => Talk {
  let turn = 0;
  const next = () => {
    turn = (turn + 1) % requests.length;
    return requests[turn]?.() ?? '';
  };
  return () => ({ next, take: () => true });
}

function askInVain({ key, token, machines }: { key: string; token: string; machines: number }): Talk {
  return {
    status: 409,
    next: () =>
      post('acquire', token, {
        license_key: key,
        hardware_id: `hw_${String(Math.floor(Math.random() * machines)).padStart(32, '0')}`,
      }),
    take: () => true,
  };
}

function takeAndRelease(licenses: ReadonlyArray<{ key: string; token: string }>): Talk {
  const machine = randomBytes(8).toString('hex');
  let count = 0;
  let token = '';
  let sessionId: string | undefined;
  return {
    next() {
      if (sessionId !== undefined) {
        return post('release', token, { session_id: sessionId });
      }
      const license = licenses[Math.floor(Math.random() * licenses.length)] ?? { key: '', token: '' };
      token = license.token;
      count += 1;
      return post('acquire', token, {
        license_key: license.key,
        hardware_id: `hw_${machine}${String(count).padStart(16, '0')}`,
      });
    },
    take(body) {
      const wasRelease = sessionId !== undefined;
      sessionId = wasRelease ? undefined : (/"session_id":"([^"]+)"/.exec(body)?.[1] ?? '');
      return wasRelease;
    },
  };
}

function post(verb: string, token: string, content: object): string {
  const body = JSON.stringify(content);
  return `POST /v1/licenses/${verb} HTTP/1.1\r\n${headers(token)}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

function logIn(account: { email: string; password: string }): string {
  const body = JSON.stringify(account);
  return `POST /v1/auth/login HTTP/1.1\r\n${HOST}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

function headers(token: string): string {
  return `${HOST}authorization: Bearer ${token}\r\n`;
}

const HOST = 'host: localhost\r\n';
