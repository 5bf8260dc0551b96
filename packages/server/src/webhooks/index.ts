export { describeWebhooks } from './describe-webhooks.ts';
export { openWebhooks, type WebhooksDeps } from './open-webhooks.ts';
export { readWebhookSettings, type WebhookSettings } from './read-webhook-settings.ts';
export { WEBHOOK_CIPHERTEXTS } from './signing/keep-secret.ts';
export { webhookAudience } from './webhook-audience.ts';
