import type { FeatureValue } from '@seathold/client';

/** Formats features as text, one per line. */
export function formatFeatures(features: Readonly<Record<string, FeatureValue>>): string {
  return Object.entries(features)
    .map(([name, value]) => `${name}: ${isPlain(value) ? value : JSON.stringify(value)}`)
    .join('\n');
}

/** Parses them: true, false and numbers keep their type, all else is text; quoted values are always text. */
export function parseFeatures(text: string): Record<string, FeatureValue> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...rest] = line.split(':');
      return [name.trim(), readValue(rest.join(':').trim())];
    }),
  );
}

/** Whether it parses as itself without quotes. */
function isPlain(value: FeatureValue): boolean {
  return readValue(String(value)) === value;
}

function readValue(text: string): FeatureValue {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}
