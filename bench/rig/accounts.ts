import { randomBytes } from 'node:crypto';
import { ask } from './api.ts';
import type { Target } from './load-plan.ts';

/** A user with an organization of their own and an API token for it. */
export interface Account {
  email: string;
  password: string;
  userId: string;
  organizationId: string;
  token: string;
}

/** Registers as many, by the API. */
export async function registerAccounts(target: Target, count: number): Promise<Account[]> {
  return Promise.all(Array.from({ length: count }, (_, number) => registerAccount(target, number)));
}

async function registerAccount(target: Target, number: number): Promise<Account> {
  const credentials = { email: `bench-${number}@example.com`, password: randomBytes(12).toString('base64url') };
  const registered = await ask(target, 'POST', '/v1/auth/register', undefined, {
    ...credentials,
    name: `Bench ${number}`,
  });
  const login: { data: { access_token: string } } = JSON.parse(registered.body);
  const accessToken = login.data.access_token;
  const created = await ask(target, 'POST', '/v1/api-tokens', accessToken, {
    name: 'Bench',
    scopes: ['read:licenses', 'manage:licenses', 'read:profile'],
  });
  const token: { data: { token: string } } = JSON.parse(created.body);
  const answered = await ask(target, 'GET', '/v1/me', accessToken);
  const me: { data: { id: string; organization: { id: string } } } = JSON.parse(answered.body);
  return { ...credentials, userId: me.data.id, organizationId: me.data.organization.id, token: token.data.token };
}
