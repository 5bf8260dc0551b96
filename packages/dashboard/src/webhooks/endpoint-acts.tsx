import { NativeSelect } from '@mantine/core';
import type { WebhookEndpoint } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { api, eventTypes } from '../api/index.ts';
import { ConfirmDialog, FormDialog, useAction } from '../ui/index.ts';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { useWebhooksText } from './messages.ts';
import { ReplayDialog } from './replay-dialog.tsx';

export type EndpointAct = 'test' | 'edit' | 'rotate' | 'replay' | 'delete';

interface EndpointActsProps {
  endpoint: WebhookEndpoint;
  act: EndpointAct | undefined;
  close: () => void;
  show: (secret: string | null) => void;
  leave: () => void;
}

/** The dialogs for actions on an endpoint. */
export function EndpointActs({ endpoint, act, close, show, leave }: EndpointActsProps) {
  const t = useWebhooksText();
  const { id } = endpoint;
  const refreshes = [['webhooks']];
  const rotate = useAction(() => api().webhooks.rotateSecret(id, {}), {
    refreshes,
    succeeds: ({ secret }) => show(secret),
  });
  const remove = useAction(() => api().webhooks.delete(id), { refreshes, says: t('deleted'), succeeds: leave });
  return (
    <>
      <EndpointDialog endpoint={endpoint} isOpen={act === 'edit'} close={close} show={show} />
      <ConfirmDialog
        title={t('rotate')}
        text={t('rotate_text')}
        submit={t('rotate')}
        isOpen={act === 'rotate'}
        close={close}
        action={rotate}
        input={undefined}
      />
      <ConfirmDialog
        title={t('delete_title')}
        text={t('delete_text')}
        submit={t('delete')}
        isOpen={act === 'delete'}
        close={close}
        action={remove}
        input={undefined}
      />
      <TestDialog id={id} isOpen={act === 'test'} close={close} />
      <ReplayDialog id={id} isOpen={act === 'replay'} close={close} />
    </>
  );
}

function TestDialog({ id, isOpen, close }: { id: string; isOpen: boolean; close: () => void }) {
  const t = useWebhooksText();
  const types = useQuery({ ...eventTypes, enabled: isOpen });
  const test = useAction((type: string) => api().webhooks.test(id, { type }), {
    refreshes: [['webhooks']],
    says: t('tested'),
  });
  return (
    <FormDialog
      title={t('test')}
      isOpen={isOpen}
      close={close}
      submit={t('test')}
      action={test}
      read={(form) => String(form.get('type'))}
    >
      <NativeSelect
        label={t('test_type')}
        name="type"
        data={types.data?.data.map(({ type }) => type) ?? ['license.created']}
      />
    </FormDialog>
  );
}
