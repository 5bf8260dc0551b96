import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import type { Member, TestApp } from '../../../test/harness/index.ts';

let ada: Member;
let license: { id: string; key: string };
let project: string;

it.beforeEach(async ({ app }) => {
  ada = await app.register();
  license = await app.issueLicense(ada.organizationId, { maxSeats: 50, expiresAt: '2099-01-01T00:00:00Z' });
  project = await createProject(app, 'Feature film');
});

const createProject = async (app: TestApp, name: string, owner = ada): Promise<string> =>
  (await app.api.post('/v1/projects', owner.accessToken, { name })).body.data.id;
const change = (app: TestApp, id: string, body: unknown) =>
  app.api.call('PATCH', `/v1/projects/${id}`, { token: ada.accessToken, body });
const machine = () => `hw_${randomBytes(16).toString('hex')}`;
const acquire = (app: TestApp, metadata: unknown, hardwareId = machine(), headers = {}) =>
  app.api.post(
    '/v1/licenses/acquire',
    ada.accessToken,
    { license_key: license.key, hardware_id: hardwareId, metadata },
    headers,
  );
const sessions = async (app: TestApp) =>
  (await app.api.get(`/v1/licenses/${license.id}/sessions`, ada.accessToken)).body.data;

describe('acquire with metadata.project_id', () => {
  it('takes a seat for an active project, and the session shows it', async ({ app }) => {
    const taken = await acquire(app, { project_id: project, host: 'a' });
    expect(taken.status).toBe(201);
    expect((await sessions(app))[0].metadata).toEqual({ project_id: project, host: 'a' });
  });

  it('422: an archived, unknown, deleted or another organization’s project; no seat is taken', async ({ app }) => {
    const [archived, deleted] = [await createProject(app, 'Archived'), await createProject(app, 'Deleted')];
    await change(app, archived, { status: 'archived' });
    await app.api.call('DELETE', `/v1/projects/${deleted}`, { token: ada.accessToken });
    const foreign = await createProject(app, 'Foreign', await app.register());
    for (const [id, reason] of [
      [archived, 'archived'],
      [deleted, 'unknown'],
      [foreign, 'unknown'],
      ['proj_01kagt2m8xf3q9wz5r7e6b4c1n', 'unknown'],
      ['', 'unknown'],
      ['x'.repeat(5000), 'unknown'],
    ]) {
      for (const headers of [{}, { 'idempotency-key': `key of ${id?.slice(0, 40)}` }]) {
        const refused = await acquire(app, { project_id: id }, machine(), headers);
        expect(refused.status).toBe(422);
        expect(refused.body.error).toMatchObject({
          code: 'validation_failed',
          details: { field: 'metadata.project_id', reason },
        });
      }
    }
    expect(await sessions(app)).toEqual([]);
    await change(app, archived, { status: 'active' });
    expect((await acquire(app, { project_id: archived })).status).toBe(201);
  });

  it.for([[null], [7], [{ id: 'proj_1' }], [['proj_1']]] as const)('400: %j', async ([projectId], { app }) => {
    const refused = await acquire(app, { project_id: projectId });
    expect(refused.status).toBe(400);
    expect(refused.body.error.details).toEqual({ field: 'metadata.project_id', reason: 'type' });
  });

  it('needs no project', async ({ app }) => {
    for (const metadata of [undefined, {}, { project: 'my own' }]) {
      expect((await acquire(app, metadata)).status).toBe(201);
    }
  });

  it('returns the existing session when the same machine asks again, with its original project', async ({ app }) => {
    const [hardwareId, other] = [machine(), await createProject(app, 'Other')];
    const first = await acquire(app, { project_id: project }, hardwareId);
    const again = await acquire(app, { project_id: other }, hardwareId);
    expect(again.status).toBe(200);
    expect(again.body.data.session_id).toBe(first.body.data.session_id);
    expect((await sessions(app))[0].metadata).toEqual({ project_id: project });
  });

  it('replays the response for an Idempotency-Key even if the project has been archived', async ({ app }) => {
    const [hardwareId, key] = [machine(), { 'idempotency-key': 'once' }];
    const first = await acquire(app, { project_id: project }, hardwareId, key);
    await change(app, project, { status: 'archived' });
    const again = await acquire(app, { project_id: project }, hardwareId, key);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body.data).toEqual(first.body.data);
  });

  it('checks each of many simultaneous requests for its own project', async ({ app }) => {
    const archived = await createProject(app, 'Archived');
    await change(app, archived, { status: 'archived' });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => acquire(app, { project_id: n % 2 === 0 ? project : archived })),
    );
    expect(answers.map((each) => each.status)).toEqual(answers.map((_, n) => (n % 2 === 0 ? 201 : 422)));
  });
});
