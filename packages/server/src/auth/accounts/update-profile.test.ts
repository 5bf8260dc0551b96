import { describe, expect } from 'vitest';
import { createApiToken } from '../../../test/harness/create-api-token.ts';
import { it } from '../../../test/harness/fixtures.ts';
import type { TestApp } from '../../../test/harness/index.ts';
import { execute, type Member } from '../../../test/harness/index.ts';

const NEW_PASSWORD = 'a loom that weaves algebra';
const SILHOUETTE = 'https://api.test/avatar.svg';

const patch = (app: TestApp, member: Member | undefined, body: unknown, headers: Record<string, string> = {}) =>
  app.api.call('PATCH', '/v1/me', { token: member?.accessToken, body, headers });

const auditOf = (app: TestApp, member: Member) =>
  execute<{ action: string; before: unknown; after: unknown; actor_user_id: string; credential_id: string }>(
    app.database,
    `select action, before, after, actor_user_id, credential_id from audit_entries
      where organization_id = $1 and action ~ '^(profile|password)' order by id`,
    [member.organizationId],
  );

describe('PATCH /v1/me', () => {
  it('200: the next request shows the new name and picture, on another process too', async ({ app, second, ada }) => {
    const avatar = 'https://pictures.example.com/ada.png?size=2';
    const answer = await patch(app, ada, { name: '  Augusta Ada ', avatar_url: avatar });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ id: ada.userId, name: 'Augusta Ada', avatar_url: avatar });
    expect((await second.api.get('/v1/me', ada.accessToken)).body.data).toEqual(answer.body.data);
    const copies = await execute(app.database, 'select user_name from memberships where user_id = $1', [ada.userId]);
    expect(copies).toEqual([{ user_name: 'Augusta Ada' }]);
  });

  it('keeps omitted fields, and removes the picture if it is null', async ({ app }) => {
    const ada = await app.register('Ada');
    await patch(app, ada, { avatar_url: 'https://pictures.example.com/ada.png' });
    expect((await patch(app, ada, { name: 'Eda' })).body.data.avatar_url).toBe('https://pictures.example.com/ada.png');
    const removed = await patch(app, ada, { avatar_url: null });
    expect(removed.body.data).toMatchObject({ name: 'Eda', avatar_url: SILHOUETTE });
    const sentBack = await patch(app, ada, { name: 'Ada', avatar_url: SILHOUETTE });
    expect(sentBack.body.data.avatar_url).toBe(SILHOUETTE);
    const kept = await execute(app.database, 'select avatar_url from users where id = $1', [ada.userId]);
    expect(kept).toEqual([{ avatar_url: null }]);
  });

  it('records the old and new values of each change in the audit log once', async ({ app }) => {
    const ada = await app.register('Ada');
    await patch(app, ada, { name: 'Eda' });
    await patch(app, ada, { name: 'Eda' });
    await patch(app, ada, { password: NEW_PASSWORD, current_password: ada.password });
    const entries = await auditOf(app, ada);
    expect(entries.map((entry) => entry.action)).toEqual(['profile.updated', 'password.changed']);
    expect(entries[0]).toMatchObject({
      actor_user_id: ada.userId,
      before: { name: 'Ada', avatar_url: SILHOUETTE },
      after: { name: 'Eda', avatar_url: SILHOUETTE },
    });
    expect(entries[1]).toMatchObject({ before: null, after: null });
    expect(entries[1]?.credential_id).toMatch(/^login_/);
  });

  it.for([
    [{ name: '' }, 'name', 'length'],
    [{ name: 'a\u0000b' }, 'name', 'format'],
    [{ name: null }, 'name', 'type'],
    [{ email: 'new@example.com' }, 'email', 'unknown'],
    [{ avatar_url: 'http://pictures.example.com/a.png' }, 'avatar_url', 'format'],
    [{ avatar_url: 'javascript:alert(1)' }, 'avatar_url', 'format'],
    [{ avatar_url: 'https://' }, 'avatar_url', 'format'],
    [{ avatar_url: 'https://ada:secret@pictures.example.com/' }, 'avatar_url', 'format'],
    [{ avatar_url: 7 }, 'avatar_url', 'type'],
    [{ password: NEW_PASSWORD }, 'current_password', 'required'],
    [{ current_password: NEW_PASSWORD }, 'password', 'required'],
    [{ password: 'short', current_password: 'whatever' }, 'password', 'length'],
  ] as const)('400: %j', async ([body, field, reason], { app }) => {
    const answer = await patch(app, await app.register(), body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', details: { field, reason } });
  });

  it('400: a picture whose address is longer than 2048 characters', async ({ app }) => {
    const base = 'https://pictures.example.com/';
    const ada = await app.register();
    expect((await patch(app, ada, { avatar_url: base.padEnd(2048, 'a') })).status).toBe(200);
    const answer = await patch(app, ada, { avatar_url: base.padEnd(2049, 'a') });
    expect(answer.body.error.details).toEqual({ field: 'avatar_url', reason: 'length' });
  });

  it('422: a common password, the user’s own name, or the current password', async ({ app }) => {
    const ada = await app.register('Augusta Ada King');
    const refusalOf = async (password: string, also = {}) => {
      const answer = await patch(app, ada, { password, current_password: ada.password, ...also });
      expect(answer.status).toBe(422);
      return answer.body.error.details;
    };
    expect(await refusalOf('password123')).toEqual({ field: 'password', reason: 'common' });
    expect(await refusalOf('augusta ada king')).toEqual({ field: 'password', reason: 'personal' });
    expect(await refusalOf('Another Name', { name: 'Another Name' })).toEqual({
      field: 'password',
      reason: 'personal',
    });
    expect(await refusalOf(ada.password)).toEqual({ field: 'password', reason: 'unchanged' });
  });

  it('401: without a token; 403: with an API token, whatever its scopes', async ({ app, ada }) => {
    expect((await patch(app, undefined, { name: 'Eve' })).status).toBe(401);
    const token = await createApiToken(app, ada, ['read:profile', 'write:profile']);
    const refused = await app.api.call('PATCH', '/v1/me', { token, body: { name: 'Eve' } });
    expect(refused.status).toBe(403);
    expect(refused.body.error.details).toEqual({ required_token: 'session' });
  });

  it('404: an organization that the user is not a member of', async ({ app }) => {
    const [ada, eve] = [await app.register(), await app.register()];
    const answer = await patch(app, eve, { name: 'Eve' }, { 'x-organization-id': ada.organizationId });
    expect(answer.status).toBe(404);
  });
});

