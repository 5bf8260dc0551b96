import { describe, expect, it } from 'vitest';
import { html } from '../../src/oauth/pages/html.ts';
import { field, layout } from '../../src/oauth/pages/layout.ts';
import { findForeignMarkup } from './find-foreign-markup.ts';

const NASTY = [
  'javascript:alert(1)',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onfocus='alert(1)",
  '</main><form action="https://elsewhere.test/">',
];

const pageWith = (text: string) =>
  layout(
    {
      basePath: '/oauth',
      productName: text,
      brand: { logoUrl: '', color: '#1d4ed8' },
      dashboardUrl: 'https://api.test',
      isSandbox: true,
    },
    {
      title: text,
      alert: text,
      body: html`<form method="post" action="/oauth/interaction/abc/login">${field({
        label: text,
        name: 'email',
        type: 'email',
        autocomplete: 'username',
        value: text,
      })}<button type="submit">Log in</button></form><p>${text}</p>`,
    },
  );

describe('injected markup', () => {
  it.each(NASTY)('is not found in %j if that is escaped, as in an email address that is shown again', (text) => {
    const page = pageWith(text);
    expect(page).toContain('value="');
    expect(findForeignMarkup(page)).toBeUndefined();
  });

  it.each([
    ['<script>alert(1)</script>', '<script>'],
    ['<img src=x>', '<img>'],
    ['<svg><a href="/oauth/x"></a></svg>', '<svg>'],
    ['<p onclick="alert(1)">', 'onclick of <p>'],
    ['<p style="position:fixed">', 'style of <p>'],
    ['<button type="submit" formaction="/elsewhere">', 'formaction of <button>'],
    ['<a href="javascript:alert(1)">', '<a> that leads to javascript:alert(1)'],
    ['<a href=" java\tscript:alert(1)">', '<a> that leads to  java\tscript:alert(1)'],
    ['<a href="https://elsewhere.test/">', '<a> that leads to https://elsewhere.test/'],
    ['<a href="//elsewhere.test/">', '<a> that leads to //elsewhere.test/'],
    ['<a href="/oauth/../v1/me">', '<a> that leads to /oauth/../v1/me'],
    ['<form method="post" action="https://elsewhere.test/">', '<form> that leads to https://elsewhere.test/'],
    ['<base href="/oauth/x">', '<base>'],
    ['<meta http-equiv="refresh" content="0">', 'http-equiv of <meta>'],
  ])('is found in a page that contains %j', (text, expected) => {
    const page = pageWith('PLACE').replace('<p>PLACE</p>', text);
    expect(findForeignMarkup(page)).toBe(expected);
  });
});
