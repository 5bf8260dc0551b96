import type { Product, ReplaceProductBody } from '@seathold/client';

const TYPES = ['boolean', 'number', 'string'] as const;

/** Formats the features of a product as text, one per line; a name equal to the key is omitted. */
export function formatProductFeatures(features: Product['features']): string {
  return Object.entries(features)
    .map(([key, { type, name }]) => (name === key ? `${key}: ${type}` : `${key}: ${type}: ${name}`))
    .join('\n');
}

/** Parses them, and returns invalid lines separately. */
export function parseProductFeatures(text: string): { features: ReplaceProductBody['features']; wrong: string[] } {
  const features: ReplaceProductBody['features'] = {};
  const wrong: string[] = [];
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const [key = '', kind = '', ...rest] = line.split(':').map((part) => part.trim());
    const type = TYPES.find((each) => each === kind);
    const name = rest.join(':');
    if (key === '' || type === undefined) {
      wrong.push(line);
    } else {
      features[key] = name === '' ? { type } : { type, name };
    }
  }
  return { features, wrong };
}
