import { describe, expect, it } from 'vitest';
import { contrastOf, pageColor } from './page-color.ts';

describe('the color of the pages', () => {
  it.each(['#1d4ed8', '#ffff00', '#ffffff', '#000000', '#777777', '#ff0000', '#00ff88', '#0a4a8f'])(
    'can be read as a link and as a button, in light and dark: %s',
    (color) => {
      for (const ground of ['#ffffff', '#1b1e25']) {
        const { action, ink } = pageColor(color, ground);
        expect(contrastOf(action, ground)).toBeGreaterThanOrEqual(4.5);
        expect(contrastOf(action, ink)).toBeGreaterThanOrEqual(4.5);
      }
    },
  );

  it('is the brand’s own where that can be read', () => {
    expect(pageColor('#1d4ed8', '#ffffff')).toEqual({ action: '#1d4ed8', ink: '#ffffff' });
  });
});
