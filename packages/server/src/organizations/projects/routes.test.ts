import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import { execute, type Member, startAppForTest, type TestApp } from '../../../test/harness/index.ts';

const create = (app: TestApp, owner: Member, body: Record<string, unknown>, headers = {}) =>
  app.api.post('/v1/projects', owner.accessToken, body, headers);
const made = async (app: TestApp, owner: Member, body: Record<string, unknown>) =>
  (await create(app, owner, body)).body.data;
const change = (app: TestApp, { accessToken: token }: Pick<Member, 'accessToken'>, id: string, body: unknown) =>
  app.api.call('PATCH', `/v1/projects/${id}`, { token, body });
const remove = (app: TestApp, admin: Member, id: string, token: string | undefined = admin.accessToken) =>
  app.api.call('DELETE', `/v1/projects/${id}`, { token });
const read = (app: TestApp, admin: Member, id: string, token: string | undefined = admin.accessToken) =>
  app.api.get(`/v1/projects/${id}`, token);

const tokenWith = async (app: TestApp, admin: Member, scope: string) =>
  (await app.api.post('/v1/api-tokens', admin.accessToken, { name: scope, scopes: [scope] })).body.data.token;

const auditOf = (app: TestApp, id: string) =>
  execute<{ action: string; actor_user_id: string; before: unknown; after: unknown }>(
    app.database,
    'select action, actor_user_id, before, after from audit_entries where target_id = $1 order by id',
    [id],
  );

/** A well-formed ID that does not exist. */
const UNKNOWN_ID = 'proj_01kagt2m8xf3q9wz5r7e6b4c1n';

