/** A body and an endpoint for the API reference. */
export const EXAMPLE_INPUT = {
  url: 'https://hooks.example.com/seathold',
  events: ['license.seat.*', 'license.expired'],
  description: 'Notifies the render farm.',
};

export const EXAMPLE_SECRET = `whsec_${'Zm9vYmFy'.repeat(5)}Zg==`;

export const EXAMPLE_ENDPOINT = {
  id: 'wh_01kagt2m8xf3q9wz5r7e6b4c1v',
  ...EXAMPLE_INPUT,
  status: 'active',
  disabled_reason: null,
  created_at: '2026-11-02T09:30:00.000Z',
  updated_at: '2026-11-02T09:30:00.000Z',
};

export const EXAMPLE_DETAIL = {
  ...EXAMPLE_ENDPOINT,
  previous_secret_expires_at: null,
  statistics: {
    attempts: 1000,
    succeeded: 998,
    failed: 2,
    success_rate: 0.998,
    p95_duration_ms: 180,
    last_failure: { at: '2026-11-09T17:02:41.119Z', error: 'http_status', status_code: 502 },
  },
};

export const EXAMPLE_TEST = {
  id: 'dlv_01kagt2m8xf3q9wz5r7e6b4c1w',
  webhook_id: EXAMPLE_ENDPOINT.id,
  event_id: 'evt_01kagt2m8xf3q9wz5r7e6b4c1x',
  event_type: 'license.expired',
  sequence: 1204,
  status: 'pending',
  attempt_count: 0,
  last_status_code: null,
  last_error: null,
  last_attempt_at: null,
  next_attempt_at: '2026-11-02T09:31:00.000Z',
  created_at: '2026-11-02T09:31:00.000Z',
  is_test: true,
};
