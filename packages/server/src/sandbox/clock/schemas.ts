import { type Static, Type } from 'typebox';

export const SandboxClock = Type.Object(
  {
    now: Type.String({ format: 'date-time', description: "The current time of the organization's clock." }),
    offset_seconds: Type.Number({ description: 'How far the clock is ahead of real time, in seconds.' }),
  },
  { title: 'SandboxClock' },
);

export const AdvanceInput = Type.Object(
  {
    seconds: Type.Integer({
      minimum: 1,
      // 3,660 days: any ten years.
      maximum: 316_224_000,
      description: 'How far to move the clock forward, at most ten years.',
    }),
  },
  { additionalProperties: false },
);

/** One thing that happened while the clock was moved. */
export const Happened = Type.Object({
  at: Type.String({ format: 'date-time', description: "On the organization's clock." }),
  type: Type.String({ description: 'An event type, or `webhook.attempt`.' }),
  id: Type.String({ description: 'The ID of the event, or of the delivery for an attempt.' }),
  resource_id: Type.Union([Type.String(), Type.Null()], {
    description: "The ID of the event's object, or of the endpoint for an attempt.",
  }),
});
export type Happened = Static<typeof Happened>;

export const Advanced = Type.Object(
  {
    ...SandboxClock.properties,
    from: Type.String({ format: 'date-time', description: 'The time of the clock before the move.' }),
    happened: Type.Array(Happened, { description: 'The first 1,000, in chronological order.' }),
    count: Type.Integer({ description: 'The total number.' }),
  },
  { title: 'SandboxClockAdvanced' },
);
