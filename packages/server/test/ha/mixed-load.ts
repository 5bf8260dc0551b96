import { randomBytes } from 'node:crypto';
import type { Answer, Call, LoadClient } from './clients.ts';

/** The responses that a load has seen. */
export class Tally {
  answered = 0;
  /** 503 with Retry-After, which tells the client what to do. */
  refused = 0;
  readonly failures: string[] = [];
  readonly #statuses = new Map<number, number>();

  /** Sends a request and records the outcome. Undefined unless the response has one of the expected statuses. */
  async call(client: LoadClient, call: Call, expected: readonly number[]): Promise<Answer | undefined> {
    const answer = await client.call(call).catch((error: unknown) => String(error));
    if (typeof answer === 'string') {
      this.failures.push(`${call.method} ${call.path}: ${answer}`);
      return undefined;
    }
    this.answered += 1;
    this.#statuses.set(answer.status, (this.#statuses.get(answer.status) ?? 0) + 1);
    if (expected.includes(answer.status)) {
      return answer;
    }
    if (answer.status === 503 && answer.retryAfter !== undefined) {
      this.refused += 1;
    } else {
      this.failures.push(`${call.method} ${call.path}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`);
    }
    return undefined;
  }

  /** `200: 120, 201: 14`. */
  get statuses(): string {
    return [...this.#statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ');
  }
}

/** A user who signed up, with their organization. */
export interface Member {
  token: string;
  email: string;
  organizationId: string;
}

/** Signs up a user. Throws if that fails. */
export async function signUp(client: LoadClient): Promise<Member> {
  const email = `load-${randomBytes(8).toString('hex')}@example.com`;
  const body = { email, password: 'a long enough password', name: 'Load' };
  const registered = await client.call({ method: 'POST', path: '/v1/auth/register', body });
  const token = registered.body?.data?.access_token;
  const me = await client.call({ method: 'GET', path: '/v1/me', token });
  if (registered.status !== 201 || me.status !== 200) {
    throw new Error(`nobody can sign up: ${JSON.stringify([registered, me])}`);
  }
  return { token, email, organizationId: me.body.data.organization.id };
}

/** Does once what a program with a seat does: acquires a seat, keeps it, looks around, releases it. */
export async function useSeat(client: LoadClient, tally: Tally, { token }: Member, licenseKey: string): Promise<void> {
  const hardwareId = `hw_${randomBytes(16).toString('hex')}`;
  const acquire = { license_key: licenseKey, hardware_id: hardwareId };
  const taken = await tally.call(client, { method: 'POST', path: '/v1/licenses/acquire', token, body: acquire }, [201]);
  await tally.call(client, { method: 'GET', path: '/v1/me', token }, [200]);
  const sessionId = taken?.body.data.session_id;
  if (sessionId !== undefined) {
    const body = { session_id: sessionId };
    for (let beat = 0; beat < 6; beat += 1) {
      await tally.call(client, { method: 'POST', path: '/v1/licenses/heartbeat', token, body }, [200]);
    }
    await tally.call(client, { method: 'GET', path: '/v1/licenses', token }, [200]);
    await tally.call(client, { method: 'POST', path: '/v1/licenses/release', token, body }, [200]);
  }
}

/**
 * Does once what a customer does in the sandbox: buys, changes, may not leave with a live subscription, cancels,
 * leaves.
 */
export async function actAsCustomer(client: LoadClient, tally: Tally): Promise<void> {
  const member = await signUp(client).catch((error: unknown) => void tally.failures.push(`sign up: ${String(error)}`));
  if (member === undefined) {
    return;
  }
  const { token, organizationId } = member;
  const plans = await tally.call(client, { method: 'GET', path: '/v1/plans' }, [200]);
  const plan = plans?.body.data.find(({ name }: { name: string }) => name === 'Pro');
  const order = { plan_id: plan?.id, quantity: 3, payment_method_id: 'pm_card_visa' };
  const bought = await tally.call(client, { method: 'POST', path: '/v1/subscriptions', token, body: order }, [201]);
  if (bought === undefined) {
    return;
  }
  const path = `/v1/subscriptions/${bought.body.data.id}`;
  await tally.call(client, { method: 'PATCH', path, token, body: { quantity: 5 } }, [200]);
  await tally.call(
    client,
    { method: 'POST', path: '/v1/sandbox/clock/advance', token, body: { seconds: 3_000_000 } },
    [200],
  );
  await tally.call(client, { method: 'GET', path: '/v1/invoices', token }, [200]);
  const name = await tally.call(client, { method: 'GET', path: `/v1/orgs/${organizationId}`, token }, [200]);
  const leave = { confirm: name?.body.data.name };
  await tally.call(client, { method: 'DELETE', path: `/v1/orgs/${organizationId}`, token, body: leave }, [409]);
  await tally.call(
    client,
    { method: 'POST', path: `${path}/cancel`, token, body: { cancel_immediately: true } },
    [200],
  );
  await tally.call(client, { method: 'DELETE', path: `/v1/orgs/${organizationId}`, token, body: leave }, [200, 204]);
}
