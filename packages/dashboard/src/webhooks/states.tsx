import type { WebhookDelivery, WebhookEndpoint } from '@seathold/client';
import { Status } from '../ui/index.ts';
import { useWebhooksText } from './messages.ts';

const ENDPOINT_TONES = { active: 'success', paused: 'idle', disabled: 'danger' } as const;
const DELIVERY_TONES = { succeeded: 'success', failed: 'danger', pending: 'idle', held: 'warning' } as const;

/** Whether an endpoint gets events. */
export function EndpointStatus({ status }: Pick<WebhookEndpoint, 'status'>) {
  const t = useWebhooksText();
  return <Status tone={ENDPOINT_TONES[status]}>{t(status)}</Status>;
}

/** The status of a delivery. */
export function DeliveryStatus({ status }: Pick<WebhookDelivery, 'status'>) {
  const t = useWebhooksText();
  return <Status tone={DELIVERY_TONES[status]}>{t(status)}</Status>;
}
