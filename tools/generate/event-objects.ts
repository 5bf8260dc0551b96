import type { EventDefinition } from '../../packages/server/src/events/index.ts';
import { comment, type Schema, typeOf } from './schema-type.ts';

/** What `data.object` of each type of event holds, as TypeScript: receivers tell the types apart by it. */
export function eventObjects(definitions: readonly EventDefinition[]): string {
  const members = definitions
    .toSorted((one, other) => (one.type < other.type ? -1 : 1))
    .map(({ type, description, schema }) => {
      // Through JSON, so that what is described is what is sent and not TypeBox's own marks.
      const plain: Schema = JSON.parse(JSON.stringify(schema));
      return `${comment(description, '  ')}  '${type}': ${typeOf(plain, () => undefined, '  ')};\n`;
    });
  return `${HEADER}${members.join('')}}\n`;
}

const HEADER = `// Made by tools/generate.ts from the rooms' events.ts; never edited.

/** \`data.object\` of every type of event. New members may come, and new types. */
export interface EventObjects {
`;
