/** What can be read about an organization's webhook endpoints. */
export const WEBHOOK_READS = [
  'GET /v1/webhooks',
  'GET /v1/webhooks/{}',
  'GET /v1/webhooks/{}/deliveries',
  'GET /v1/webhooks/{}/deliveries/{}',
  'GET /v1/webhooks/{}/replays',
  'GET /v1/webhooks/{}/replays/{}',
];

/** Actions on them, besides adding, changing and deleting. */
export const WEBHOOK_ACTS = [
  'POST /v1/webhooks/{}/rotate-secret',
  'POST /v1/webhooks/{}/test',
  'POST /v1/webhooks/{}/replay',
  'POST /v1/webhooks/{}/replays/{}/cancel',
  'POST /v1/webhooks/{}/deliveries/{}/retry',
];
