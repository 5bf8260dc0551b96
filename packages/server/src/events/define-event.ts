import type { Static, TObject } from 'typebox';

/** A type of event: what it means, the shape of its `data.object`, and an example of it. */
export interface EventDefinition<Schema extends TObject = TObject> {
  type: string;
  description: string;
  schema: Schema;
  example: Static<Schema>;
  /** Told to the other rooms and to nobody else: it is neither kept nor sent, and no customer has a use for it. */
  isInternal?: true;
  /** Published so that receivers can be written for it, but nothing announces it yet. The docs say so. */
  isPlanned?: true;
}

/** One entry of a room's events.ts; the catalogue at GET /v1/event-types and the docs follow from it. */
export function defineEvent<Schema extends TObject>(definition: EventDefinition<Schema>): EventDefinition<Schema> {
  return definition;
}
