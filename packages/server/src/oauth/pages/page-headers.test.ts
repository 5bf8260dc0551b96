import { describe, expect, it } from 'vitest';
import { pageHeaders } from './page-headers.ts';

describe('the headers of a page', () => {
  it.each([
    ['https://app.example:8443/callback?x=1', "form-action 'self' https://app.example:8443;"],
    ['http://127.0.0.1:3000/callback', "form-action 'self' http://127.0.0.1:3000;"],
    ['http://[::1]:3000/callback', "form-action 'self' http:;"],
    ['com.example.app:/callback', "form-action 'self' com.example.app:;"],
    [undefined, "form-action 'self';"],
  ])('let a form redirect to %s', (redirectUri, directive) => {
    expect(pageHeaders({ redirectUri })['content-security-policy']).toContain(directive);
  });

  it('allow no script and no frame', () => {
    const policy = pageHeaders()['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('script');
  });
});
