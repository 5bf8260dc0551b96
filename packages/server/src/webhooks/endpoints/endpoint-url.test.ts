import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';

const PUBLIC = 'https://93.184.216.34/hooks';

const it = createTest()
  .extend('create', { scope: 'file' }, ({ app, admin }) => {
    return (url: string) => app.api.post('/v1/webhooks', admin.accessToken, { url, events: ['*'] });
  })
  /** The endpoint that exists before all tests. */
  .extend('id', { scope: 'file' }, async ({ create }): Promise<string> => (await create(PUBLIC)).body.data.id)
  .extend('change', { scope: 'file' }, ({ app, admin, id }) => {
    return (url: string) =>
      app.api.call('PATCH', `/v1/webhooks/${id}`, { token: admin.accessToken, body: { url, description: 'Moved' } });
  });

describe('an endpoint, when created and when its URL is changed,', () => {
  it.for([
    ['http://93.184.216.34/hooks', 'https_required'],
    ['ftp://93.184.216.34/hooks', 'https_required'],
    ['javascript:alert(1)', 'https_required'],
    ['https://ada:secret@93.184.216.34/', 'credentials'],
    ['https://ada@93.184.216.34/', 'credentials'],
    ['https://93.184.216.34/hooks#top', 'fragment'],
    ['https://127.0.0.1/', 'forbidden_address'],
    ['https://127.1/', 'forbidden_address'],
    ['https://2130706433/', 'forbidden_address'],
    ['https://0x7f000001/', 'forbidden_address'],
    ['https://0177.0.0.1/', 'forbidden_address'],
    ['https://localhost:8443/', 'forbidden_address'],
    ['https://app.localhost./', 'forbidden_address'],
    ['https://10.0.0.1/', 'forbidden_address'],
    ['https://172.16.3.4/', 'forbidden_address'],
    ['https://192.168.1.1/', 'forbidden_address'],
    ['https://100.64.0.1/', 'forbidden_address'],
    ['https://0.0.0.0/', 'forbidden_address'],
    ['https://169.254.169.254/latest/meta-data/', 'forbidden_address'],
    ['https://168.63.129.16/', 'forbidden_address'],
    ['https://[::1]/', 'forbidden_address'],
    ['https://[::]/', 'forbidden_address'],
    ['https://[::ffff:10.0.0.1]/', 'forbidden_address'],
    ['https://[::ffff:7f00:1]/', 'forbidden_address'],
    ['https://[64:ff9b::a9fe:a9fe]/', 'forbidden_address'],
    ['https://[fd00:ec2::254]/', 'forbidden_address'],
    ['https://[fe80::1]/', 'forbidden_address'],
    ['https://[2002:7f00:1::]/', 'forbidden_address'],
    ['https://①②⑦.0.0.1/', 'forbidden_address'],
    ['https://127。0。0。1/', 'forbidden_address'],
    [`https://93.184.216.34/${'ü'.repeat(700)}`, 'too_long'],
  ] as const)('is refused at %s', async ([url, reason], { create, change }) => {
    for (const { status, body } of [await create(url), await change(url)]) {
      expect([status, body.error.code]).toEqual([422, 'validation_failed']);
      expect(body.error.details).toEqual({ field: 'url', reason });
    }
  });

  it.for(['hooks.example.com', '//93.184.216.34/', 'https://', 'https://93.184.216.34/a b', 'https://[::1', ' '])(
    'is refused with something other than a URL: %s',
    async (url, { create, change }) => {
      for (const { status, body } of [await create(url), await change(url)]) {
        expect([status, body.error.code]).toEqual([400, 'invalid_request']);
        expect(body.error.details).toEqual({ field: 'url', reason: 'format' });
      }
    },
  );

  it('is unchanged by a refused request', async ({ app, admin, id }) => {
    const { data } = (await app.api.get('/v1/webhooks', admin.accessToken)).body;
    expect(data).toMatchObject([{ id, url: PUBLIC, description: null }]);
  });

  it('may be at a public address, on any port', async ({ create, change }) => {
    for (const url of [
      'https://93.184.216.34:8443/a?b=c',
      'https://[2606:2800:220:1::1]/hooks',
      'HTTPS://93.184.216.34',
    ]) {
      expect((await create(url)).body.data).toMatchObject({ url });
      expect((await change(url)).body.data).toMatchObject({ url });
    }
  });
});
