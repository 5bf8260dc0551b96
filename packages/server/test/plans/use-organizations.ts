import type { Member, TestApp } from '../harness/index.ts';
import { inviteToOrganization } from '../harness/join-organization.ts';
import type { StatementRecorder } from './record-statements.ts';

/** Asks for every list of an organization, sorted and filtered in every way, and changes what there is to change. */
export async function useOrganizations(test: TestApp, recorder: StatementRecorder, admin: Member): Promise<void> {
  const path = `/v1/orgs/${admin.organizationId}`;
  for (const list of listsOf(path)) {
    const first = await call('GET', list);
    const cursor = first.body.pagination.next_cursor;
    if (cursor !== null) {
      await call('GET', `${list}&cursor=${cursor}`);
    }
  }
  const guest = await test.register('Guest');
  const token = await recorder.during('an invitation', () => inviteToOrganization(test, admin, 'member', guest.email));
  await call('POST', '/v1/invitations/accept', { token }, guest);
  await call('PATCH', `${path}/members/${guest.userId}`, { role: 'admin' });
  await call('PATCH', `${path}/members/${guest.userId}`, { role: 'member' });
  await call('DELETE', `${path}/members/${guest.userId}`);
  const { id } = (await call('POST', `${path}/invitations`, { email: 'a@example.com', role: 'member' })).body.data;
  await call('DELETE', `${path}/invitations/${id}`);
  const other = (await call('POST', '/v1/orgs', { name: 'Another' })).body.data;
  await call('GET', `/v1/orgs/${other.id}`);
  await call('PATCH', `/v1/orgs/${other.id}`, { slug: 'another' });
  await call('DELETE', `/v1/orgs/${other.id}`, { confirm: 'Another' });

  async function call(method: string, at: string, body?: unknown, by = admin) {
    const answer = await recorder.during(`${method} ${at}`, () =>
      test.api.call(method, at, { token: by.accessToken, body }),
    );
    if (answer.status >= 300) {
      throw new Error(`${method} ${at} was answered ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer;
  }
}

function listsOf(path: string): string[] {
  const times = ['created_after=2020-01-01T00:00:00Z', 'created_before=2036-01-01T00:00:00Z'];
  const roles = ['role=admin', 'role=member'];
  const statuses = ['pending', 'accepted', 'expired', 'revoked'].map((status) => `status=${status}`);
  const targets = ['action=member.removed', `actor_user_id=usr_${'0'.repeat(26)}`, `target_id=usr_${'0'.repeat(26)}`];
  return [
    ...combine('/v1/orgs', ['created_at', 'name'], [...times, ...roles]),
    ...combine(`${path}/members`, ['created_at', 'name'], [...times, ...roles]),
    ...combine(`${path}/invitations`, ['created_at', 'email'], [...times, ...roles, ...statuses]),
    ...combine('/v1/audit-log', ['created_at'], [...times, ...targets]),
  ];
}

function combine(path: string, sorts: readonly string[], filters: readonly string[]): string[] {
  return sorts.flatMap((sort) =>
    ['', '-'].flatMap((direction) =>
      ['', ...filters].map((filter) => `${path}?limit=2&sort=${direction}${sort}${filter === '' ? '' : `&${filter}`}`),
    ),
  );
}
