import { type Static, Type } from 'typebox';

export const SandboxClock = Type.Object(
  {
    now: Type.String({ format: 'date-time', description: "The organization's own time." }),
    offset_seconds: Type.Number({ description: 'How far that is ahead of real time.' }),
  },
  { title: 'SandboxClock' },
);

export const AdvanceInput = Type.Object(
  {
    seconds: Type.Integer({
      minimum: 1,
      // 3,660 days: ten years, wherever they begin.
      maximum: 316_224_000,
      description: 'How far to move the clock forward; ten years at most.',
    }),
  },
  { additionalProperties: false },
);

/** One thing that happened while the clock was moved. */
export const Happened = Type.Object({
  at: Type.String({ format: 'date-time', description: "By the organization's clock." }),
  type: Type.String({ description: "An event's type, or `webhook.attempt`." }),
  id: Type.String({ description: 'The event; of an attempt, the delivery.' }),
  resource_id: Type.Union([Type.String(), Type.Null()], {
    description: "What it happened to: the id of the event's object; of an attempt, the endpoint.",
  }),
});
export type Happened = Static<typeof Happened>;

export const Advanced = Type.Object(
  {
    ...SandboxClock.properties,
    from: Type.String({ format: 'date-time', description: 'What the clock showed before.' }),
    happened: Type.Array(Happened, { description: 'In the order of their times; the first 1,000.' }),
    count: Type.Integer({ description: 'How many there were in all.' }),
  },
  { title: 'SandboxClockAdvanced' },
);
