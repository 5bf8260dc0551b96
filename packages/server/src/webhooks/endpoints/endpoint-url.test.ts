import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Member, startTestApp, type TestApp } from '../../../test/harness/index.ts';

let test: TestApp;
let ada: Member;
let id: string;

beforeAll(async () => {
  test = await startTestApp();
  ada = await test.register();
  id = (await create(PUBLIC)).body.data.id;
});
afterAll(() => test.close());

const PUBLIC = 'https://93.184.216.34/hooks';

const create = (url: string) => test.api.post('/v1/webhooks', ada.accessToken, { url, events: ['*'] });
const change = (url: string) =>
  test.api.call('PATCH', `/v1/webhooks/${id}`, { token: ada.accessToken, body: { url, description: 'Moved' } });

describe('an endpoint, when it is created and when its URL is changed', () => {
  it.each([
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
  ])('is refused at %s', async (url, reason) => {
    for (const { status, body } of [await create(url), await change(url)]) {
      expect([status, body.error.code]).toEqual([422, 'validation_failed']);
      expect(body.error.details).toEqual({ field: 'url', reason });
    }
  });

  it.each(['hooks.example.com', '//93.184.216.34/', 'https://', 'https://93.184.216.34/a b', 'https://[::1', ' '])(
    'is refused with what is no URL: %s',
    async (url) => {
      for (const { status, body } of [await create(url), await change(url)]) {
        expect([status, body.error.code]).toEqual([400, 'invalid_request']);
        expect(body.error.details).toEqual({ field: 'url', reason: 'format' });
      }
    },
  );

  it('is left as it was by what was refused', async () => {
    const { data } = (await test.api.get('/v1/webhooks', ada.accessToken)).body;
    expect(data).toMatchObject([{ id, url: PUBLIC, description: null }]);
  });

  it('may be at a public address, at any port', async () => {
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
