import { randomUUID } from 'node:crypto';
import type { CheckGroup } from './check.ts';
import { createProject, NAME, newSlug } from './create-project.ts';
import { expectError, expectStatus, expectThat, expectValue } from './expectations.ts';
import { pick, pickText } from './read-json.ts';

const keyHeader = () => ({ 'idempotency-key': `conformance-${randomUUID()}` });

/** Contract section 5: a retry with an Idempotency-Key has one effect. */
export const IDEMPOTENCY: CheckGroup = {
  key: 'idempotency',
  title: '§5 Idempotency',
  checks: [
    {
      name: 'answers a retry with the stored response, and says so',
      run: async (probe) => {
        const json = { slug: newSlug() };
        const headers = keyHeader();
        const first = await createProject(probe, 'once', { json, headers });
        const again = await createProject(probe, 'once', { json, headers });
        const replayed = again.headers['idempotency-replayed'];
        expectThat(again, replayed === 'true', `Idempotency-Replayed is ${replayed ?? 'missing'}`);
        expectThat(
          first,
          first.headers['idempotency-replayed'] === undefined,
          'the first response claims to be a replay',
        );
        expectValue(again, 'data', pick(first.body, 'data'));
      },
    },
    {
      name: '422 idempotency_key_reused for another body under the same key',
      run: async (probe) => {
        const headers = keyHeader();
        await createProject(probe, 'first body', { headers });
        const json = { name: `${NAME} second body`, slug: newSlug() };
        const reused = await probe.call('POST', '/v1/projects', { json, headers });
        const id = pickText(reused.body, 'data.id');
        if (id !== '') {
          probe.deleteLater(`/v1/projects/${id}`);
        }
        expectError(reused, 422, 'idempotency_key_reused');
      },
    },
    {
      name: 'stores no refusal under a key',
      run: async (probe) => {
        const headers = keyHeader();
        expectStatus(await probe.call('POST', '/v1/projects', { json: {}, headers }), 400);
        await createProject(probe, 'after a refusal', { headers });
      },
    },
    {
      name: '400 for a key of more than 255 characters',
      run: async (probe) => {
        const headers = { 'idempotency-key': 'k'.repeat(256) };
        const json = { name: NAME, slug: newSlug() };
        expectError(await probe.call('POST', '/v1/projects', { json, headers }), 400, 'invalid_request');
      },
    },
    {
      name: 'creates one thing for ten concurrent requests with one key',
      run: async (probe) => {
        const headers = keyHeader();
        const json = { name: `${NAME} at once`, slug: newSlug() };
        const sent = Array.from({ length: 10 }, () => probe.call('POST', '/v1/projects', { json, headers }));
        const answers = await Promise.all(sent);
        const ids = new Set(answers.map(({ body }) => pickText(body, 'data.id')).filter((id) => id !== ''));
        for (const id of ids) {
          probe.deleteLater(`/v1/projects/${id}`);
        }
        for (const answer of answers) {
          const isWaiting = pick(answer.body, 'error.code') === 'idempotency_in_progress';
          expectThat(answer, answer.status === 201 || isWaiting, `the status is ${answer.status}, expected 201 or 409`);
          expectThat(answer, ids.size === 1, `${ids.size} projects were created`);
        }
      },
    },
  ],
};
