import type { CheckGroup } from './check.ts';
import { createProject, NAME, newSlug } from './create-project.ts';
import { expectData, expectError, expectFields, expectStatus, expectThat, expectValue } from './expectations.ts';
import { pickText } from './read-json.ts';

const UNKNOWN = '/v1/projects/proj_00000000000000000000000000';

/** Contract section 6, projects: from the creation to the end. */
export const PROJECTS: CheckGroup = {
  key: 'projects',
  title: '§6 Projects',
  checks: [
    {
      name: '201 with the project, which is then found',
      run: async (probe) => {
        const slug = newSlug();
        const created = await createProject(probe, 'made', {
          json: { slug, description: 'Removed again by the run.' },
        });
        expectFields(created, 'data', PROJECT);
        expectValue(created, 'data.slug', slug);
        expectValue(created, 'data.status', 'active');
        const found = await probe.call('GET', `/v1/projects/${pickText(created.body, 'data.id')}`);
        expectData(found, 200);
        expectValue(found, 'data.name', `${NAME} made`);
      },
    },
    {
      name: '400 for a project without a name, and for an unknown field',
      run: async (probe) => {
        const create = (json: unknown) => probe.call('POST', '/v1/projects', { json });
        expectError(await create({ slug: newSlug() }), 400, 'invalid_request', { field: 'name', reason: 'required' });
        const unknown = await create({ name: NAME, color: 'red' });
        expectError(unknown, 400, 'invalid_request', { field: 'color', reason: 'unknown' });
      },
    },
    {
      name: '409 already_exists for a slug that is taken',
      run: async (probe) => {
        const slug = newSlug();
        await createProject(probe, 'first', { json: { slug } });
        const second = await probe.call('POST', '/v1/projects', { json: { name: `${NAME} second`, slug } });
        const id = pickText(second.body, 'data.id');
        if (id !== '') {
          probe.deleteLater(`/v1/projects/${id}`);
        }
        expectError(second, 409, 'already_exists', { field: 'slug' });
      },
    },
    {
      name: 'changes the given fields and keeps the others',
      run: async (probe) => {
        const created = await createProject(probe, 'to change', { json: { description: 'Before' } });
        const path = `/v1/projects/${pickText(created.body, 'data.id')}`;
        const changed = await probe.call('PATCH', path, { json: { status: 'archived' } });
        expectData(changed, 200);
        expectValue(changed, 'data.status', 'archived');
        expectValue(changed, 'data.description', 'Before');
        const refused = await probe.call('PATCH', path, { json: { status: 'lost' } });
        expectError(refused, 400, 'invalid_request', { field: 'status', reason: 'enum' });
      },
    },
    {
      name: '204 without a body for a deletion, and 404 from then on',
      run: async (probe) => {
        const created = await createProject(probe, 'to delete');
        const path = `/v1/projects/${pickText(created.body, 'data.id')}`;
        const deleted = await probe.call('DELETE', path);
        expectStatus(deleted, 204);
        expectThat(deleted, deleted.text === '', 'there is a body');
        expectError(await probe.call('GET', path), 404, 'not_found', { resource: 'project' });
      },
    },
    {
      name: '404 for a project that does not exist',
      run: async (probe) => {
        expectError(await probe.call('GET', UNKNOWN), 404, 'not_found');
        expectError(await probe.call('PATCH', UNKNOWN, { json: { name: NAME } }), 404, 'not_found');
        expectError(await probe.call('DELETE', UNKNOWN), 404, 'not_found');
      },
    },
  ],
};

const PROJECT = {
  id: /^proj_/,
  name: 'string',
  slug: 'string',
  description: 'string?',
  status: 'string',
  created_at: 'timestamp',
  updated_at: 'timestamp',
} as const;
