import { describe, expect, it } from 'vitest';
import { contrastOf, inkOn, readableOn } from './page-color.ts';

describe('the color of the pages', () => {
  it.each(['#1d4ed8', '#ffff00', '#ffffff', '#000000', '#777777', '#ff0000', '#00ff88', '#0a4a8f'])(
    'can be read as a link and as a button, in light and dark: %s',
    (color) => {
      for (const ground of ['#ffffff', '#1b1e25']) {
        expect(contrastOf(readableOn(color, ground), ground)).toBeGreaterThanOrEqual(4.5);
        expect(contrastOf(color, inkOn(color))).toBeGreaterThanOrEqual(4.5);
      }
    },
  );

  it('is the brand’s own if that can be read', () => {
    expect(readableOn('#1d4ed8', '#ffffff')).toBe('#1d4ed8');
  });
});
