import { describe, expect, it } from 'vitest';
import { loadConfig } from './index.ts';

function read(text?: string) {
  const { config, problems } = loadConfig(text === undefined ? {} : { SEATHOLD_BRAND: text });
  return { brand: config?.brand, problems: problems.map((each) => each.name) };
}

describe('SEATHOLD_BRAND', () => {
  it('is Seathold without a logo or a support address by default', () => {
    expect(read().brand).toEqual({ name: 'Seathold', logoUrl: '', color: '#1d4ed8', supportEmail: '' });
  });

  it('can be just a name', () => {
    expect(read(' Acme Studio ').brand).toMatchObject({ name: 'Acme Studio', color: '#1d4ed8' });
  });

  it('can be JSON with a logo, a color and a support address', () => {
    const text = JSON.stringify({
      name: 'Acme',
      logo_url: 'https://acme.example/logo.png?v=2',
      color: '#0A4A8F',
      support_email: 'help@acme.example',
    });
    expect(read(text).brand).toEqual({
      name: 'Acme',
      logoUrl: 'https://acme.example/logo.png?v=2',
      color: '#0a4a8f',
      supportEmail: 'help@acme.example',
    });
  });

  it.each([
    ['no name', { color: '#000000' }],
    ['an empty name', { name: ' ' }],
    ['a name of two lines', { name: 'Acme\nBcc: all@example.com' }],
    ['a name that is too long', { name: 'a'.repeat(101) }],
    ['a logo over plain HTTP', { name: 'Acme', logo_url: 'http://acme.example/logo.png' }],
    ['a logo that is a script', { name: 'Acme', logo_url: 'javascript:alert(1)' }],
    ['a logo with a password', { name: 'Acme', logo_url: 'https://user:secret@acme.example/logo.png' }],
    ['a color by name', { name: 'Acme', color: 'red' }],
    ['a color that ends the style', { name: 'Acme', color: '#000000;}' }],
    ['a support address with a name', { name: 'Acme', support_email: 'Help <help@acme.example>' }],
    ['an invalid support address', { name: 'Acme', support_email: 'acme.example' }],
    ['an unknown member', { name: 'Acme', url: 'https://acme.example' }],
    ['a list', ['Acme']],
  ])('is refused with %s', (_what, value) => {
    const text = Array.isArray(value) ? `{"name": ${JSON.stringify(value)}}` : JSON.stringify(value);
    expect(read(text)).toEqual({ brand: undefined, problems: ['SEATHOLD_BRAND'] });
  });

  it.each(['{"name": "Acme"', '{}'])('is refused as %s', (text) => {
    expect(read(text).problems).toEqual(['SEATHOLD_BRAND']);
  });
});
