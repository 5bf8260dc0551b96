import { describe, expect, it } from 'vitest';
import { formatCurl } from '../src/request-code/format-curl.ts';
import { formatTypeScript } from '../src/request-code/format-typescript.ts';

describe('formatCurl', () => {
  it('writes a command that sends the request, with the token of the environment', () => {
    const request = {
      method: 'POST',
      url: 'https://seathold.example/v1/licenses/release',
      organizationId: undefined,
      body: '{"session_id":"sess_1"}',
    };
    expect(formatCurl(request)).toBe(
      [
        "curl -X POST 'https://seathold.example/v1/licenses/release' \\",
        '  -H "Authorization: Bearer $SEATHOLD_TOKEN" \\',
        "  -H 'Content-Type: application/json' \\",
        `  -d '{"session_id":"sess_1"}'`,
      ].join('\n'),
    );
  });

  it('trusts the certificate that the service created on the local machine', () => {
    const request = { method: 'GET', organizationId: undefined, body: undefined };
    expect(formatCurl({ ...request, url: 'https://localhost:8444/v1/me' })).toMatch(
      /^curl --cacert data\/tls\/ca.pem '/,
    );
    expect(formatCurl({ ...request, url: 'https://seathold.example/v1/me' })).toMatch(/^curl '/);
  });

  it('lets the shell interpret no part of a value', () => {
    const body = JSON.stringify({ name: "$(rm -rf /) `x` it's" });
    const command = formatCurl({ method: 'PATCH', url: 'https://a.example/v1/orgs/1', organizationId: 'org_1', body });
    expect(command).toContain(`-d '{"name":"$(rm -rf /) \`x\` it'\\''s"}'`);
    expect(command).toContain("-H 'X-Organization-Id: org_1'");
  });
});

describe('formatTypeScript', () => {
  const call = { resource: 'licenses', method: 'list', baseUrl: 'https://a.example', organizationId: undefined };

  it('writes a program with the client library', () => {
    expect(formatTypeScript({ ...call, values: [{ limit: 25, status: 'active', cursor: undefined }] })).toBe(
      [
        "import { Seathold } from '@seathold/client';",
        '',
        'const seathold = new Seathold({',
        "  baseUrl: 'https://a.example',",
        '  token: process.env.SEATHOLD_TOKEN,',
        '});',
        '',
        "const answer = await seathold.licenses.list({ limit: 25, status: 'active' });",
      ].join('\n'),
    );
  });

  it.each([
    [{ name: `it's "quoted" \\ \n` }],
    [{ 'a-b': [1, true, null, { deep: ['x'.repeat(90)] }], empty: {}, none: [] }],
    ['just a text'],
  ])('writes values that mean the same: %j', (value) => {
    const program = formatTypeScript({ ...call, values: [value] });
    const written = /list\(([\s\S]*)\);$/.exec(program)?.[1];
    expect(new Function(`return (${written});`)()).toEqual(value);
  });
});
