import { expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { appsUnderTest, at, INPUT } from '../../../test/oauth/apps-under-test.ts';

const it = createTest().extend('apps', { scope: 'file' }, ({ app, admin }) => appsUnderTest(app, admin));

it('201: an app for only the device flow needs no redirect URI, and must keep one way to get tokens', async ({
  app,
  admin,
  apps,
}) => {
  const oauthApp = await apps.made({ redirect_uris: [], device_flow: true });
  expect(oauthApp).toMatchObject({ redirect_uris: [], device_flow: true });
  const patch = (body: unknown) => app.api.call('PATCH', `/v1/oauth-apps/${oauthApp.id}`, { ...at(admin), body });
  const refused = await patch({ device_flow: false });
  expect([refused.status, refused.body.error.details]).toEqual([400, { field: 'redirect_uris', reason: 'length' }]);
  const changed = await patch({ device_flow: false, redirect_uris: INPUT.redirect_uris });
  expect(changed.body.data).toMatchObject({ device_flow: false, redirect_uris: INPUT.redirect_uris });
  expect((await patch({ redirect_uris: [] })).status).toBe(400);
});
