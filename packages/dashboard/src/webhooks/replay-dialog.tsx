import { Checkbox, Text, TextInput } from '@mantine/core';
import type { ReplayWebhookBody } from '@seathold/client';
import { api } from '../api/index.ts';
import { FormDialog, useAction } from '../ui/index.ts';
import { useWebhooksText } from './messages.ts';

const DAY_MS = 86_400_000;

/** Starts a replay of an endpoint's deliveries. */
export function ReplayDialog({ id, isOpen, close }: { id: string; isOpen: boolean; close: () => void }) {
  const t = useWebhooksText();
  const replay = useAction((body: ReplayWebhookBody) => api().webhooks.replay(id, body), {
    refreshes: [['webhooks']],
    says: ({ total }) => t('replay_started', { count: total }),
  });
  return (
    <FormDialog
      title={t('replay_title')}
      isOpen={isOpen}
      close={close}
      submit={t('replay')}
      action={replay}
      read={readReplay}
    >
      <Text size="sm">{t('replay_text')}</Text>
      <TextInput
        type="datetime-local"
        label={t('replay_since')}
        name="since"
        defaultValue={localTime(Date.now() - DAY_MS)}
        required
      />
      <TextInput type="datetime-local" label={t('replay_until')} description={t('replay_until_hint')} name="until" />
      <Checkbox name="all" label={t('replay_all')} />
    </FormDialog>
  );
}

function readReplay(form: FormData): ReplayWebhookBody {
  const until = String(form.get('until'));
  return {
    since: new Date(String(form.get('since'))).toISOString(),
    ...(until === '' ? {} : { until: new Date(until).toISOString() }),
    only_failed: form.get('all') === null,
  };
}

/** The value of a time field: in the reader's zone, without a zone designator. */
function localTime(atMs: number): string {
  const zoneMs = new Date(atMs).getTimezoneOffset() * 60_000;
  return new Date(atMs - zoneMs).toISOString().slice(0, 16);
}
