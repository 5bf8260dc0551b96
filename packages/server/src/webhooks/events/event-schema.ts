import { Type } from 'typebox';
import type { EventDefinition } from '../../events/index.ts';
import { idPattern } from '../../ids/index.ts';

/** An event as listed and as sent. */
export const Event = Type.Object(
  {
    id: Type.String({ pattern: idPattern('event'), description: 'Unique per event. Use it to detect duplicates.' }),
    type: Type.String(),
    created: Type.String({ format: 'date-time' }),
    data: Type.Object({ object: Type.Record(Type.String(), Type.Unknown()) }),
    organization_id: Type.String(),
  },
  { title: 'Event' },
);

/** One event in the API reference, with the object from the catalogue. */
export const EXAMPLE_EVENT = {
  id: 'evt_01kagt2m8xf3q9wz5r7e6b4c1h',
  type: 'license.seat.acquired',
  created: '2026-01-31T12:00:00.000Z',
  organization_id: 'org_01kagt2m8xf3q9wz5r7e6b4c1j',
} as const;

/** The complete example. */
export function exampleEvent(catalogue: readonly EventDefinition[]): unknown {
  const { id, type, created, organization_id } = EXAMPLE_EVENT;
  const object = catalogue.find((each) => each.type === type)?.example;
  return { id, type, created, data: { object }, organization_id };
}
