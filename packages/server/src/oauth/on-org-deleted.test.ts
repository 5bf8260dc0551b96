import { describe, expect, it } from 'vitest';
import { execute, type Member, openTwoProcesses } from '../../test/harness/index.ts';
import { joinOrganization } from '../../test/harness/join-organization.ts';
import { plantGrant } from '../../test/harness/plant-grant.ts';

const { test, second } = await openTwoProcesses();

const statusOf = async (token: string) => (await second.api.get('/v1/me', token)).status;

/** Makes the planted app another organization's own, while its grant stays the user's. */
const giveAppTo = (owner: Member, grantId: string) =>
  execute(
    test.database,
    'update oauth_apps set organization_id = $1 where id = (select app_id from oauth_grants where id = $2)',
    [owner.organizationId, grantId],
  );

describe('the apps of a deleted organization', () => {
  it('lose what they may do for users of other organizations, at the next request on another process', async () => {
    const [vendor, user] = [await test.register('Vendor'), await test.register('User')];
    const [theirs, other] = [await plantGrant(test, user), await plantGrant(test, user)];
    await giveAppTo(vendor, theirs.id);
    expect(await statusOf(theirs.accessToken)).toBe(200);

    const deleted = await test.api.call('DELETE', `/v1/orgs/${vendor.organizationId}`, {
      token: vendor.accessToken,
      body: { confirm: 'Vendor' },
    });

    expect(deleted.status).toBe(204);
    expect(await statusOf(theirs.accessToken)).toBe(401);
    expect(await statusOf(other.accessToken)).toBe(200);
  });

  it('are announced to the other rooms only: no event is kept', async () => {
    const vendor = await test.register('Vendor');
    const colleague = await joinOrganization(test, vendor);
    await test.api.call('DELETE', `/v1/orgs/${vendor.organizationId}`, {
      token: vendor.accessToken,
      body: { confirm: 'Vendor' },
    });
    const kept = await execute<{ type: string }>(test.database, 'select type from events where organization_id = $1', [
      vendor.organizationId,
    ]);

    expect(kept.map((event) => event.type)).not.toContain('org.deleted');
    expect((await test.api.get('/v1/event-types?limit=100', colleague.accessToken)).body.data).not.toContainEqual(
      expect.objectContaining({ type: 'org.deleted' }),
    );
  });
});