describe('a wrong current password', () => {
  const wrong = (app: TestApp, member: Member, headers = {}) =>
    patch(app, member, { name: 'Eve', password: NEW_PASSWORD, current_password: 'not the password' }, headers);

  it('401: changes nothing', async ({ app }) => {
    const ada = await app.register('Ada');
    const answer = await wrong(app, ada);
    expect(answer.status).toBe(401);
    expect(answer.body.error.code).toBe('invalid_credentials');
    expect((await app.api.get('/v1/me', ada.accessToken)).body.data.name).toBe('Ada');
    const { email, password } = ada;
    expect((await app.api.post('/v1/auth/login', undefined, { email, password })).status).toBe(200);
    expect(await auditOf(app, ada)).toEqual([]);
  });

  it('counts as a failed login, even with an Idempotency-Key: the tenth locks the account', async ({ app, ada }) => {
    for (let n = 0; n < 10; n += 1) {
      expect((await wrong(app, ada, n % 2 === 0 ? {} : { 'idempotency-key': `guess ${n}` })).status).toBe(401);
    }
    const { email, password } = ada;
    const [login, change] = await Promise.all([
      app.api.post('/v1/auth/login', undefined, { email, password }),
      patch(app, ada, { password: NEW_PASSWORD, current_password: password }),
    ]);
    expect(login.body.error.code).toBe('invalid_credentials');
    expect(change.body.error.code).toBe('invalid_credentials');
  });

  it('no longer counts after the correct one', async ({ app, ada }) => {
    await wrong(app, ada);
    await patch(app, ada, { password: NEW_PASSWORD, current_password: ada.password });
    const rows = await execute(app.database, 'select failed_logins from users where id = $1', [ada.userId]);
    expect(rows).toEqual([{ failed_logins: 0 }]);
  });

  it('does not prevent a lost response from being returned again', async ({ app, ada }) => {
    const body = { password: NEW_PASSWORD, current_password: ada.password };
    const first = await patch(app, ada, body, { 'idempotency-key': 'once' });
    const again = await patch(app, ada, body, { 'idempotency-key': 'once' });
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body.data).toEqual(first.body.data);
    const rows = await execute(app.database, 'select failed_logins from users where id = $1', [ada.userId]);
    expect(rows).toEqual([{ failed_logins: 0 }]);
  });
});