describe('POST /v1/projects', () => {
  it('201: returns the active project, and the audit log has it', async ({ app, admin }) => {
    const answer = await create(app, admin, { name: ' Feature film ', description: 'All of it.' });
    expect(answer.status).toBe(201);
    const project = answer.body.data;
    expect(project).toMatchObject({
      name: 'Feature film',
      slug: 'feature-film',
      description: 'All of it.',
      status: 'active',
    });
    expect(project.updated_at).toBe(project.created_at);
    expect(Math.abs(Date.parse(project.created_at) - Date.now())).toBeLessThan(60_000);
    expect((await read(app, admin, project.id)).body.data).toEqual(project);
    expect(await auditOf(app, project.id)).toEqual([
      { action: 'project.created', actor_user_id: admin.userId, before: null, after: project },
    ]);
  });

  it('derives a free slug from the name if none is given', async ({ app, admin }) => {
    const slugs = [];
    for (const name of ['Réndering', 'rendering', 'Rendering!', '東京', 'x'.repeat(100)]) {
      const project = await made(app, admin, { name });
      slugs.push(project.slug.replace(project.id.slice(-6), 'END'));
    }
    expect(slugs).toEqual(['rendering', 'rendering-END', 'rendering-END', 'project', 'x'.repeat(48)]);
  });

  it('409: a taken slug, which is free in another organization, and again after a deletion', async ({ app, admin }) => {
    const { id } = await made(app, admin, { name: 'One', slug: 'taken' });
    const refused = await create(app, admin, { name: 'Two', slug: 'taken' });
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatchObject({ code: 'already_exists', details: { field: 'slug' } });
    expect((await create(app, await app.register(), { name: 'Two', slug: 'taken' })).status).toBe(201);
    await remove(app, admin, id);
    expect((await create(app, admin, { name: 'Two', slug: 'taken' })).status).toBe(201);
  });

  it.for([
    [{}, 'name', 'required'],
    [{ name: '' }, 'name', 'length'],
    [{ name: '  ' }, 'name', 'format'],
    [{ name: 'x'.repeat(101) }, 'name', 'length'],
    [{ name: 7 }, 'name', 'type'],
    [{ name: 'a', slug: 'Not-A-Slug' }, 'slug', 'format'],
    [{ name: 'a', slug: 'a--b' }, 'slug', 'format'],
    [{ name: 'a', slug: '-a' }, 'slug', 'format'],
    [{ name: 'a', slug: 'a\n' }, 'slug', 'format'],
    [{ name: 'a', slug: 'x'.repeat(65) }, 'slug', 'length'],
    [{ name: 'a', slug: null }, 'slug', 'type'],
    [{ name: 'a', description: 'x'.repeat(1001) }, 'description', 'length'],
    [{ name: 'a', status: 'archived' }, 'status', 'unknown'],
  ] as const)('400: %j', async ([body, field, reason], { app, admin }) => {
    const answer = await create(app, admin, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', details: { field, reason } });
  });

  it('401 without a token, 403 without the scope', async ({ app, admin }) => {
    expect((await app.api.post('/v1/projects', undefined, { name: 'a' })).status).toBe(401);
    const refused = await app.api.post('/v1/projects', await tokenWith(app, admin, 'read:projects'), { name: 'a' });
    expect(refused.status).toBe(403);
    expect(refused.body.error.details).toEqual({ required_scope: 'write:projects' });
    expect(
      (await app.api.post('/v1/projects', await tokenWith(app, admin, 'write:projects'), { name: 'a' })).status,
    ).toBe(201);
  });

  it('creates one project per Idempotency-Key', async ({ app }) => {
    const owner = await app.register();
    const key = { 'idempotency-key': 'once' };
    const first = await create(app, owner, { name: 'Once' }, key);
    const again = await create(app, owner, { name: 'Once' }, key);
    expect(again.status).toBe(201);
    expect(again.body.data).toEqual(first.body.data);
    expect((await app.api.get('/v1/projects', owner.accessToken)).body.data).toHaveLength(1);
  });

  it('gives a slug to only one of many simultaneous requests on two processes, by POST and by PATCH', async ({
    app,
  }) => {
    const owner = await app.register();
    const beside = await startAppForTest({ beside: app });
    const others = await Promise.all(
      Array.from({ length: 10 }, (_, n) => made(app, owner, { name: `Other ${n}`, slug: `other-${n}` })),
    );
    const askers = [app, beside].flatMap((app) => [
      ...Array.from({ length: 20 }, () => () => app.api.post('/v1/projects', owner.accessToken, WANTED)),
      ...others.map(
        ({ id }) =>
          () =>
            app.api.call('PATCH', `/v1/projects/${id}`, { token: owner.accessToken, body: { slug: WANTED.slug } }),
      ),
    ]);
    const answers = await Promise.all(askers.map((ask) => ask()));
    expect(answers.filter((each) => each.status < 300)).not.toEqual([]);
    expect(answers.filter((each) => each.status >= 300 && each.status !== 409)).toEqual([]);
    // The project that has the slug may set it again.
    const winners = answers.filter((each) => each.status < 300).map((each) => each.body.data.id);
    expect(new Set(winners).size).toBe(1);
  });
});

const WANTED = { name: 'Wanted', slug: 'wanted' };

describe('GET /v1/projects', () => {
  const pagesOf = async (app: TestApp, owner: Member, query: string) => {
    const found: string[] = [];
    for (let cursor = ''; ; ) {
      const page = (await app.api.get(`/v1/projects?limit=2${query}${cursor}`, owner.accessToken)).body;
      found.push(...page.data.map((project: { slug: string }) => project.slug));
      if (!page.pagination.has_more) {
        return found;
      }
      cursor = `&cursor=${page.pagination.next_cursor}`;
    }
  };

  it('200: pages in each order, equal values by ID, with the filters', async ({ app }) => {
    const owner = await app.register();
    for (const [slug, name] of [
      ['a', 'Same'],
      ['b', 'Same'],
      ['c', 'Same'],
      ['d', 'Alone'],
      ['e', 'Zero'],
    ]) {
      await made(app, owner, { slug, name });
    }
    const times = 'update projects set created_at = $3, updated_at = $4 where organization_id = $1 and slug = any($2)';
    const [first, second] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
    await execute(app.database, times, [owner.organizationId, ['a', 'b', 'c'], first, second]);
    await execute(app.database, times, [owner.organizationId, ['d', 'e'], second, first]);
    await execute(
      app.database,
      `update projects set status = 'archived' where organization_id = $1 and slug in ('b', 'd')`,
      [owner.organizationId],
    );
    expect(await pagesOf(app, owner, '')).toEqual(['e', 'd', 'c', 'b', 'a']);
    expect(await pagesOf(app, owner, '&sort=created_at')).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(await pagesOf(app, owner, '&sort=name')).toEqual(['d', 'a', 'b', 'c', 'e']);
    expect(await pagesOf(app, owner, '&sort=-name')).toEqual(['e', 'c', 'b', 'a', 'd']);
    expect(await pagesOf(app, owner, '&sort=updated_at')).toEqual(['d', 'e', 'a', 'b', 'c']);
    expect(await pagesOf(app, owner, '&sort=-updated_at')).toEqual(['c', 'b', 'a', 'e', 'd']);
    expect(await pagesOf(app, owner, '&status=archived')).toEqual(['d', 'b']);
    expect(await pagesOf(app, owner, '&status=active&sort=name')).toEqual(['a', 'c', 'e']);
    // Both bounds are exclusive.
    expect(await pagesOf(app, owner, `&created_after=${first}`)).toEqual(['e', 'd']);
    expect(await pagesOf(app, owner, `&created_after=${second}`)).toEqual([]);
    expect(await pagesOf(app, owner, `&created_before=${second}&status=active`)).toEqual(['c', 'a']);
    expect(await pagesOf(app, owner, `&created_before=${first}`)).toEqual([]);
  });

  it.for([['sort=slug'], ['status=gone'], ['name=a'], ['created_after=today'], ['limit=0'], ['cursor=abc']] as const)(
    '400: %s',
    async ([query], { app, admin }) => {
      expect((await app.api.get(`/v1/projects?${query}`, admin.accessToken)).status).toBe(400);
    },
  );

  it('401 without a token, 403 without the scope', async ({ app, admin }) => {
    expect((await app.api.get('/v1/projects')).status).toBe(401);
    const refused = await app.api.get('/v1/projects', await tokenWith(app, admin, 'write:projects'));
    expect(refused.status).toBe(403);
    expect(refused.body.error.details).toEqual({ required_scope: 'read:projects' });
  });
});

describe('GET, PATCH and DELETE /v1/projects/{project_id}', () => {
  it('200: changes only the given fields', async ({ app, admin }) => {
    const project = await made(app, admin, { name: 'Before', description: 'Words.' });
    const answer = await change(app, admin, project.id, { name: ' After ' });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ ...project, name: 'After', updated_at: answer.body.data.updated_at });
    expect(Date.parse(answer.body.data.updated_at)).toBeGreaterThanOrEqual(Date.parse(project.updated_at));
    expect((await change(app, admin, project.id, { description: null })).body.data).toMatchObject({
      name: 'After',
      slug: 'before',
      description: null,
    });
  });

  it('archives and restores, and the audit log shows the values before and after', async ({ app, admin }) => {
    const created = await made(app, admin, { name: 'Short-lived' });
    const archived = (await change(app, admin, created.id, { status: 'archived' })).body.data;
    expect(archived.status).toBe('archived');
    const revived = (await change(app, admin, created.id, { status: 'active' })).body.data;
    expect((await remove(app, admin, created.id)).status).toBe(204);
    expect(await auditOf(app, created.id)).toMatchObject([
      { action: 'project.created', before: null, after: created },
      { action: 'project.archived', before: created, after: archived },
      { action: 'project.updated', before: archived, after: revived },
      { action: 'project.deleted', before: revived, after: null },
    ]);
  });

  it('does not change a project that already has that status', async ({ app, admin }) => {
    const project = await made(app, admin, { name: 'The same' });
    const answer = await change(app, admin, project.id, { name: 'The same', slug: project.slug, status: 'active' });
    expect(answer.body.data).toEqual(project);
    expect(await auditOf(app, project.id)).toHaveLength(1);
  });

  it('409: the slug of another project', async ({ app, admin }) => {
    await made(app, admin, { name: 'First', slug: 'first' });
    const { id } = await made(app, admin, { name: 'Second', slug: 'second' });
    const refused = await change(app, admin, id, { name: 'Renamed', slug: 'first' });
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatchObject({ code: 'already_exists', details: { field: 'slug' } });
    expect((await read(app, admin, id)).body.data.name).toBe('Second');
  });

  it.for([
    [{ status: 'gone' }, 'status', 'enum'],
    [{ name: null }, 'name', 'type'],
    [{ slug: '' }, 'slug', 'length'],
    [{ id: 'proj_1' }, 'id', 'unknown'],
  ] as const)('400: %j', async ([body, field, reason], { app, admin }) => {
    const { id } = await made(app, admin, { name: 'Unchanged' });
    const answer = await change(app, admin, id, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', details: { field, reason } });
  });

  it('404: an unknown or deleted project, and another organization’s', async ({ app, admin }) => {
    const eve = await app.register();
    const { id: hers } = await made(app, eve, { name: 'Hers' });
    const { id: gone } = await made(app, admin, { name: 'Gone' });
    await remove(app, admin, gone);
    for (const id of [UNKNOWN_ID, 'nonsense', gone, hers]) {
      for (const answer of [
        await read(app, admin, id),
        await change(app, admin, id, { name: 'Mine' }),
        await remove(app, admin, id),
      ]) {
        expect(answer.status).toBe(404);
        expect(answer.body.error).toMatchObject({ code: 'not_found', details: { resource: 'project' } });
      }
    }
    expect((await read(app, admin, hers, eve.accessToken)).body.data.name).toBe('Hers');
    const listed = (await app.api.get('/v1/projects?limit=100', admin.accessToken)).body.data;
    expect(listed.some((each: { id: string }) => each.id === hers)).toBe(false);
  });

  it('401 without a token, 403 without the scope', async ({ app, admin }) => {
    const { id } = await made(app, admin, { name: 'Guarded' });
    const [reader, writer] = [
      await tokenWith(app, admin, 'read:projects'),
      await tokenWith(app, admin, 'write:projects'),
    ];
    expect((await app.api.get(`/v1/projects/${id}`)).status).toBe(401);
    expect((await app.api.call('PATCH', `/v1/projects/${id}`, { body: { name: 'a' } })).status).toBe(401);
    expect((await app.api.call('DELETE', `/v1/projects/${id}`)).status).toBe(401);
    expect((await read(app, admin, id, writer)).status).toBe(403);
    expect((await change(app, { accessToken: reader }, id, { name: 'a' })).status).toBe(403);
    expect((await remove(app, admin, id, reader)).status).toBe(403);
    expect((await read(app, admin, id, reader)).status).toBe(200);
    expect((await remove(app, admin, id, writer)).status).toBe(204);
  });

  it('is open to members with the lowest role', async ({ app, admin }) => {
    const member = await app.register();
    await execute(app.database, `update memberships set role = 'member' where user_id = $1`, [member.userId]);
    const { id } = await made(app, member, { name: 'Hers' });
    expect((await read(app, admin, id, member.accessToken)).status).toBe(200);
    expect((await remove(app, admin, id, member.accessToken)).status).toBe(204);
  });
});
