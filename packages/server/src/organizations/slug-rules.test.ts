import { describe, expect, it } from 'vitest';
import { slugOf } from './slug-rules.ts';

describe('slugOf', () => {
  it.each([
    ['Ada Lovelace', 'ada-lovelace'],
    ['  Bücher & Söhne GmbH  ', 'bucher-sohne-gmbh'],
    ['ACME', 'acme'],
    ['Łukasz', 'lukasz'],
    ['Đặng & Ørsted, STRAẞE', 'dang-orsted-strasse'],
    ['Işık Æon Þór', 'isik-aeon-thor'],
    ['東京', 'organization'],
    ['--- ---', 'organization'],
    [`${'x'.repeat(47)} y`, 'x'.repeat(47)],
    ['x'.repeat(100), 'x'.repeat(48)],
  ])('turns %j into the slug %j', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });
});
