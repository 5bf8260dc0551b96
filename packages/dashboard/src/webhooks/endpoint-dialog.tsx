import { Textarea, TextInput } from '@mantine/core';
import type { WebhookEndpoint } from '@seathold/client';
import { api } from '../api/index.ts';
import { FormDialog, useAction } from '../ui/index.ts';
import { useWebhooksText } from './messages.ts';

interface Fields {
  url: string;
  events: string[];
  description: string | null;
}

interface EndpointDialogProps {
  /** The endpoint to change; if undefined, a new one is created. */
  endpoint?: WebhookEndpoint;
  isOpen: boolean;
  close: () => void;
  /** Gets the secret of a new endpoint; null for staff, who never see it. */
  show: (secret: string | null) => void;
}

/** Adds an endpoint, or changes one. */
export function EndpointDialog({ endpoint, isOpen, close, show }: EndpointDialogProps) {
  const t = useWebhooksText();
  const save = useAction(
    async (fields: Fields) => {
      if (endpoint !== undefined) {
        await api().webhooks.update(endpoint.id, fields);
        return undefined;
      }
      return (await api().webhooks.create(fields)).secret;
    },
    {
      refreshes: [['webhooks'], ['quick-start']],
      succeeds: (secret) => secret !== undefined && show(secret),
      says: t('saved'),
    },
  );
  return (
    <FormDialog
      title={t(endpoint === undefined ? 'create' : 'edit')}
      isOpen={isOpen}
      close={close}
      submit={t(endpoint === undefined ? 'create' : 'save')}
      action={save}
      read={readFields}
    >
      <TextInput
        label={t('url')}
        description={t('url_hint')}
        name="url"
        type="url"
        defaultValue={endpoint?.url ?? ''}
        placeholder="https://example.com/webhooks"
        required
        data-autofocus
      />
      <Textarea
        label={t('events')}
        description={t('events_hint')}
        name="events"
        rows={3}
        defaultValue={endpoint?.events.join('\n') ?? '*'}
        required
      />
      <TextInput
        label={t('description')}
        name="description"
        maxLength={255}
        defaultValue={endpoint?.description ?? ''}
      />
    </FormDialog>
  );
}

function readFields(form: FormData): Fields {
  const description = String(form.get('description')).trim();
  return {
    url: String(form.get('url')).trim(),
    events: String(form.get('events'))
      .split(/[\s,]+/)
      .filter((type) => type !== ''),
    description: description === '' ? null : description,
  };
}
