export { createWebhooks, type WebhooksTools } from './create-webhooks.ts';
export { countAttemptsSince, listAttemptsSince } from './deliveries/attempt-history-queries.ts';
export { countEndedDeliveries } from './deliveries/delivery-count-queries.ts';
export { describeWebhooks } from './describe-webhooks.ts';
export { parseWebhookSettings, type WebhookSettings } from './parse-webhook-settings.ts';
export { WEBHOOK_CIPHERTEXTS } from './signing/secrets.ts';
export { webhookAudience, writeHeardEvents } from './webhook-audience.ts';
export { WEBHOOK_TABLES } from './webhook-tables.ts';
