export type { DetailsOf } from './errors.ts';
export type * from './generated/api-types.ts';
export type { EventObjects } from './generated/event-objects.ts';
export type { ApiResponse, Call, CallOptions, OperationId } from './operation-types.ts';
export type { List, Page, Pagination } from './pages.ts';
export { Seathold } from './seathold.ts';
export type { FeatureValue } from './seats/index.ts';
// A seat and its errors, which programs that need nothing else import from `@seathold/client/seats`.
export * from './seats/index.ts';
export type { SeatholdOptions } from './settings.ts';
export { readDelivery, type WebhookDeliveryHeaders } from './webhooks/read-delivery.ts';
export type { WebhookHeaders } from './webhooks/read-header.ts';
export { type RawBody, SIGNATURE_HEADER, signWebhook } from './webhooks/signature.ts';
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookEventOf,
  type WebhookEventType,
} from './webhooks/verify-webhook.ts';
export { WebhookVerificationError, type WebhookVerificationReason } from './webhooks/webhook-verification-error.ts';
