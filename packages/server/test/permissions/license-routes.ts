/** What every member can read about licenses. */
export const LICENSE_READS: readonly string[] = [
  'GET /v1/licenses',
  'GET /v1/licenses/{}',
  ...['seats', 'refusals', 'demand', 'sessions', 'activations'].map((list) => `GET /v1/licenses/{}/${list}`),
  'GET /v1/licenses/public-key',
];

/** What a program that holds a seat or waits for one does. */
export const SEAT_ROUTES: readonly string[] = [
  'POST /v1/licenses/acquire',
  'POST /v1/licenses/heartbeat',
  'GET /v1/licenses/waits/{}',
  'DELETE /v1/licenses/waits/{}',
];
