import { describe, expect } from 'vitest';
import { it } from '../../test/harness/fixtures.ts';
import type { TestApp } from '../../test/harness/index.ts';
import { execute, type Member } from '../../test/harness/index.ts';
import { joinOrganization } from '../../test/harness/join-organization.ts';
import { plantGrant } from '../../test/harness/plant-grant.ts';

const statusOf = async (second: TestApp, token: string) => (await second.api.get('/v1/me', token)).status;

/** Gives the planted app to another organization, while its grant stays the user's. */
const giveAppTo = (app: TestApp, owner: Member, grantId: string) =>
  execute(
    app.database,
    'update oauth_apps set organization_id = $1 where id = (select app_id from oauth_grants where id = $2)',
    [owner.organizationId, grantId],
  );

describe('the apps of a deleted organization', () => {
  it('lose their grants from users of other organizations, at the next request on another process', async ({
    app,
    second,
  }) => {
    const [vendor, user] = [await app.register('Vendor'), await app.register('User')];
    const [theirs, other] = [await plantGrant(app, user), await plantGrant(app, user)];
    await giveAppTo(app, vendor, theirs.id);
    expect(await statusOf(second, theirs.accessToken)).toBe(200);

    const deleted = await app.api.call('DELETE', `/v1/orgs/${vendor.organizationId}`, {
      token: vendor.accessToken,
      body: { confirm: 'Vendor' },
    });

    expect(deleted.status).toBe(204);
    expect(await statusOf(second, theirs.accessToken)).toBe(401);
    expect(await statusOf(second, other.accessToken)).toBe(200);
  });

  it('are announced only to other rooms, without a stored event', async ({ app }) => {
    const vendor = await app.register('Vendor');
    const colleague = await joinOrganization(app, vendor);
    await app.api.call('DELETE', `/v1/orgs/${vendor.organizationId}`, {
      token: vendor.accessToken,
      body: { confirm: 'Vendor' },
    });
    const kept = await execute<{ type: string }>(app.database, 'select type from events where organization_id = $1', [
      vendor.organizationId,
    ]);

    expect(kept.map((event) => event.type)).not.toContain('org.deleted');
    expect((await app.api.get('/v1/event-types?limit=100', colleague.accessToken)).body.data).not.toContainEqual(
      expect.objectContaining({ type: 'org.deleted' }),
    );
  });
});
