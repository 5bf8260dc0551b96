import type { Static, TObject } from 'typebox';

/** A type of event: its meaning, the schema of its `data.object`, and an example. */
export interface EventDefinition<Schema extends TObject = TObject> {
  type: string;
  description: string;
  schema: Schema;
  example: Static<Schema>;
  /** For other rooms only: it is neither stored nor sent, because customers have no use for it. */
  isInternal?: true;
  /** Published so that receivers can be written for it, but not announced yet. The docs say so. */
  isPlanned?: true;
}

/** The types of a catalogue as the values of a parameter, which the OpenAPI document names once. */
export function typesOf(catalogue: readonly EventDefinition[]): { title: string; values: readonly string[] } {
  return { title: 'EventTypeName', values: catalogue.map(({ type }) => type) };
}

/** One entry of a room's events.ts; the catalogue at GET /v1/event-types and the docs follow from it. */
export function defineEvent<Schema extends TObject>(definition: EventDefinition<Schema>): EventDefinition<Schema> {
  return definition;
}
