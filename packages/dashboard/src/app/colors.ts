/** A mix of two colors, both as #rrggbb: `share` is the share of the second. */
export function mixColors(color: string, other: string, share: number): string {
  const mixed = channelsOf(color).map((channel, at) => {
    const value = channel + ((channelsOf(other)[at] ?? 0) - channel) * share;
    return Math.round(value).toString(16).padStart(2, '0');
  });
  return `#${mixed.join('')}`;
}

/** The contrast of two colors, from 1 to 21 (WCAG 2.2). */
export function contrastOf(color: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminanceOf(color), luminanceOf(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
