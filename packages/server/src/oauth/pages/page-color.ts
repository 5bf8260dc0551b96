/**
 * The brand's color for links on a ground: moved toward black on a light one and toward white on a dark one, until it
 * is readable (WCAG 2.2, 1.4.3).
 */
export function readableOn(color: string, ground: string): string {
  const toward = luminanceOf(ground) > 0.5 ? '#000000' : '#ffffff';
  const steps = Array.from({ length: 20 }, (_, step) => mix(color, toward, step / 20));
  return steps.find((each) => contrastOf(each, ground) >= READABLE) ?? toward;
}

/** Black or white, whichever is easier to read on a color. One of them always is. */
export function inkOn(color: string): string {
  return contrastOf(color, '#ffffff') >= contrastOf(color, '#000000') ? '#ffffff' : '#000000';
}

/** A little more than 4.5, because colors are rounded. */
const READABLE = 4.6;

/** The contrast of two colors, from 1 to 21. */
export function contrastOf(color: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminanceOf(color), luminanceOf(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function mix(color: string, other: string, share: number): string {
  const parts = channelsOf(other);
  const mixed = channelsOf(color).map((part, at) => Math.round(part + ((parts[at] ?? 0) - part) * share));
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
